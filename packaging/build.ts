/**
 * `npm run package`: makes the Debian package in dist/package. `-- --arch arm64`: for another architecture.
 * `-- --repository DIR --sign KEY`: makes the packages of all architectures, and a signed apt repository of them.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { architectures } from './architecture.ts';
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
  if (repository === undefined) await packageFor(arch ?? process.arch);
  else
    await repositoryIn(resolve(repository), arch === undefined ? Object.keys(architectures) : [arch], sign);
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
  archs: readonly string[],
  key: string | undefined,
): Promise<void> {
  const packages: string[] = [];
  for (const arch of archs) packages.push(await packageFor(arch));
  const names = archs.flatMap((arch) => architectures[arch]?.name ?? []);
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
