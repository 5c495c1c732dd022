/** Uploads the file of an app in three steps: get the address, send the file there, register it. */
import { openAsBlob } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import {
  CloudAnswerError,
  CloudArgumentError,
  CloudError,
  CloudUploadError,
  type UploadStep,
} from './errors.ts';
import type { Calls, Resources } from './resources.ts';
import { type Retry, withRetry } from './retry.ts';
import { type StorageOptions, targetOf, transfer } from './storage.ts';

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

export interface UploaderOptions extends StorageOptions {
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

async function sourceOf(given: AppFile, { filename, sizeBytes }: UploadOptions): Promise<Source> {
  const refuse = (problem: string) => new CloudArgumentError('uploadApp', [problem]);
  const isPath = typeof given === 'string';
  const file = isPath ? await openFile(given) : given;
  const isBlob = file instanceof Blob;
  const isBytes = file instanceof Uint8Array;
  if (!isBlob && !isBytes && !(typeof file === 'object' && Symbol.asyncIterator in (file ?? {})))
    throw refuse('file: must be the path of a file, a Blob, a Buffer or a stream');
  const ownName = isPath ? basename(given) : isBlob && 'name' in file ? String(file.name) : undefined;
  const name = filename ?? ownName;
  if (name === undefined) throw refuse('filename is missing: the file has no name of its own');
  const bytes = isBlob ? file.size : isBytes ? file.byteLength : sizeBytes;
  if (bytes === undefined) throw refuse('sizeBytes is missing: a stream does not say how long it is');
  if (bytes === 0) throw refuse(isPath ? `${printable(given, 300)}: is empty` : 'file: is empty');
  return {
    name: isPath ? given : 'the file',
    filename: name,
    sizeBytes: bytes,
    pieces: () => (isBlob ? file.stream() : isBytes ? slices(file) : file),
    isRepeatable: isBlob || isBytes,
  };
}

async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

/** A file that Node reads piece by piece, and no further once it was changed. */
async function openFile(path: string): Promise<Blob> {
  const refuse = (why: string) => new CloudArgumentError('uploadApp', [`${printable(path, 300)}: ${why}`]);
  const stats = await stat(path)
    .then((found) => access(path, constants.R_OK).then(() => found))
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw refuse('there is no such file');
      throw refuse(`cannot be read (${error.message.split(',', 1)[0]})`);
    });
  if (stats.isDirectory()) throw refuse('is a directory: give the file of an app');
  if (!stats.isFile()) throw refuse('is not a regular file'); // a pipe would wait for its writer
  return openAsBlob(path);
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
