import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { buildPackage } from '../../packaging/package.ts';
import { linkOrCopy } from './link-or-copy.ts';

const run = promisify(execFile);

/**
 * A package that is made once in a run of the tests, by the first file that wants it.
 *
 * @param make puts it into a folder; @returns its path there
 */
async function madeOnce(name: string, make: (folder: string) => Promise<string>): Promise<string> {
  const made = join(inject('programFolder'), '../packages', name);
  const mine = join(made, 'being-made');
  await mkdir(made, { recursive: true });
  for (;;) {
    const found = (await readdir(made)).find((each) => each.endsWith('.deb'));
    if (found !== undefined) return join(made, found);
    if (await mkdir(mine).catch(() => 'of another')) await setTimeout(200);
    else
      try {
        const built = await make(mine);
        await rename(built, join(made, basename(built)));
      } catch (error) {
        await rm(mine, { recursive: true, force: true }); // another file may try
        throw error;
      }
  }
}

/** Uncompressed. */
const ownPackage = () => madeOnce('own', (folder) => buildPackage({ folder, compression: 'none' }));

const packageOf = (version: string) =>
  madeOnce(version, async (folder) => {
    const own = await ownPackage();
    const unpacked = join(folder, 'unpacked');
    await run('dpkg-deb', ['--raw-extract', own, unpacked]);
    const control = join(unpacked, 'DEBIAN/control');
    await writeFile(
      control,
      (await readFile(control, 'utf8')).replace(/^Version: .*/m, `Version: ${version}`),
    );
    const packed = join(folder, basename(own).replace(/_[^_]*_/, `_${version}_`));
    await run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', unpacked, packed]);
    await rm(unpacked, { recursive: true });
    return packed;
  });

/**
 * Puts the Debian package into a folder.
 *
 * @param version only this differs: what an upgrade does lies in the maintainer scripts
 * @returns its path
 */
export async function builtPackage(folder: string, version?: string): Promise<string> {
  const made = await (version === undefined ? ownPackage() : packageOf(version));
  const name = version === undefined ? basename(made).replace(/_[^_]*_/, '_own_') : basename(made);
  await linkOrCopy(made, join(folder, name));
  return join(folder, name);
}
