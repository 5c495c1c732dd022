/** `npm run package`: makes the Debian package in dist/package. `-- --arch arm64`: for another architecture. */
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildPackage } from './package.ts';

const { values } = parseArgs({ options: { arch: { type: 'string', default: process.arch } } });

const folder = fileURLToPath(new URL('../dist/package', import.meta.url));
const path = await buildPackage({ folder, ...values });
process.stdout.write(`${path}: ${(statSync(path).size / 1e6).toFixed(1)} MB\n`);
