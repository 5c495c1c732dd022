/**
 * Reads the configuration. Each source overrides the one before: defaults, adb's variables, the file, its drop-ins, our
 * variables.
 */
import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Environment } from '../base/environment.ts';
import { attempt, ConfigError } from '../base/errors.ts';
import { pathText, quantity } from '../base/words.ts';
import { defaultStateDirectory } from '../host/state-dir.ts';
import { type CloudConfig, resolveCloud, setTheKey } from './cloud.ts';
import { adbEntries, adbWarnings, environmentEntries, unknownVariables } from './environment.ts';
import { dropInFolder, type FileLayer, readConfigFile, readDropIns } from './file.ts';
import { keyOf } from './keys.ts';
import { type Entry, entriesIn, isTree, type Layer, problemLine, problemsIn, treeOf } from './layer.ts';
import { type MetricsConfig, resolveMetrics } from './metrics.ts';
import { carryOver, settingsAndMoved } from './moved.ts';
import { type NotifyTarget, resolveNotify } from './notify.ts';
import { type CloudProfile, profilesOf } from './profiles.ts';
import { exposuresOf, exposuresOfValues, readRegularFile, worstOf } from './safe-file.ts';
import { type Settings, settings as settingsSchema } from './schema.ts';
import { headersBeside } from './secrets.ts';
import { SERVICE_ENVIRONMENT } from './service-environment.ts';
import { resolveStatus, type StatusConfig } from './status.ts';

export type { CloudConfig } from './cloud.ts';

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** The configuration in force; frozen. */
export type Config = DeepReadonly<
  Omit<Settings, 'cloud' | 'clouds' | 'state' | 'status' | 'metrics' | 'notify'>
> & {
  /** Absent if no cloud is configured: then we report nothing. */
  readonly cloud?: Readonly<CloudConfig>;
  /** Further clouds for the command line, by name. */
  readonly clouds: Readonly<Record<string, CloudProfile>>;
  /** Why `cloud` is absent although its keys are set. */
  readonly notReporting?: string;
  readonly state: Readonly<Required<Settings['state']>>;
  readonly status: StatusConfig;
  readonly metrics: MetricsConfig;
  readonly notify: readonly NotifyTarget[];
};

export interface LoadOptions {
  /** A file named on the command line; it must exist. */
  file?: string;
  env: Environment;
  /** The file to read if it exists and the command line names no other. */
  defaultFile?: string;
  /** The caller uses neither cloud, status page nor metrics: their problems alone are no reason to stop. */
  phonesOnly?: boolean;
  /** A credential that only root can read counts as there: the key is empty. */
  takesHidden?: boolean;
  /** The file of systemd's LoadCredential; in a shell it stands in for the credential. */
  credential?: string;
}

export interface LoadedConfig {
  readonly config: Config;
  /** Problems to fix that do not prevent a start; one sentence each. */
  readonly warnings: readonly string[];
  /** The files that were read, if any. */
  readonly source: { readonly file?: string; readonly dropIns?: readonly string[] };
}

/** The files that were read, for a person: the drop-ins by their number. Undefined if none was. */
export function filesOf({ source: { file, dropIns = [] } }: LoadedConfig): string | undefined {
  const added = dropIns.length === 0 ? [] : [quantity(dropIns.length, 'drop-in')];
  const named = [...(file === undefined ? [] : [file]), ...added];
  return named.length === 0 ? undefined : named.join(' and ');
}

export const DEFAULT_FILE = '/etc/hostnode/hostnode.yaml';
export const CREDENTIAL = '/etc/credstore/hostnode.cloud-api-key';

/** A service starts without it: a credential may come later. */
const keyMissing = 'the API key is missing';
const keyMissingWarning = `cloud.apiKey: missing, so hostnode reports nothing; ${setTheKey}`;

const nameOf = ({ path }: Entry): string => path.join('.');

/** Either says the API key: one of a source replaces the other of those below it. */
const KEYS = ['cloud.apiKey', 'cloud.apiKeyFile'];

/** A problem if one source has both a key and a key file. */
function keyTwice(entries: readonly Entry[]): string[] {
  const given = entries.filter((entry) => KEYS.includes(nameOf(entry)));
  if (given.length < 2) return [];
  const places = given.map((entry) => `${nameOf(entry)} (${entry.where()})`);
  return [`${places.join(' and ')}: set only one of the two`];
}

/** Lists whose entries each stand for a thing of the lab: those of all files count. Other lists are replaced. */
const JOINED_LISTS = ['devices', 'slots', 'inventory.expected', 'notify'];

/** One list of both, which knows the place of each item. */
function joined(below: Entry, entry: Entry): Entry {
  const [lower, upper] = [below.value, entry.value] as [unknown[], unknown[]];
  return {
    path: entry.path,
    value: [...lower, ...upper],
    where([index, ...rest] = []) {
      if (typeof index !== 'number') return `${below.where()} + ${entry.where()}`;
      return index < lower.length
        ? below.where([index, ...rest])
        : entry.where([index - lower.length, ...rest]);
    },
  };
}

/** The problem of a schedule that the scheduler rejects. Loads the scheduler only if a schedule is set: it slows the start. */
async function scheduleProblem(entry: Entry | undefined): Promise<string[]> {
  if (entry === undefined) return [];
  const { validate } = await import('node-cron');
  return validate(String(entry.value)) ? [] : [problemLine(entry)];
}

/**
 * Who else may write the files, the folder of the drop-ins, and beside the service's own file its environment; or read a
 * secret in them.
 */
function exposed({ file: named, env }: LoadOptions, file: string, files: readonly FileLayer[]) {
  const folder = dropInFolder(file);
  const beside = join(dirname(file), basename(SERVICE_ENVIRONMENT));
  const isService = named === undefined && file !== '';
  const variables = isService ? attempt(() => parseEnv(readRegularFile(beside))) : undefined;
  const set = variables && treeOf(environmentEntries(variables));
  const read = files.filter(({ problems }) => problems.length === 0);
  const { problems, warnings } = worstOf([
    ...read.flatMap((each) => exposuresOfValues(each.file, each.values, env)),
    ...(folder === undefined ? [] : exposuresOf(folder, env)),
    ...(set ? exposuresOfValues(beside, set, env, Object.keys(variables)) : []),
  ]);
  const readable = [...files, ...(set ? [{ file: beside, values: set }] : [])];
  return { problems, warnings: [...warnings, ...readable.flatMap(readableSecretWarnings)] };
}

function readableSecretWarnings({
  values: { cloud, clouds, notify },
  file,
}: Pick<FileLayer, 'values' | 'file'>): string[] {
  const holds = (key: string, some: readonly unknown[]) =>
    some.some((each) => isTree(each) && each[key] !== undefined);
  const chats = [notify].flat().filter((each) => isTree(each) && (each.format ?? 'json') !== 'json');
  const secrets = [];
  if (holds('apiKey', [cloud, ...Object.values(Object(clouds))]))
    secrets.push([
      'the API key',
      "put it into a file of its own (cloud.apiKeyFile) or into the service's credential",
    ]);
  if (holds('url', chats))
    secrets.push(['the address of a chat, which is a secret,', 'put it into a file of its own (urlFile)']);
  if (secrets.length === 0 || (statSync(file).mode & 0o007) === 0) return [];
  return secrets.map(([what, remedy]) => `${file}: holds ${what} and anybody may read it; ${remedy}`);
}

/** Expected phones whose slot the list of slots does not name. */
function slotWarnings({ slots, inventory }: Settings, where: Layer['where']): string[] {
  const names = new Set(slots.map(({ name }) => name));
  return inventory.expected.flatMap(({ slot }, index) => {
    if (slot === undefined || names.has(slot)) return [];
    const path = ['inventory', 'expected', index, 'slot'];
    const shown = `${pathText(path)} = ${JSON.stringify(slot)}`;
    return [`${shown} (${where(path)}): no slot has this name; name it in slots`];
  });
}

/** What a person can read: a file that is not meant for us has a problem in each line. */
const MOST_PROBLEMS = 50;

function firstOf(problems: readonly string[], file: string): readonly string[] {
  const more = problems.length - MOST_PROBLEMS;
  if (more <= 0) return problems;
  return [...problems.slice(0, MOST_PROBLEMS), `${file}: ${quantity(more, 'more problem')}`];
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) freeze(part);
    Object.freeze(value);
  }
  return value;
}

/**
 * All sources, the lowest first (adb's variables, the files, ours), and what counts of them: of each key the valid entry of
 * the highest; of some lists, those of all files.
 */
export async function readSources({ env, file: named, defaultFile = DEFAULT_FILE }: LoadOptions) {
  const file = named ?? defaultFile;
  const main = await readConfigFile(file);
  const folder = dropInFolder(file);
  const dropIns = folder === undefined ? { files: [], warnings: [] } : await readDropIns(folder);
  const files = named === undefined && main.isMissing ? dropIns.files : [main, ...dropIns.files];
  const { sources: own, warnings } = carryOver([
    ...files.map((each) => entriesIn(each, settingsAndMoved)),
    environmentEntries(env),
  ]);
  const written = [adbEntries(env, own.flat()), ...own];

  const found: ReturnType<typeof problemsIn> = [];
  const isValid = (entry: Entry) => {
    const problems = problemsIn(entry);
    found.push(...problems);
    return problems.length === 0;
  };
  const sources = written.map((entries) => entries.filter(isValid));
  const inForce = new Map<string, Entry>();
  for (const [index, entries] of sources.entries()) {
    const isFile = index < sources.length - 1; // adb's variables have no list
    if (entries.some((entry) => KEYS.includes(nameOf(entry)))) for (const name of KEYS) inForce.delete(name);
    for (const entry of entries) {
      const name = nameOf(entry);
      const below = isFile && JOINED_LISTS.includes(name) ? inForce.get(name) : undefined;
      const whole = below === undefined ? entry : joined(below, entry);
      // two files may name one slot
      if (below === undefined || isValid(whole)) inForce.set(name, whole);
      else inForce.delete(name);
    }
  }
  /** Names the source of a key, or of a part of its value. */
  const where = (path: readonly PropertyKey[]): string => {
    const entry = inForce.get(keyOf(path)?.name ?? '');
    return entry?.where(path.slice(entry.path.length)) ?? 'default';
  };
  const given = new Set([...written.flat().map(nameOf), ...found.flatMap(({ meant }) => meant ?? [])]);
  return {
    ...{ file, files, dropIns, warnings, inForce, where },
    problems: [...new Set(found.map(({ line }) => line)), ...written.flatMap(keyTwice)],
    /** Is the key there, but wrong or misspelt? Then it does not count as missing. */
    isRefused: (name: string) => given.has(name) && !inForce.has(name),
  };
}

/**
 * Reads and checks the whole configuration.
 *
 * @throws {ConfigError} with all problems, each a line with the key, its place, its value (secrets as `***`) and what
 *   is allowed; and with all warnings
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { problems, knowsStateDir: _, ...loaded } = await readConfig(options);
  if (problems.length > 0) throw new ConfigError(problems, loaded.warnings);
  return loaded;
}

/**
 * The same with its problems: a wrong key has its default, a section with a problem of its own may be absent.
 *
 * @returns `knowsStateDir`: false where what says the state directory is wrong, or in a file that cannot be read
 */
export async function readConfig(
  options: LoadOptions,
): Promise<LoadedConfig & { problems: readonly string[]; knowsStateDir: boolean }> {
  const { env, credential = CREDENTIAL, takesHidden = false } = options;
  const { file, files, dropIns, warnings: ofMoved, inForce, where, ...read } = await readSources(options);
  const settings = settingsSchema.parse(treeOf(inForce.values()));

  const sourceOf = (...section: string[]) => ({
    name: section.join('.'),
    env,
    takesHidden,
    problems: [],
    where: (...path: PropertyKey[]) => where([...section, ...path]),
  });
  const refused = (key: string) => read.isRefused(`cloud.${key}`);
  const ofCloud = { ...sourceOf('cloud'), refused, credential };
  const ofStatus = sourceOf('status');
  const ofMetrics = sourceOf('metrics', 'otlp');
  const ofNotify = sourceOf('notify');
  const { cloud, isKeyAwaited } = resolveCloud(settings.cloud, ofCloud);
  const status = resolveStatus(settings.status, ofStatus);
  const metrics = resolveMetrics(settings.metrics, headersBeside(credential), ofMetrics);
  const notify = resolveNotify(settings.notify, ofNotify);

  const open = exposed(options, file, files);
  // those that send may name the same variable
  const served = [...new Set([ofCloud, ofStatus, ofMetrics, ofNotify].flatMap(({ problems }) => problems))];
  const problems = [
    ...files.flatMap((read) => read.problems),
    ...open.problems,
    ...read.problems,
    ...served,
    ...(await scheduleProblem(inForce.get('report.schedule'))),
  ];
  const warnings = [
    ...unknownVariables(env),
    ...adbWarnings(env, where),
    ...ofMoved,
    ...dropIns.warnings,
    ...open.warnings,
    ...slotWarnings(settings, where),
    ...(isKeyAwaited ? [keyMissingWarning] : []),
  ];
  const unused = options.phonesOnly ? served.length : 0;

  const { cloud: _, clouds, ...others } = settings;
  const isAllRead = files.every((each) => each.problems.length === 0);
  return {
    problems: problems.length > unused ? firstOf(problems, file) : [],
    knowsStateDir: inForce.has('state.dir') || (isAllRead && !read.isRefused('state.dir')),
    config: freeze({
      ...others,
      clouds: profilesOf(clouds, where),
      ...(cloud !== undefined && { cloud }),
      ...(isKeyAwaited && { notReporting: keyMissing }),
      state: { ...settings.state, dir: resolve(settings.state.dir ?? defaultStateDirectory(env)) },
      status,
      metrics,
      notify,
    }),
    warnings,
    source: {
      ...(files.length > dropIns.files.length && { file }),
      ...(dropIns.files.length > 0 && { dropIns: dropIns.files.map((read) => read.file) }),
    },
  };
}
