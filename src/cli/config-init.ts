/** `hostnode config init`: asks for the cloud's address and account, and writes the first configuration. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { ConfigError } from '../base/errors.ts';
import { exitCode } from '../base/exit-code.ts';
import { quoted } from '../base/words.ts';
import { CloudError, CloudUnavailableError } from '../cloud/errors.ts';
import { firstFile, mustBe } from '../config/first-file.ts';
import { CREDENTIAL, DEFAULT_FILE } from '../config/load.ts';
import { settings } from '../config/schema.ts';
import { Secret } from '../config/secrets.ts';
import { readHostKind } from '../host/host-kind.ts';
import type { ConfigOptions } from './configuration.ts';
import { notWritten, writeNewFiles } from './output-files.ts';
import { type Account, apiKeyFromInput, askAccount, askNodeId, hasPerson, notAccepted } from './questions.ts';
import { CommandError, FailedError, say, UsageError } from './terminal.ts';

export type ConfigInitOptions = ConfigOptions<
  'yes' | 'offline' | 'force',
  'baseUrl' | 'username' | 'nodeId' | 'keyFile'
>;

export async function configInit(options: ConfigInitOptions): Promise<void> {
  const { force = false, yes = false, offline = false } = options;
  const places = placesFor(options, {
    isRoot: process.getuid?.() === 0,
    hasService: readHostKind('/', process.env).units.includes('hostnode'),
    cwd: process.cwd(),
    program: programName(process.env),
  });
  const [problem, ...more] = [...optionProblems(options), ...(force ? [] : existing(places))];
  if (problem !== undefined) throw new UsageError(problem, ...more);
  const { baseUrl = '', username = '' } = options;
  const cancelled = new FailedError('cancelled: nothing was written');
  const account = yes ? { baseUrl, username, apiKey: await apiKeyFromInput() } : await askAccount(options);
  if (account === undefined) throw cancelled;
  const doubt = offline ? undefined : await doubtOf(account);
  if (doubt instanceof CloudError && !(doubt instanceof CloudUnavailableError))
    throw new CommandError(exitCode.cloud, notAccepted(doubt));
  const nodeId = options.nodeId ?? (yes ? '' : await askNodeId());
  if (nodeId === undefined) throw cancelled;
  const { apiKey, ...others } = account;
  const { config, key, isCredential, next } = places;
  const text = await firstFile({
    ...others,
    ...(nodeId !== '' && { nodeId }),
    ...(!isCredential && { apiKeyFile: key.path }),
  });
  const files = [
    { ...key, text: `${apiKey}\n`, mode: 0o600 },
    { ...config, text, mode: 0o644 },
  ];
  process.on('SIGINT', () => {}); // from here on it takes a moment, and ends with both files
  await writeNewFiles(files, force).catch(notWritten('files'));
  say(`Wrote ${config.path}`, `Wrote ${key.path} (the API key, for its owner only)`);
  if (doubt) say(`The account is not checked: ${doubt.message}`);
  say('Next:', ...next.map((command) => `  ${command}`));
}

/** Why the cloud may not accept the account; undefined if it does. */
async function doubtOf({ baseUrl, username, apiKey }: Account): Promise<Error | undefined> {
  const { cloud } = settings.parse({ cloud: { baseUrl, username } });
  const { checkCloud } = await import('../doctor/cloud.ts');
  const asked = checkCloud({ ...cloud, baseUrl, username, apiKey: new Secret(apiKey) }, process.env);
  return asked.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof CloudError || error instanceof ConfigError) return error; // the latter: the proxy
      throw error;
    },
  );
}

const optionProblems = ({ nodeId, baseUrl, username, yes }: ConfigInitOptions): string[] => {
  const given = [
    ['nodeId', '--node-id', nodeId],
    ['cloud.baseUrl', '--base-url', baseUrl],
    ['cloud.username', '--username', username],
  ] as const;
  const wrong = given.flatMap(([key, option, value]) => {
    const needed = value === undefined ? undefined : mustBe(key, value);
    return needed === undefined ? [] : [`${option}: must be ${needed}`];
  });
  const missing = given.slice(1).flatMap(([, option, value]) => (value === undefined ? [option] : []));
  if (yes && missing.length > 0) return [...wrong, `--yes needs ${missing.join(' and ')}`];
  if (yes && process.stdin.isTTY) return [...wrong, '--yes needs the API key on standard input'];
  if (!yes && !hasPerson())
    return [
      ...wrong,
      'no terminal to ask on: use --yes with --base-url, --username and the API key on standard input',
    ];
  return wrong;
};

const existing = ({ config, key }: ReturnType<typeof placesFor>): string[] =>
  [
    { path: config.path, option: '--config' },
    { path: key.path, option: '--key-file' },
  ].flatMap(({ path, option }) =>
    existsSync(path)
      ? [`${path} already exists; use --force to overwrite, or ${option} to name another file`]
      : [],
  );

/**
 * Where it writes, and what to do after it. As root the service's own files, else files in the current directory.
 *
 * @param here `hasService`: systemd runs here, with hostnode's unit; `program`: how the person calls it
 * @returns `folderMode`: of its folder, if that is to be made; `isCredential`: the agent finds the key without
 *   `cloud.apiKeyFile`; `next`: commands to run after it, each with its purpose as a comment
 */
export function placesFor(
  { config, keyFile }: { config?: string; keyFile?: string },
  here: { isRoot: boolean; hasService: boolean; cwd: string; program: string },
) {
  const { isRoot, hasService, cwd, program } = here;
  const file = config ?? (isRoot ? DEFAULT_FILE : 'hostnode.yaml');
  const path = resolve(cwd, file);
  const isDefault = path === DEFAULT_FILE;
  const key = keyFile ?? (isDefault ? CREDENTIAL : join(dirname(path), 'cloud-api-key'));
  const isCredential = key === CREDENTIAL;
  const option = isDefault ? '' : ` --config ${quoted(file)}`;
  const start = isDefault && hasService ? 'systemctl restart hostnode' : `${program} run${option}`;
  return {
    config: { path, ...(isDefault && { folderMode: 0o755 }) },
    key: { path: resolve(cwd, key), ...(isCredential && { folderMode: 0o700 }) },
    isCredential,
    next: [
      `${program} doctor${option}   # checks host, phones and cloud`,
      `${start}   # starts the agent`,
      `${program} status${option}   # shows phones and page`,
    ],
  };
}

/** How the person calls this program: by its name, or in a checkout by npm's script of that name. */
export const programName = ({ npm_lifecycle_event: script }: Environment): string =>
  script === 'hostnode' ? 'npm run hostnode --' : 'hostnode';
