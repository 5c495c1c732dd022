/**
 * Writes what the image has beside the bundles, into a folder: the bill of materials, the licences of what is bundled, and
 * Node's. Run by the Containerfile: `node packaging/image.ts METAFILE FOLDER`, the first from packaging/bundle.ts.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { architectureOf, nodeFor } from './architecture.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { bundledPackages, licenceTexts } from './bundled.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const [, , metafile = '', folder = ''] = process.argv;
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const bundled = bundledPackages(root, JSON.parse(readFileSync(metafile, 'utf8')));
const node = await nodeFor(architectureOf(process.arch), root, folder);

mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/hostnode.cdx.json`, billOfMaterials({ version, bundled, node: node.locked }));
writeFileSync(`${folder}/bundled-licences`, licenceTexts(root, bundled));
writeFileSync(`${folder}/node-licence`, readFileSync(`${node.folder}/LICENSE`));
