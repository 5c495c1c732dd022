/** The control files of the package (deb-control(5), deb-conffiles(5), deb-md5sums(5)). */
import { createHash } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Architecture } from './architecture.ts';

export const MAINTAINER = 'The hostnode authors <hostnode@packages.invalid>';

/** A version in Debian's order: `1.0.0-rc.1` comes before `1.0.0`. */
export const debianVersion = (version: string): string => version.replace('-', '~');

interface ControlOptions {
  readonly version: string;
  readonly architecture: Architecture;
  readonly installedKibibytes: number;
}

export const control = ({ version, architecture, installedKibibytes }: ControlOptions): string =>
  `Package: hostnode
Version: ${version}
Architecture: ${architecture.name}
Maintainer: ${MAINTAINER}
Installed-Size: ${installedKibibytes}
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 7), systemd (>= 252)
Recommends: adb
Section: admin
Priority: optional
Description: agent of a device cloud on a host with Android phones
 hostnode finds the Android phones on this host over adb, collects the facts
 of each in one shell conversation, and keeps your device cloud up to date.
 .
 The package contains the agent and an adb server as two systemd services, the
 udev rule for access to phones, and the program hostnode with its own Node.
`;

export interface StagedFile {
  /** Below the staged root, without a slash before it. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly isRegular: boolean;
}

/** All files below a folder, sorted by path. */
export async function filesBelow(folder: string): Promise<StagedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  const staged = files.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return {
      path: path.slice(folder.length + 1),
      sizeBytes: (await lstat(path)).size,
      isRegular: entry.isFile(),
    };
  });
  return (await Promise.all(staged)).toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** Files that dpkg keeps if the administrator changed them: all below /etc. */
export const conffiles = (files: readonly StagedFile[]): string =>
  files
    .filter(({ path, isRegular }) => isRegular && path.startsWith('etc/'))
    .map(({ path }) => `/${path}\n`)
    .join('');

export async function md5sums(folder: string, files: readonly StagedFile[]): Promise<string> {
  const kept = files.filter(({ path, isRegular }) => isRegular && !path.startsWith('etc/'));
  const lines = kept.map(async ({ path }) => {
    const hash = createHash('md5').update(await readFile(join(folder, path)));
    return `${hash.digest('hex')}  ${path}\n`;
  });
  return (await Promise.all(lines)).join('');
}

/** Size on a disk of 4 KiB blocks, so that it does not depend on the build machine. */
export const installedKibibytes = (files: readonly StagedFile[]): number =>
  files.reduce((sum, { sizeBytes }) => sum + Math.ceil(sizeBytes / 4096) * 4, 0);

/** The Debian changelog; it refers to CHANGELOG.md. */
export const debianChangelog = (version: string, date: Date): string =>
  `hostnode (${version}) stable; urgency=medium

  * See CHANGELOG.md in this folder.

 -- ${MAINTAINER}  ${date.toUTCString().replace('GMT', '+0000')}
`;
