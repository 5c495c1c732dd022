/** The packages in the bundle, from esbuild's metafile and the lock file. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly licence: string;
  /** Subresource integrity, `sha512-…` in base64. */
  readonly integrity: string;
  /** its folder below the sources, `node_modules/zod`. */
  readonly folder: string;
}

/** The part of esbuild's metafile that we read. */
export interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

interface LockedPackage {
  readonly version: string;
  readonly integrity: string;
  readonly license?: string;
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** The lock file's entry of the package in this folder below `root`. */
export function lockedPackage(root: string, folder: string): BundledPackage {
  const locked: LockedPackage | undefined = readJson(join(root, 'package-lock.json')).packages[folder];
  if (locked === undefined) throw new Error(`${folder} is not in package-lock.json`);
  const { version, integrity } = locked;
  const licence = locked.license ?? readJson(join(root, folder, 'package.json')).license;
  return { name: folder.split('node_modules/').at(-1) ?? '', version, licence, integrity, folder };
}

/** The packages with code in the bundle, by name. */
export function bundledPackages(root: string, { outputs }: Metafile): BundledPackage[] {
  const folders = Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  return [...new Set(folders)]
    .map((folder) => lockedPackage(root, folder))
    .toSorted((one, other) =>
      `${one.name}@${one.version}`.localeCompare(`${other.name}@${other.version}`, 'en'),
    );
}

/** The text of all their licences, for the documentation folder. */
export function licenceTexts(root: string, packages: readonly BundledPackage[]): string {
  const chapters = packages.map(({ name, version, licence, folder }) => {
    const text = licenceText(join(root, folder));
    if (text === '') throw new Error(`${folder} brings no licence with it`);
    return `${name} ${version} — ${licence}\n\n${text}\n`;
  });
  return chapters.join(`\n${'-'.repeat(80)}\n\n`);
}

/** The licence files of a package; without any, the section of its readme. */
function licenceText(folder: string): string {
  const names = readdirSync(folder).toSorted();
  const texts = (pattern: RegExp) =>
    names.filter((name) => pattern.test(name)).map((name) => readFileSync(join(folder, name), 'utf8'));
  const own = texts(/^(?:licen[cs]e|copying|notice)/i);
  const chapters = texts(/^readme/i)
    .join('\n')
    .split(/^#+ /m);
  const told = chapters.find((chapter) => /^licen[cs]e\s*\n/i.test(chapter)) ?? '';
  return (own.length > 0 ? own.join('\n\n') : told).trim();
}
