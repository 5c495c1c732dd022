/**
 * The thread that reads uploaded Android packages: manifest, label and icon. Everything in them is a stranger's, and is
 * bounded; one that never ends, or takes all memory, costs only this thread. Bundled as apk-worker.cjs.
 */

import type { Buffer } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import { parentPort, workerData } from 'node:worker_threads';
import { Manifest } from 'node-apk/build/lib/android.js';
import { Resources } from 'node-apk/build/lib/resources.js';
import source from 'node-apk/build/lib/source.js';
import xml from 'node-apk/build/lib/xml.js';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { attempt } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Icon, ParsedApp } from './state.ts';

// CommonJS with a default export in it
const { default: Source } = source;
const { default: XmlElement } = xml;

const MIB = 1024 * 1024;
const LIMITS = { manifestBytes: 4 * MIB, resourcesBytes: 32 * MIB, iconBytes: MIB, entries: 200_000 };
const LONGEST_TEXT = 500;

export interface ReadApk {
  readonly app: ParsedApp;
  readonly icon?: Icon;
}

/** @throws {Error} it is no Android package, or one of its parts is too large */
async function readApk(file: string): Promise<ReadApk> {
  const zip = await openPromise(file, { autoClose: false });
  try {
    const entries = await entriesOf(zip);
    const read = async (name: string, limitBytes: number): Promise<Buffer | undefined> => {
      const entry = entries.get(name);
      if (entry === undefined) return undefined;
      if (entry.uncompressedSize > limitBytes) throw new Error(`${name} is too large`);
      // yauzl ends a stream that gets longer than it is said to be
      return buffer(await zip.openReadStreamPromise(entry));
    };
    const manifestBytes = await read('AndroidManifest.xml', LIMITS.manifestBytes);
    if (manifestBytes === undefined) throw new Error('it has no AndroidManifest.xml');
    const manifest = new Manifest(new XmlElement(new Source(manifestBytes)));
    const name = textOf(manifest.package);
    if (name === undefined) throw new Error('its manifest names no package');
    const resourceBytes = await read('resources.arsc', LIMITS.resourcesBytes);
    const resolve = resolverOf(resourceBytes);
    const icon = resolve(manifest.applicationIcon).findLast((path) => /\.(png|webp)$/.test(path));
    const app: ParsedApp = omitUndefined({
      package: name,
      versionName: resolve(manifest.versionName)[0],
      label: resolve(manifest.applicationLabel)[0],
      icon,
    });
    const iconBytes =
      icon === undefined ? undefined : await read(icon, LIMITS.iconBytes).catch(() => undefined);
    if (icon === undefined || iconBytes === undefined) return { app };
    const type = icon.endsWith('.png') ? 'image/png' : 'image/webp';
    return { app, icon: { type, base64: iconBytes.toString('base64') } };
  } finally {
    zip.close();
  }
}

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > LIMITS.entries) throw new Error('it has too many entries');
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  return entries;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, LONGEST_TEXT) : undefined;

/** The texts that a value of the manifest stands for: itself, or what the resources have for it. */
function resolverOf(bytes: Buffer | undefined): (value: unknown) => string[] {
  // some kinds of packages have them in a form that the reader does not know
  const resources = attempt(() => bytes && new Resources(new Source(bytes)));
  return (value) => {
    const found = typeof value === 'number' ? (resources?.resolve(value) ?? []) : [{ value }];
    const isForOne = (each: { locale?: unknown }) => Number(each.locale !== undefined);
    // the texts for all languages first
    const texts = found.toSorted((one, other) => isForOne(one) - isForOne(other));
    return texts.flatMap((each) => textOf(each.value) ?? []);
  };
}

// what it throws ends the thread
readApk(workerData).then((read) => parentPort?.postMessage(read));
