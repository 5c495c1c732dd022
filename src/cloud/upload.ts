/** Uploads the file of an app in three steps: get the address, send the file there, register it. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { hasCode } from '../base/errors.ts';
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
      const pieces = counted(source.pieces(), sizeBytes, (sentBytes) => goTo('transfer', sentBytes));
      await transfer(target, pieces, sizeBytes, uploader, signal);
    };
    const forMs = source.isRepeatable ? uploader.retryForMs : 0;
    await withRetry(send, { signal, forMs, onRetry: uploader.onRetry });
    await source.check?.();
    goTo('register', sizeBytes);
    return await apps.create({ appPath, filename }, { signal });
  } catch (error) {
    if (error instanceof CloudArgumentError && step === 'target') throw error;
    if (!(error instanceof CloudError || signal?.aborted)) throw error;
    throw uploadError(step, error, appPath);
  } finally {
    await source.close?.();
  }
}

/** What is sent. */
interface Source {
  filename: string;
  sizeBytes: number;
  pieces: () => AsyncIterable<Uint8Array>;
  /** `pieces` may be called again. */
  isRepeatable: boolean;
  /** Throws if it is no longer as it was at the beginning. */
  check?: () => Promise<void>;
  close?: () => Promise<void>;
}

async function sourceOf(file: AppFile, { filename, sizeBytes }: UploadOptions): Promise<Source> {
  if (typeof file === 'string') return openFile(file, filename);
  const refuse = (problem: string) => new CloudArgumentError('uploadApp', [problem]);
  const isBlob = file instanceof Blob;
  const isBytes = file instanceof Uint8Array;
  if (!isBlob && !isBytes && !(typeof file === 'object' && Symbol.asyncIterator in (file ?? {})))
    throw refuse('file: must be the path of a file, a Blob, a Buffer or a stream');
  const name = filename ?? (isBlob && 'name' in file ? String(file.name) : undefined);
  if (name === undefined) throw refuse('filename is missing: the file has no name of its own');
  const bytes = isBlob ? file.size : isBytes ? file.byteLength : sizeBytes;
  if (bytes === undefined) throw refuse('sizeBytes is missing: a stream does not say how long it is');
  if (bytes === 0) throw refuse('file: is empty');
  const pieces = () => (isBlob ? file.stream() : isBytes ? slices(file) : file);
  return { filename: name, sizeBytes: bytes, pieces, isRepeatable: isBlob || isBytes };
}

async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

async function openFile(path: string, filename = basename(path)): Promise<Source> {
  const refuse = (why: string) => new CloudArgumentError('uploadApp', [`${printable(path, 300)}: ${why}`]);
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK); // a pipe would wait for its writer
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw refuse('there is no such file');
    throw refuse(`cannot be read (${error instanceof Error ? error.message.split(',', 1)[0] : error})`);
  }
  const stat = await handle.stat();
  const wrong = stat.isDirectory()
    ? 'is a directory: give the file of an app'
    : !stat.isFile()
      ? 'is not a regular file'
      : stat.size === 0
        ? 'is empty'
        : undefined;
  if (wrong !== undefined) {
    await handle.close();
    throw refuse(wrong);
  }
  const sizeBytes = stat.size;
  return {
    filename,
    sizeBytes,
    pieces: () => piecesOf(handle, sizeBytes),
    isRepeatable: true,
    async check() {
      const now = await handle.stat();
      if (now.size !== sizeBytes || now.mtimeMs !== stat.mtimeMs) throw changed(path);
    },
    close: () => handle.close(),
  };
}

/** The file in pieces, each read into the same memory when the one before was taken. */
async function* piecesOf(handle: FileHandle, sizeBytes: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = 0; at < sizeBytes; ) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(PIECE_BYTES, sizeBytes - at), at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** The pieces as buffers. A source of another size than it said is one that was changed. */
async function* counted(
  pieces: AsyncIterable<Uint8Array>,
  sizeBytes: number,
  onSent: (sentBytes: number) => void,
): AsyncGenerator<Buffer> {
  let sent = 0;
  for await (const piece of pieces) {
    if (sent + piece.byteLength > sizeBytes) throw changed('the file');
    yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    sent += piece.byteLength;
    onSent(sent);
  }
  if (sent < sizeBytes) throw changed('the file');
}

const changed = (path: string) =>
  new CloudAnswerError('it was changed while it was sent', { request: printable(path, 300) });

function uploadError(step: UploadStep, error: unknown, appPath: string | undefined): CloudUploadError {
  const cause = error instanceof CloudError ? error : undefined;
  const { operation, status, retryAfterMs } = cause ?? {};
  const about = omitUndefined({ request: 'uploadApp', operation, status, retryAfterMs });
  const what = { step, appPath, leftBehind: leftBehind(step, appPath, cause) };
  const why = cause?.message ?? 'ended by its signal';
  return new CloudUploadError(`${NAMES[step]}: ${why}`, { ...about, ...what }, { cause: error });
}

const NAMES: Readonly<Record<UploadStep, string>> = {
  target: 'step 1 of 3, get the upload URL',
  transfer: 'step 2 of 3, send the file',
  register: 'step 3 of 3, register the file',
};

function leftBehind(step: UploadStep, appPath = '', error?: CloudError): string {
  const key = JSON.stringify(printable(appPath, 300));
  if (step === 'target') return 'Nothing was uploaded or registered';
  if (step === 'transfer')
    return `No app was registered; the storage may have the file, or a part of it, as ${key}`;
  return isRefusal(error)
    ? `The storage has the file as ${key}, but it is not registered: apps.create does that`
    : `The storage has the file as ${key}; whether it was registered is not known: see apps.list`;
}

/** Did the cloud surely not do what it was asked for? A gateway's 504 does not say that. */
const isRefusal = (error: CloudError | undefined): boolean =>
  error?.status !== undefined && error.status >= 300 && error.status < 500 && error.status !== 408;
