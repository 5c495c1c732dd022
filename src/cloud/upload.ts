/**
 * Uploads the file of an app in three steps: get the address, send the file there, register it. The object storage that takes
 * the file is no part of the API, and gets no credentials.
 */
import type { Stats } from 'node:fs';
import { access, constants, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as tls from 'node:tls'; // by name it would break an old Node before that is told so
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import {
  CloudAnswerError,
  CloudArgumentError,
  CloudError,
  CloudRedirectError,
  CloudUploadError,
  type UploadStep,
} from './errors.ts';
import { classOf } from './failure.ts';
import { Http, type HttpOptions } from './http.ts';
import { LONGEST_MESSAGE, redactor, shown } from './redaction.ts';
import type { Calls, Resources } from './resources.ts';
import { type Retry, withRetry } from './retry.ts';

export interface UploadProgress {
  /** What is being done now. */
  readonly step: UploadStep;
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** The file's key in the object storage, once it is known. */
  readonly appPath?: string;
}

/** The path of a file, or what is in it. */
export type AppFile = string | Blob | Uint8Array | AsyncIterable<Uint8Array>;

export interface UploadOptions {
  /** The app that gets a new version; without it a new app is made. */
  appId?: number | undefined;
  /** Default: the name of the file. What has no name needs it. */
  filename?: string | undefined;
  /** Of a stream. */
  sizeBytes?: number | undefined;
  onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Ends the upload, which then rejects with a `CloudUploadError`. */
  signal?: AbortSignal | undefined;
}

export interface UploaderOptions extends Omit<HttpOptions, 'protocol'> {
  /** The v1 root: only where it is http://, the storage may be. */
  baseUrl: string;
  /** The vendor's part of the storage's headers, where the URL does not show it. */
  storageVendor?: string | undefined;
  /** For how long to repeat a step while it is unavailable, ms. */
  retryForMs: number;
  onRetry?: ((retry: Retry) => void) | undefined;
}

/** The size of a piece of the file, bytes. */
const PIECE_BYTES = 256 * 1024;

/**
 * @throws {CloudArgumentError} nothing was sent
 * @throws {CloudUploadError} a step failed
 */
export async function upload(
  { apps }: Pick<Resources, 'apps'>,
  file: AppFile,
  options: UploadOptions,
  uploader: UploaderOptions,
): ReturnType<Calls['apps.create']> {
  const { appId, onProgress, signal } = options;
  const source = await sourceOf(file, options);
  const { filename, sizeBytes } = source;
  let step: UploadStep = 'target';
  let appPath: string | undefined;
  const goTo = (next: UploadStep, sentBytes: number) => {
    step = next;
    onProgress?.(omitUndefined({ step, sentBytes, totalBytes: sizeBytes, appPath }));
  };
  try {
    goTo('target', 0);
    const answer = await apps.uploadUrl(omitUndefined({ filename, appId }), { signal });
    const target = targetOf(answer.url, uploader);
    appPath = answer.appPath;
    const send = async () => {
      goTo('transfer', 0);
      const pieces = counted(source, (sentBytes) => goTo('transfer', sentBytes));
      await transfer(target, pieces, sizeBytes, uploader, signal);
    };
    const forMs = source.isRepeatable ? uploader.retryForMs : 0;
    await withRetry(send, { signal, forMs, onRetry: uploader.onRetry });
    goTo('register', sizeBytes);
    return await apps.create({ appPath, filename }, { signal });
  } catch (error) {
    if (error instanceof CloudArgumentError && step === 'target') throw error;
    if (!(error instanceof CloudError || signal?.aborted)) throw error;
    throw uploadError(step, error, appPath);
  }
}

interface Source {
  /** For messages. */
  name: string;
  filename: string;
  sizeBytes: number;
  pieces: () => AsyncIterable<Uint8Array>;
  /** `pieces` may be called again. */
  isRepeatable: boolean;
}

async function sourceOf(file: AppFile, { filename, sizeBytes }: UploadOptions): Promise<Source> {
  const refuse = (problem: string) => new CloudArgumentError('uploadApp', [problem]);
  const isPath = typeof file === 'string';
  const stats = isPath ? await statsOf(file) : undefined;
  const isBlob = file instanceof Blob;
  const isBytes = file instanceof Uint8Array;
  if (!isPath && !isBlob && !isBytes && !(typeof file === 'object' && Symbol.asyncIterator in (file ?? {})))
    throw refuse('file: must be the path of a file, a Blob, a Buffer or a stream');
  const ownName = isPath ? basename(file) : isBlob && 'name' in file ? String(file.name) : undefined;
  const name = filename ?? ownName;
  if (name === undefined) throw refuse('filename is missing: the file has no name of its own');
  const bytes = stats?.size ?? (isBlob ? file.size : isBytes ? file.byteLength : sizeBytes);
  if (bytes === undefined) throw refuse('sizeBytes is missing: a stream does not say how long it is');
  if (bytes === 0) throw refuse(isPath ? `${printable(file, 300)}: is empty` : 'file: is empty');
  return {
    name: isPath ? file : 'the file',
    filename: name,
    sizeBytes: bytes,
    pieces: () =>
      isPath ? read(file, bytes, stats?.mtimeMs) : isBlob ? file.stream() : isBytes ? slices(file) : file,
    isRepeatable: isPath || isBlob || isBytes,
  };
}

async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

/**
 * Each piece into the same memory, when the one before was sent: a Blob of the file, or a stream of it, leaves 60 MB to be
 * collected.
 */
async function* read(path: string, size: number, mtimeMs?: number): AsyncGenerator<Buffer> {
  await using file = await open(path).catch(() => Promise.reject(changed(path)));
  const memory = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(memory, 0, PIECE_BYTES, at);
    if (bytesRead === 0 || (await file.stat()).mtimeMs !== mtimeMs) throw changed(path);
    yield memory.subarray(0, bytesRead);
    at += bytesRead;
  }
}

async function statsOf(path: string): Promise<Stats> {
  const refuse = (why: string) => new CloudArgumentError('uploadApp', [`${printable(path, 300)}: ${why}`]);
  const stats = await stat(path)
    .then((found) => access(path, constants.R_OK).then(() => found))
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw refuse('there is no such file');
      throw refuse(`cannot be read (${error.message.split(',', 1)[0]})`);
    });
  if (stats.isDirectory()) throw refuse('is a directory: give the file of an app');
  if (!stats.isFile()) throw refuse('is not a regular file'); // a pipe would wait for its writer
  return stats;
}

/** The pieces as buffers. A source of another size than it said is one that was changed. */
async function* counted(
  { name, pieces, sizeBytes }: Source,
  onSent: (sentBytes: number) => void,
): AsyncGenerator<Buffer> {
  let sent = 0;
  try {
    for await (const piece of pieces()) {
      if (sent + piece.byteLength > sizeBytes) throw changed(name);
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
      sent += piece.byteLength;
      onSent(sent);
    }
  } catch (error) {
    // what Node says of the file of a Blob that is no longer the same
    throw error instanceof DOMException && error.name === 'NotReadableError' ? changed(name) : error;
  }
  if (sent < sizeBytes) throw changed(name);
}

const changed = (path: string) =>
  new CloudAnswerError('it was changed while it was sent', { request: printable(path, 300) });

const NAMES: Readonly<Record<UploadStep, string>> = {
  target: 'step 1 of 3, get the upload URL',
  transfer: 'step 2 of 3, send the file',
  register: 'step 3 of 3, register the file',
};

function uploadError(step: UploadStep, error: unknown, appPath: string | undefined): CloudUploadError {
  const cause = error instanceof CloudError ? error : undefined;
  const { operation, status, retryAfterMs } = cause ?? {};
  const about = omitUndefined({ request: 'uploadApp', operation, status, retryAfterMs });
  const key = JSON.stringify(printable(appPath ?? '', 300));
  const unregistered = isRefusal(cause)
    ? `The storage has the file as ${key}, but it is not registered: apps.create does that`
    : `The storage has the file as ${key}; whether it was registered is not known: see apps.list`;
  const leftBehind = {
    target: 'Nothing was uploaded or registered',
    transfer: `No app was registered; the storage may have the file, or a part of it, as ${key}`,
    register: unregistered,
  }[step];
  const message = `${NAMES[step]}: ${cause?.message ?? 'ended by its signal'}`;
  return new CloudUploadError(message, { ...about, step, appPath, leftBehind }, { cause: error });
}

/** Did the cloud surely not do what it was asked for? A gateway's 504 does not say that. */
const isRefusal = (error: CloudError | undefined): boolean =>
  error?.status !== undefined && error.status >= 300 && error.status < 500 && error.status !== 408;

const LARGEST_ANSWER_BYTES = 64 * 1024;
/** Shorter parts of an address are words, characters. */
const SHORTEST_SECRET = 6;
/** Servers take a request line of about 8 KiB. */
const LONGEST_URL = 16 * 1024;

/**
 * The target that the cloud's answer names, and the header that goes with it. Never put its URL into a message: whoever has it can upload.
 *
 * @throws {CloudAnswerError} we do not send a file there
 */
function targetOf(address: string, { baseUrl, storageVendor }: UploaderOptions) {
  const refuse = (why: string) => new CloudAnswerError(why, { request: 'the upload URL' });
  const url = URL.parse(address);
  const isPlain = url?.protocol === 'http:' && baseUrl.startsWith('http:');
  if (address.length > LONGEST_URL) throw refuse(`it is longer than ${LONGEST_URL} characters`);
  if (url === null || (url.protocol !== 'https:' && !isPlain)) throw refuse('it is no https:// address');
  if (url.username !== '' || url.password !== '') throw refuse('it has a user or a password in it');
  const vendor = vendorOf(url) ?? storageVendor;
  if (vendor === undefined)
    throw refuse('it does not show the vendor of the storage; set storageVendor (cloud.storageVendor)');
  return { url, taggingHeader: `x-${vendor.toLowerCase()}-tagging` };
}

/** The vendor in `X-<Vendor>-SignedHeaders=…;x-<vendor>-tagging`, else in the name `X-<Vendor>-Signature`. */
function vendorOf({ searchParams }: URL): string | undefined {
  const signed = [...searchParams].filter(([name]) => /^x-[a-z\d]+-signedheaders$/i.test(name));
  const headers = signed.flatMap(([, value]) => value.split(';'));
  const names = [...searchParams.keys()];
  return (
    firstGroup(headers, /^x-([a-z\d]{1,40})-tagging$/i) ?? firstGroup(names, /^x-([a-z\d]{1,40})-signature$/i)
  );
}

const firstGroup = (texts: readonly string[], pattern: RegExp): string | undefined =>
  texts.flatMap((text) => pattern.exec(text)?.[1] ?? [])[0];

/**
 * Sends the file. Follows no redirect.
 *
 * @throws {CloudError} its message names the storage's host only; or the signal's reason
 */
async function transfer(
  { url, taggingHeader }: ReturnType<typeof targetOf>,
  body: AsyncIterable<Buffer>,
  sizeBytes: number,
  { ca, ...options }: UploaderOptions,
  signal?: AbortSignal,
): Promise<void> {
  const requested = { request: `PUT ${printable(url.origin, 300)}` };
  // the storage has its own certificate: the API's CA comes beside the usual ones
  const trusted = ca === undefined ? {} : { ca: [ca, ...tls.getCACertificates('default')].join('\n') };
  const http = new Http({}, { ...options, protocol: url.protocol, ...trusted });
  const headers = {
    'content-type': 'application/octet-stream',
    'content-length': String(sizeBytes),
    [taggingHeader]: 'unsaved=true',
  };
  try {
    const { status, text, isSent } = await http.send({
      ...{ method: 'PUT', url, requested, headers, body, isIdempotent: true },
      ...(signal && { signal }),
      largestAnswerBytes: LARGEST_ANSWER_BYTES,
    });
    if (status >= 200 && status < 300) {
      if (isSent) return;
      throw new CloudAnswerError(`${status} before the whole file was sent`, { ...requested, status });
    }
    if (status < 400)
      throw new CloudRedirectError(`${status}: redirects are not followed`, { ...requested, status });
    const parts = [url.search.slice(1), url.pathname, ...url.searchParams.values()];
    const redact = redactor(parts.filter((part) => part.length >= SHORTEST_SECRET));
    const said = shown(reasonIn(text), redact, LONGEST_MESSAGE) || undefined;
    const about = omitUndefined({ ...requested, status, said, remedy: remedyOf(status) });
    throw new (classOf(status))(`${status}`, about);
  } finally {
    http.close();
  }
}

/** What an S3-like storage says in XML: its code and message. The rest of its answer quotes the signature. */
const reasonIn = (xml: string): string =>
  [/<Code>([^<]{1,200})<\/Code>/, /<Message>([^<]{1,200})<\/Message>/]
    .flatMap((part) => part.exec(xml)?.[1] ?? [])
    .join(': ');

function remedyOf(status: number): string {
  if (status === 413) return 'the file is too large for the storage';
  if (status >= 500 || status === 429 || status === 408) return 'the storage cannot answer now';
  return 'the storage did not accept the upload URL; it may have expired: try again';
}
