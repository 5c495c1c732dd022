/** Uploads the file of an app in three steps: get the address, send the file there, register it. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { hasCode } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import type { Operations } from './contract/index.ts';
import type { AnswerOf } from './contract/operation.ts';
import {
  CloudAnswerError,
  CloudArgumentError,
  CloudError,
  CloudUploadError,
  type UploadStep,
} from './errors.ts';
import type { Resources } from './request.ts';
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

export interface UploadOptions {
  /** The app that gets a new version; without it a new app is made. */
  appId?: number;
  /** Default: the name of the file. */
  filename?: string;
  onProgress?: (progress: UploadProgress) => void;
  /** Ends the upload, which then rejects with a `CloudUploadError`. */
  signal?: AbortSignal;
}

export interface UploaderOptions extends StorageOptions {
  /** For how long to repeat a step while it is unavailable, ms. */
  retryForMs: number;
  onRetry?: ((retry: Retry) => void) | undefined;
}

/** The size of a piece of the file, bytes. */
const PIECE_BYTES = 256 * 1024;

export class Uploader {
  readonly #client: Pick<Resources, 'apps'>;
  readonly #options: UploaderOptions;

  constructor(client: Pick<Resources, 'apps'>, options: UploaderOptions) {
    this.#client = client;
    this.#options = options;
  }

  /**
   * @param path of the file
   * @throws {CloudArgumentError} nothing was sent
   * @throws {CloudUploadError} a step failed
   */
  async upload(
    path: string,
    { appId, filename: ownName, onProgress, signal }: UploadOptions,
  ): Promise<AnswerOf<Operations['apps.create']>> {
    const { handle, sizeBytes, isUnchanged } = await openFile(path);
    const filename = ownName ?? basename(path);
    const call = signal && { signal };
    const { apps } = this.#client;
    let step: UploadStep = 'target';
    let appPath: string | undefined;
    const goTo = (next: UploadStep, sentBytes: number) => {
      step = next;
      onProgress?.(omitUndefined({ step, sentBytes, totalBytes: sizeBytes, appPath }));
    };
    try {
      goTo('target', 0);
      const answer = await apps.uploadUrl(omitUndefined({ filename, appId }), call);
      const target = targetOf(answer.url, this.#options);
      appPath = answer.appPath;
      const send = async () => {
        goTo('transfer', 0);
        const pieces = piecesOf(handle, sizeBytes, (sentBytes) => goTo('transfer', sentBytes));
        await transfer(target, pieces, sizeBytes, this.#options, signal);
      };
      const { retryForMs: forMs, onRetry } = this.#options;
      const ending = signal ?? new AbortController().signal;
      await withRetry(send, { signal: ending, forMs, ...(onRetry && { onRetry }) });
      if (!(await isUnchanged())) throw changed(path);
      goTo('register', sizeBytes);
      return await apps.create({ appPath, filename }, call);
    } catch (error) {
      if (error instanceof CloudArgumentError && step === 'target') throw error;
      if (!(error instanceof CloudError || signal?.aborted)) throw error;
      throw uploadError(step, error, appPath);
    } finally {
      await handle.close();
    }
  }
}

interface OpenFile {
  handle: FileHandle;
  sizeBytes: number;
  /** Is the file still as it was when it was opened? */
  isUnchanged: () => Promise<boolean>;
}

async function openFile(path: string): Promise<OpenFile> {
  if (typeof path !== 'string')
    throw new CloudArgumentError('uploadApp', ['file: must be the path of a file']);
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
  const isUnchanged = async () => {
    const now = await handle.stat();
    return now.size === stat.size && now.mtimeMs === stat.mtimeMs;
  };
  return { handle, sizeBytes: stat.size, isUnchanged };
}

/** The file in pieces, each read into the same memory when the one before was taken. */
async function* piecesOf(
  handle: FileHandle,
  sizeBytes: number,
  onSent: (sentBytes: number) => void,
): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = 0; at < sizeBytes; ) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(PIECE_BYTES, sizeBytes - at), at);
    if (bytesRead === 0) throw changed('the file');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
    onSent(at);
  }
}

const changed = (path: string) =>
  new CloudAnswerError('it was changed while it was sent', { request: printable(path, 300) });

function uploadError(step: UploadStep, error: unknown, appPath: string | undefined): CloudUploadError {
  const cause = error instanceof CloudError ? error : undefined;
  const { operation, status, retryAfterMs } = cause ?? {};
  const about = omitUndefined({ operation, status, retryAfterMs });
  const why = cause?.message ?? 'ended by its signal';
  return new CloudUploadError(
    `${NAMES[step]}: ${why}`,
    { request: 'uploadApp', ...about, step, appPath, leftBehind: leftBehind(step, appPath, cause) },
    { cause: error },
  );
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
