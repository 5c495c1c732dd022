/** What a guest sees below /src: the lab of the tests, and what is to be installed. */
import { cp, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { bundleLab } from '../support/bundle-lab.ts';
import { linkOrCopy } from '../support/link-or-copy.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const COPIED = ['README.md', 'CHANGELOG.md', 'LICENSE', 'config', 'systemd'];

/** Where the rig's phones are beside it. */
export const LAB = 'test/rig/lab.mjs';

/** A folder with the lab's program alone, a Node to run it, and its phones. */
export async function prepareLab(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hostnode-systemd-'));
  await Promise.all([
    linkOrCopy(process.execPath, join(folder, 'node')),
    ...['test/rig/phones', 'test/fixtures'].map((name) =>
      cp(join(root, name), join(folder, name), { recursive: true }),
    ),
    bundleLab(join(folder, LAB)),
  ]);
  return folder;
}

/** The same with what the guide wants: a checkout after `npm ci && npm run build`. */
export async function prepareSources(): Promise<string> {
  const folder = await prepareLab();
  const node = join(folder, 'node_modules/.bin/node');
  await mkdir(dirname(node), { recursive: true });
  await Promise.all([
    linkOrCopy(process.execPath, node),
    cp(inject('programFolder'), join(folder, 'dist'), { recursive: true }),
    ...COPIED.map((name) => cp(join(root, name), join(folder, name), { recursive: true })),
  ]);
  return folder;
}
