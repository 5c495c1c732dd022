/** The project's image, built from its Containerfile; the base images are made of the guests' root. */
import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { guestRoot } from '../systemd/guest-root.ts';
import type { Engine } from './engine.ts';

const run = promisify(execFile);

const project = fileURLToPath(new URL('../../', import.meta.url));

/** Contained in itself, which the npm of a distribution is not. */
const NPM = 'npm@11.6.2';

export const image = 'localhost/hostnode';

/** Builds it; what the build says. */
export async function buildImage(engine: Engine): Promise<string> {
  const base = 'localhost/hostnode-base';
  const builder = 'localhost/hostnode-builder';
  const archive = join(engine.folder, 'base.tar');
  await run('tar', ['-C', guestRoot(), '-cf', archive, '.']);
  await engine.do('podman', 'import', '-q', archive, base);
  const tools = await toolsFolder(engine.folder);
  const buildah = ['buildah', 'bud', '--isolation=chroot', '--format=docker', '--pull-never'] as const;
  await engine.do(...buildah, '-t', builder, '--build-arg', `BASE=${base}`, tools);
  return engine.do(
    ...buildah,
    ...(await npmOfThisMachine(engine.folder)),
    ...['--build-arg', `BUILD_IMAGE=${builder}`, '--build-arg', `RUN_IMAGE=${base}`, '-t', image, project],
  );
}

/** What stands for an image with Node and npm. */
async function toolsFolder(folder: string): Promise<string> {
  const tools = join(folder, 'tools');
  const bin = join(tools, 'local/bin');
  await mkdir(bin, { recursive: true });
  await run('npm', ['install', '--prefix', join(tools, 'local/lib'), '--no-save', '--prefer-offline', NPM]);
  await cp(process.execPath, join(bin, 'node'));
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(bin, 'npm'));
  await writeFile(join(tools, 'Containerfile'), 'ARG BASE\nFROM $BASE\nCOPY local /usr/local\n');
  return tools;
}

/** `npm ci` in the build takes the packages from where this machine takes them: mostly from its cache. */
async function npmOfThisMachine(folder: string): Promise<string[]> {
  const get = async (key: string) => (await run('npm', ['config', 'get', key])).stdout.trim();
  const [registry, cache, authorities] = [await get('registry'), await get('cache'), await get('cafile')];
  const authority = authorities === 'null' ? process.env.NODE_EXTRA_CA_CERTS : authorities;
  const settings = join(folder, 'npmrc');
  const lines = [`registry=${registry}`, 'cache=/npm-cache', 'prefer-offline=true'];
  const volumes = [`${settings}:/root/.npmrc:ro`, `${cache}:/npm-cache`];
  if (authority !== undefined) {
    lines.push('cafile=/npm-authority.pem');
    volumes.push(`${authority}:/npm-authority.pem:ro`);
  }
  await writeFile(settings, `${lines.join('\n')}\n`);
  return volumes.flatMap((volume) => ['--volume', volume]);
}
