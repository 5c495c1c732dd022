/**
 * The object storage on a port of its own: takes uploads to pre-signed URLs, and shows the icons of apps. The URLs have the
 * form of S3's, signed by one HMAC of all that a request must not change.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { attempt } from '../base/errors.ts';
import { close, listen, portOf } from '../base/http.ts';
import { type CloudFaults, misbehave, STORAGE } from './fault.ts';
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

const TAGGING_HEADER = 'x-amz-tagging';
const TAGGING = 'unsaved=true';

/** Why the storage does not accept a request, in S3's words. */
interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

const refusal = (status: number, code: string, message: string): Refusal => ({ status, code, message });

function signatureOf(secret: string, { host, pathname, searchParams }: URL, tagging: string): Buffer {
  const times = ['X-Amz-Date', 'X-Amz-Expires'].map((name) => searchParams.get(name));
  const signed = ['PUT', host, pathname, ...times, tagging].join('\n');
  return Buffer.from(createHmac('sha256', secret).update(signed).digest('hex'));
}

/** A URL to which anybody can PUT this object for a while, with the tagging header. */
function signedUrl(
  origin: string,
  key: string,
  { secret, now, expiresInSeconds }: { secret: string; now: number; expiresInSeconds: number },
): string {
  const url = new URL(key.split('/').map(encodeURIComponent).join('/'), `${origin}/`);
  url.searchParams.set('X-Amz-Date', new Date(now).toISOString());
  url.searchParams.set('X-Amz-Expires', String(expiresInSeconds));
  url.searchParams.set('X-Amz-SignedHeaders', `host;${TAGGING_HEADER}`);
  url.searchParams.set('X-Amz-Signature', signatureOf(secret, url, TAGGING).toString());
  return url.href;
}

/**
 * @param url as it was requested
 * @returns undefined if the request may store its object
 */
function refusalOf(
  url: URL,
  { authorization, host = '', [TAGGING_HEADER]: tagging = '' }: IncomingHttpHeaders,
  secret: string,
  now: number,
): Refusal | undefined {
  if (authorization !== undefined) return refusal(400, 'InvalidArgument', 'Only one auth mechanism allowed');
  const given = Buffer.from(url.searchParams.get('X-Amz-Signature') ?? '');
  if (given.length === 0) return refusal(403, 'AccessDenied', 'Access Denied');
  const expected = signatureOf(secret, url, String(tagging));
  if (host !== url.host || given.length !== expected.length || !timingSafeEqual(given, expected))
    return refusal(
      403,
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    );
  const endsAt =
    Date.parse(url.searchParams.get('X-Amz-Date') ?? '') +
    Number(url.searchParams.get('X-Amz-Expires')) * 1000;
  return now > endsAt ? refusal(403, 'AccessDenied', 'Request has expired') : undefined;
}

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
