/** The object storage on a port of its own: takes uploads to pre-signed URLs, and shows the icons of apps. */

import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { attempt } from '../base/errors.ts';
import { close, listen, portOf } from '../base/http.ts';
import { type CloudFaults, misbehave, STORAGE } from './fault.ts';
import { type Refusal, refusal, refusalOf, signedUrl } from './signature.ts';
import type { State } from './state.ts';

/** A URL is valid for so long. */
const EXPIRES_IN_SECONDS = 15 * 60;
/** S3 takes no larger object in one request. */
const LARGEST_OBJECT_BYTES = 5 * 1024 ** 3;

export interface StorageOptions {
  /** Where the files lie until they are parsed. */
  folder: string;
  secret: string;
  now(): number;
  state(): State;
  /** Is called after each change of the state. */
  changed(): void;
  readonly faults: CloudFaults;
}

export class ObjectStorage {
  readonly #options: StorageOptions;
  readonly #server: Server;

  constructor(options: StorageOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch(() => {
        if (response.headersSent || response.destroyed) response.destroy();
        else refuse(response, INTERNAL_ERROR);
      });
    });
    this.#server.requestTimeout = 0; // a large file over a slow line
  }

  async start(): Promise<void> {
    // of uploads during which an earlier run was killed
    for (const name of await readdir(this.#options.folder).catch(() => []))
      if (PART.test(name)) await rm(join(this.#options.folder, name), { force: true });
    await listen(this.#server, { port: 0, host: '127.0.0.1' });
  }

  get origin(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  signedUrl(appPath: string): string {
    const { secret, now } = this.#options;
    return signedUrl(this.origin, appPath, { secret, now: now(), expiresInSeconds: EXPIRES_IN_SECONDS });
  }

  iconUrl = (versionId: number): string => `${this.origin}/icons/${versionId}`;

  /** Where the file of an upload lies. */
  fileOf = (uploadId: number): string => join(this.#options.folder, String(uploadId));

  async close(): Promise<void> {
    await close(this.#server);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '/', this.origin);
    const key = url === null ? undefined : decoded(url.pathname.slice(1));
    if (url === null || key === undefined) return refuse(response, INVALID_URI);
    const fault = this.#options.faults.take(STORAGE);
    if (fault !== undefined && (await misbehave(fault, response))) return;
    if (request.method === 'PUT') return this.#put(url, key, request, response);
    const [, id] = /^\/icons\/(\d{1,15})$/.exec(url.pathname) ?? [];
    const icon = request.method === 'GET' ? this.#options.state().icons.get(Number(id)) : undefined;
    if (icon === undefined) return refuse(response, NO_SUCH_KEY);
    response.writeHead(200, { 'content-type': icon.type }).end(Buffer.from(icon.base64, 'base64'));
  }

  async #put(url: URL, key: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { secret, now, state, changed } = this.#options;
    const isMeant = ({ appPath }: { appPath: string }) => appPath === key;
    const refused =
      refusalOf(url, request.headers, secret, now()) ?? sizeRefusal(request.headers['content-length']);
    if (refused !== undefined) return refuse(response, refused);
    const upload = state().uploads.find(isMeant);
    if (upload === undefined) return refuse(response, NO_SUCH_KEY);
    // a sandbox without uploads leaves nothing behind, also if it is killed
    await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
    // the whole file, or none
    const part = `${this.fileOf(upload.id)}.part-${process.hrtime.bigint()}`;
    try {
      await pipeline(request, createWriteStream(part, { mode: 0o600 }));
      // after a reset its id may be another's
      const current = state().uploads.find(isMeant);
      if (current === undefined) return refuse(response, NO_SUCH_KEY);
      await rename(part, this.fileOf(current.id));
      state().uploads.put({ ...current, isReceived: true });
    } finally {
      await rm(part, { force: true });
    }
    changed();
    response.writeHead(200).end();
  }
}

/** Names of files that are not whole yet. */
const PART = /^\d+\.part-\d+$/;

const NO_SUCH_KEY = refusal(404, 'NoSuchKey', 'The specified key does not exist.');
const INVALID_URI = refusal(400, 'InvalidURI', "Couldn't parse the specified URI.");
const INTERNAL_ERROR = refusal(500, 'InternalError', 'We encountered an internal error. Please try again.');
const NO_LENGTH = refusal(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header.');
const TOO_LARGE = refusal(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');

/** Undefined if it is not encoded as a URL's path must be. */
const decoded = (path: string): string | undefined => attempt(() => decodeURIComponent(path));

function sizeRefusal(contentLength: string | undefined): Refusal | undefined {
  if (contentLength === undefined) return NO_LENGTH;
  return Number(contentLength) > LARGEST_OBJECT_BYTES ? TOO_LARGE : undefined;
}

function refuse(response: ServerResponse, { status, code, message }: Refusal): void {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml', connection: 'close' }).end(xml);
}
