/** Finds out on what kind of machine hostnode runs. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment, HostKind } from '../base/environment.ts';
import { containerKind } from './container.ts';

const UNITS = ['hostnode', 'hostnode-adb'];
/** Where systemd looks for the units of the system (systemd.unit(5)). */
const UNIT_FOLDERS = ['etc', 'run', 'usr/local/lib', 'usr/lib', 'lib'].map((folder) =>
  join(folder, 'systemd/system'),
);

/** @param root of the file system: `/`, or its replacement in a test */
export async function readHostKind(root: string, env: Environment): Promise<HostKind> {
  const isThere = (path: string) =>
    access(join(root, path)).then(
      () => true,
      () => false,
    );
  const isInstalled = async (unit: string) =>
    (await Promise.all(UNIT_FOLDERS.map((folder) => isThere(join(folder, `${unit}.service`))))).includes(
      true,
    );
  const [hasSystemd, kind, installed] = await Promise.all([
    isThere('run/systemd/system'), // as sd_booted(3) does
    containerKind(root, env),
    Promise.all(UNITS.map(isInstalled)),
  ]);
  return {
    hasSystemd,
    units: hasSystemd ? UNITS.filter((_, index) => installed[index]) : [],
    inContainer: kind !== 'none',
  };
}
