/** Puts the package's files into a folder that mirrors / of a host. */
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type Architecture, nodeFor } from './architecture.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { bundledPackages, licenceTexts, type Metafile } from './bundled.ts';
import { readCommands } from './command-help.ts';
import { bashCompletion, fishCompletion, zshCompletion } from './completion.ts';
import { debianChangelog } from './control.ts';
import { manual } from './manual.ts';

const run = promisify(execFile);

export const PROGRAM = 'usr/lib/hostnode';
const DOC = 'usr/share/doc/hostnode';

/** Source files that the package installs unchanged. */
const COPIED: readonly (readonly [source: string, target: string, mode?: number])[] = [
  ['systemd/adb-server', `${PROGRAM}/adb-server`, 0o755],
  ['systemd/hostnode.service', 'usr/lib/systemd/system/hostnode.service'],
  ['systemd/hostnode-adb.service', 'usr/lib/systemd/system/hostnode-adb.service'],
  ['systemd/hostnode.sysusers', 'usr/lib/sysusers.d/hostnode.conf'],
  ['systemd/72-hostnode.rules', 'usr/lib/udev/rules.d/72-hostnode.rules'],
  ['config/hostnode.yaml', 'usr/share/hostnode/hostnode.yaml'], // postinst copies it
  ['packaging/debian/conf.d.README', 'etc/hostnode/conf.d/README'],
  ['config/hostnode.schema.json', 'usr/share/hostnode/hostnode.schema.json'],
  ['packaging/debian/hostnode', 'usr/bin/hostnode', 0o755],
  ['packaging/debian/copyright', `${DOC}/copyright`],
  ['packaging/debian/lintian-overrides', 'usr/share/lintian/overrides/hostnode'],
];

interface StageOptions {
  /** Of the sources. */
  readonly root: string;
  /** Target folder. */
  readonly folder: string;
  /** Folder for temporary files. */
  readonly work: string;
  readonly architecture: Architecture;
  /** In Debian's form. */
  readonly version: string;
  /** Of the sources. */
  readonly date: Date;
}

export async function stage({
  root,
  folder,
  work,
  architecture,
  version,
  date,
}: StageOptions): Promise<void> {
  const put = async (path: string, contents: string | Buffer, mode = 0o644) => {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, contents);
    await chmod(target, mode);
  };
  const putPacked = (path: string, contents: string | Buffer) =>
    put(`${path}.gz`, gzipSync(contents, { level: 9 }));
  const source = (path: string) => readFile(join(root, path));

  const metafile = join(work, 'metafile.json');
  await run(process.execPath, [join(root, 'packaging/bundle.ts'), join(work, 'dist'), metafile], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(date.getTime() / 1000) },
  });
  await cp(join(work, 'dist'), join(folder, PROGRAM), { recursive: true });
  // /usr/bin/hostnode starts it with the bundled Node, never with the host's
  const program = await readFile(join(work, 'dist/hostnode.cjs'), 'utf8');
  await put(`${PROGRAM}/hostnode.cjs`, program.replace(/^#!.*\n/, ''));

  const node = await nodeFor(architecture, root, join(work, 'node'));
  await cp(join(node.folder, 'bin/node'), join(folder, PROGRAM, 'node'));
  await run(architecture.strip, [join(folder, PROGRAM, 'node')]);

  for (const [from, to, mode] of COPIED) await put(to, await source(from), mode);
  await symlink(
    '/usr/share/hostnode/hostnode.schema.json',
    join(folder, 'etc/hostnode/hostnode.schema.json'),
  );

  const commands = await readCommands(process.execPath, join(work, 'dist/hostnode.cjs'));
  await putPacked('usr/share/man/man1/hostnode.1', manual(commands, version, date));
  await put('usr/share/bash-completion/completions/hostnode', bashCompletion(commands));
  await put('usr/share/zsh/vendor-completions/_hostnode', zshCompletion(commands));
  await put('usr/share/fish/vendor_completions.d/hostnode.fish', fishCompletion(commands));

  const bundled = bundledPackages(root, JSON.parse(await readFile(metafile, 'utf8')) as Metafile);
  await put(`${DOC}/hostnode.cdx.json`, billOfMaterials({ version, date, bundled, node: node.locked }));
  await putPacked(`${DOC}/bundled-licences`, licenceTexts(root, bundled));
  await putPacked(`${DOC}/node-licence`, await readFile(join(node.folder, 'LICENSE')));
  await putPacked(`${DOC}/changelog`, debianChangelog(version, date));
  await putPacked(`${DOC}/CHANGELOG.md`, await source('CHANGELOG.md'));
  for (const path of await documents(root)) await put(`${DOC}/${path}`, await source(path));
}

/** README.md and all pages that it and docs/ link to, at the same relative paths, so that the links work. */
async function documents(root: string): Promise<string[]> {
  const below = async (folder: string) => {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  };
  const found = await Promise.all(['docs', 'config', 'systemd'].map(below));
  return ['README.md', ...found.flat().map((path) => relative(root, path))];
}
