/** A folder that stands for the root of a host's file system. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * @param files text by path
 * @param links target by path
 * @returns its path, with a slash at its end
 */
export async function hostTree(
  files: Record<string, string>,
  links: Record<string, string> = {},
): Promise<string> {
  const root = `${await mkdtemp(join(tmpdir(), 'hostnode-doctor-'))}/`;
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  for (const [path, target] of Object.entries(links)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await symlink(target, join(root, path));
  }
  return root;
}

/** The users and groups of a lab's host. */
export const accountFiles = {
  'etc/passwd':
    'root:x:0:0:root:/root:/bin/bash\nhostnode:x:998:998::/var/lib/hostnode:/usr/sbin/nologin\nhostnode-adb:x:997:997::/var/lib/hostnode-adb:/usr/sbin/nologin\nanna:x:1000:1000::/home/anna:/bin/bash\n',
  'etc/group': 'root:x:0:\nplugdev:x:46:anna\nhostnode:x:998:\n',
};
