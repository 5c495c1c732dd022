import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { buildPackage } from '../../packaging/package.ts';

const run = promisify(execFile);

/** The Debian package, uncompressed. In a run of the tests it is built once, by the first file that wants it. */
async function builtOnce(): Promise<string> {
  const made = join(inject('programFolder'), 'package');
  const mine = join(made, 'being-built');
  await mkdir(made, { recursive: true });
  for (;;) {
    const name = (await readdir(made)).find((each) => each.endsWith('.deb'));
    if (name !== undefined) return join(made, name);
    if (await mkdir(mine).catch(() => 'of another')) await setTimeout(200);
    else
      try {
        const built = await buildPackage({ folder: mine, compression: 'none' });
        await rename(built, join(made, built.slice(mine.length)));
      } catch (error) {
        await rm(mine, { recursive: true, force: true }); // another file may try
        throw error;
      }
  }
}

/**
 * Puts the Debian package into a folder.
 *
 * @param version only this differs: what an upgrade does lies in the maintainer scripts
 * @returns its path
 */
export async function builtPackage(folder: string, version?: string): Promise<string> {
  const own = await builtOnce();
  const [, name = '', architecture = ''] = /([^/_]+)_[^/]*(_[^/_]+\.deb)$/.exec(own) ?? [];
  if (version === undefined) {
    const copy = join(folder, `${name}_own${architecture}`);
    await copyFile(own, copy);
    return copy;
  }
  const [unpacked, packed] = [
    join(folder, `unpacked-${version}`),
    join(folder, `${name}_${version}${architecture}`),
  ];
  await run('dpkg-deb', ['--raw-extract', own, unpacked]);
  const control = join(unpacked, 'DEBIAN/control');
  await writeFile(control, (await readFile(control, 'utf8')).replace(/^Version: .*/m, `Version: ${version}`));
  await run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', unpacked, packed]);
  await rm(unpacked, { recursive: true });
  return packed;
}
