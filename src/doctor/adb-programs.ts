/**
 * The adb programs on this host and their versions, read from their packages. We run none of them:
 * a client whose version differs kills the server.
 */
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Environment, HostKind } from '../base/environment.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { type Finding, failed, ok, skipped, warning } from './finding.ts';

export interface AdbProgram {
  readonly path: string;
  /** Of the platform-tools, e.g. `34.0.5`, if its package says. */
  readonly version?: string;
}

const NAME = 'adb programs';

/** The usual folders of adb, besides PATH. */
function foldersOf({ PATH = '', HOME, ANDROID_HOME, ANDROID_SDK_ROOT }: Environment): string[] {
  const sdks = [ANDROID_HOME, ANDROID_SDK_ROOT, HOME && join(HOME, 'Android/Sdk'), '/opt/android-sdk'];
  return [
    ...PATH.split(':').filter((folder) => folder.startsWith('/')),
    '/usr/bin',
    '/usr/local/bin',
    '/usr/lib/android-sdk/platform-tools',
    ...sdks.flatMap((sdk) => (sdk ? [join(sdk, 'platform-tools')] : [])),
  ];
}

/**
 * @param root of the file system, `/`
 * @param bin the program that the agent starts a server with (`adb.bin`); a bare name is looked up in PATH
 */
export async function readAdbPrograms(root: string, env: Environment, bin = 'adb'): Promise<AdbProgram[]> {
  const usual = [...new Set(foldersOf(env))].map((folder) => join(root, folder, 'adb'));
  const candidates = bin.startsWith('/') ? [...usual, join(root, bin)] : usual;
  const found = await Promise.all(candidates.map((path) => realpath(path).catch(() => undefined)));
  const paths = new Set(found.filter((path) => path !== undefined));
  return Promise.all(
    [...paths].map(async (path) => omitUndefined({ path, version: await versionOf(root, path) })),
  );
}

/** The SDK writes `source.properties` beside the program; dpkg knows the version of its own. */
async function versionOf(root: string, path: string): Promise<string | undefined> {
  const properties = await readFile(join(dirname(path), 'source.properties'), 'utf8').catch(() => '');
  const revision = /^Pkg\.Revision\s*=\s*(\S+)/m.exec(properties)?.[1];
  if (revision !== undefined) return revision;
  const files = await readFile(join(root, 'var/lib/dpkg/info/adb.list'), 'utf8').catch(() => '');
  const isPackaged = files.split('\n').some((file) => file !== '' && join(root, file) === path);
  if (!isPackaged) return undefined;
  const packages = await readFile(join(root, 'var/lib/dpkg/status'), 'utf8').catch(() => '');
  const stanza = packages.split('\n\n').find((text) => /^Package: adb$/m.test(text));
  return /^Version: (?:\d+:)?([\d.]+)/m.exec(stanza ?? '')?.[1];
}

/** @param isWanted a server should run on this host, and none does */
export function judgeAdbPrograms(
  programs: readonly AdbProgram[],
  isWanted: boolean,
  { units }: HostKind,
): Finding {
  const named = programs.map(({ path, version = 'version unknown' }) => `${path} (${version})`).join(', ');
  if (programs.length === 0) {
    const seen = 'no adb program in the usual folders';
    if (!isWanted) return skipped(NAME, seen);
    const then = units.includes('hostnode-adb')
      ? 'hostnode-adb starts it by itself'
      : 'then run adb start-server';
    return failed(NAME, seen, `Install adb (Debian: apt-get install adb); ${then}`);
  }
  const versions = new Set(programs.map(({ version }) => version));
  if (programs.length === 1 || (versions.size === 1 && !versions.has(undefined))) return ok(NAME, named);
  return warning(
    NAME,
    `${programs.length} adb programs, of different or unknown versions: ${named}`,
    'A client of another version kills the running server: keep one program, or install the same version of all',
  );
}
