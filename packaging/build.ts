/**
 * `npm run package`: makes the Debian package in dist/package. `-- --arch arm64`: for another architecture.
 * `-- --repository DIR --sign KEY`: makes the packages of all architectures, and a signed apt repository of them.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Architecture, architectureOf, architectures, demandStrip } from './architecture.ts';
import { buildPackage, sourceDate } from './package.ts';
import { buildRepository, demandKey, KEYRING } from './repository.ts';

const folder = fileURLToPath(new URL('../dist/package', import.meta.url));

try {
  const { values } = parseArgs({
    options: {
      arch: { type: 'string' },
      repository: { type: 'string' },
      sign: { type: 'string' },
    },
  });
  const { repository, arch, sign } = values;
  if (sign !== undefined && repository === undefined)
    throw new Error('--sign: only a repository is signed; give --repository DIR too');
  if (sign !== undefined) await demandKey(sign); // before minutes of building
  const isAll = repository !== undefined && arch === undefined;
  const wanted = isAll ? Object.values(architectures) : [architectureOf(arch ?? process.arch)];
  for (const each of wanted) await demandStrip(each); // all of them, before minutes of building
  const names = wanted.map(({ name }) => name);
  if (repository === undefined) for (const name of names) await packageFor(name);
  else await repositoryIn(resolve(repository), names, sign);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

async function packageFor(arch: string): Promise<string> {
  const path = await buildPackage({ folder, arch });
  process.stdout.write(`${path}: ${(statSync(path).size / 1e6).toFixed(1)} MB\n`);
  return path;
}

async function repositoryIn(
  target: string,
  names: readonly Architecture['name'][],
  key: string | undefined,
): Promise<void> {
  const packages: string[] = [];
  for (const name of names) packages.push(await packageFor(name));
  const date = sourceDate();
  await buildRepository({
    folder: target,
    packages,
    architectures: names,
    date,
    ...(key !== undefined && { key }),
  });
  const signed =
    key === undefined ? 'not signed: apt refuses it; give --sign KEY' : `signed; public key: ${KEYRING}`;
  process.stdout.write(`${target}: ${names.join(', ')}; ${signed}\n`);
}
