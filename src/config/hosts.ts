/** The hosts whose status one screen shows: those of the command line, and of the user's own file. */
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import type { Environment } from '../base/environment.ts';
import { attempt, ConfigError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { HOSTS_PASSWORD } from './environment.ts';
import { parseFile } from './file.ts';
import { userFile } from './profiles.ts';
import { readRegularFile } from './safe-file.ts';
import { oneLine, readPrivateFile, Secret } from './secrets.ts';

/** One host, and how to ask it. */
export interface OtherHost {
  /** What people call it. */
  readonly name: string;
  /** `http://rack-1:9477`. */
  readonly origin: string;
  readonly password?: Secret;
  /** The authorities to trust instead of the usual ones, PEM. */
  readonly ca?: string;
}

/** More do not fit any screen. */
const MOST_HOSTS = 100;
/** Where hostnode serves its page, unless it is told otherwise. */
const USUAL_PORT = '9477';

const text = z.string().min(1).max(300);
const file = z.strictObject({
  hosts: z
    .array(
      z.union([
        text,
        z.strictObject({
          url: text,
          name: text.exactOptional(),
          passwordFile: text.exactOptional(),
          caFile: text.exactOptional(),
        }),
      ]),
    )
    .max(MOST_HOSTS),
});

export const userHostsFile = (env: Environment): string => userFile(env, 'hosts.yaml');

/**
 * @param wanted names of the file, or addresses, with commas between them; undefined: all of the file
 * @throws {ConfigError} an address is none, or a file cannot be used
 */
export async function otherHosts(wanted: string | undefined, env: Environment): Promise<OtherHost[]> {
  const path = userHostsFile(env);
  const known = (await readHostsFile(path)).map((entry) => hostOf(entry, path, env));
  if (wanted === undefined) return known;
  const names = wanted
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length > MOST_HOSTS) throw new ConfigError([`at most ${MOST_HOSTS} hosts`]);
  return [...new Set(names)].map(
    (name) => known.find((each) => each.name === name) ?? hostOf({ url: name }, path, env),
  );
}

type Entry = Exclude<z.infer<typeof file>['hosts'][number], string>;

/** No file is no host. */
async function readHostsFile(path: string): Promise<Entry[]> {
  const { text, problem } = readPrivateFile(path); // whoever writes it says where passwords go
  if (problem !== undefined) throw new ConfigError([problem]);
  if (text === undefined) return [];
  const layer = await parseFile(path, text);
  const { data, error } = file.safeParse(layer.values);
  const where = layer.where(error?.issues[0]?.path ?? []);
  const form = 'must be "hosts:", a list of addresses, each alone or with url, name, passwordFile, caFile';
  const problems = [...layer.problems, ...(error ? [`${where}: ${form}`] : [])];
  if (problems.length > 0 || data === undefined) throw new ConfigError(problems);
  return data.hosts.map((entry) => (typeof entry === 'string' ? { url: entry } : entry));
}

function hostOf({ url, name, passwordFile, caFile }: Entry, path: string, env: Environment): OtherHost {
  const isBare = !url.includes('://');
  const address = URL.parse(isBare ? `http://${url}` : url);
  const isPlain = address !== null && ['http:', 'https:'].includes(address.protocol);
  if (address?.username || address?.password || url.includes('@'))
    throw new ConfigError([
      `a password does not belong into an address: give it in ${HOSTS_PASSWORD}, or as passwordFile in ${path}`,
    ]);
  if (!isPlain || address.pathname !== '/' || address.search !== '' || address.hash !== '')
    throw new ConfigError([
      `${JSON.stringify(url.slice(0, 100))}: must be a host name or address, with or without a port, or http(s)://host:port`,
    ]);
  if (isBare && !/:\d+$/.test(url)) address.port = USUAL_PORT;
  const inFolder = (each: string) => resolve(dirname(path), each);
  return omitUndefined({
    name: name ?? (isBare ? url : address.host),
    origin: address.origin,
    password: passwordOf(passwordFile && inFolder(passwordFile), env),
    ca: caFile && certificatesIn(inFolder(caFile)),
  });
}

/** @throws {ConfigError} the file cannot be read, or others can read it */
function passwordOf(file: string | undefined, env: Environment): Secret | undefined {
  const common = env[HOSTS_PASSWORD];
  if (file === undefined) return common ? new Secret(common) : undefined;
  const { text, problem = `${file}: no such file` } = oneLine(readPrivateFile(file));
  if (text === undefined) throw new ConfigError([problem]);
  return new Secret(text);
}

function certificatesIn(file: string): string {
  const pem = attempt(() => readRegularFile(file));
  if (pem === undefined) throw new ConfigError([`${file}: cannot be read`]);
  return pem;
}
