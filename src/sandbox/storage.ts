/**
 * The object storage on a port of its own: takes uploads to pre-signed URLs, and shows the icons of apps. The URLs have the
 * form of S3's, signed by one HMAC of all that a request must not change.
 */
import { createHmac, randomBytes } from 'node:crypto';
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
import { misbehave, STORAGE } from './fault.ts';
import { Problem } from './handler.ts';
import type { Whole } from './state.ts';

/** A URL is valid for so long. */
const EXPIRES_IN_SECONDS = 15 * 60;
/** S3 takes no larger object in one request. */
const LARGEST_OBJECT_BYTES = 5 * 1024 ** 3;

export class ObjectStorage {
  readonly #sandbox: Whole;
  /** Where the files lie until they are parsed. */
  readonly #folder: string;
  readonly #secret = randomBytes(20).toString('hex');
  readonly #server: Server;

  constructor(sandbox: Whole, folder: string) {
    this.#sandbox = sandbox;
    this.#folder = folder;
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        if (response.headersSent || response.destroyed) response.destroy();
        else refuse(response, error instanceof Refusal ? error : new Refusal(500, 'InternalError', SORRY));
      });
    });
    this.#server.requestTimeout = 0; // a large file over a slow line
  }

  async start(): Promise<void> {
    // of uploads during which an earlier run was killed
    for (const name of await readdir(this.#folder).catch(() => []))
      if (PART.test(name)) await rm(join(this.#folder, name), { force: true });
    await listen(this.#server, { port: 0, host: '127.0.0.1' });
  }

  get origin(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  /** A URL to which anybody can PUT this object for a while, with the tagging header. */
  signedUrl(appPath: string): string {
    const url = new URL(appPath.split('/').map(encodeURIComponent).join('/'), `${this.origin}/`);
    url.searchParams.set('X-Amz-Date', new Date(this.#sandbox.now()).toISOString());
    url.searchParams.set('X-Amz-Expires', String(EXPIRES_IN_SECONDS));
    url.searchParams.set('X-Amz-SignedHeaders', `host;${TAGGING_HEADER}`);
    url.searchParams.set('X-Amz-Signature', signatureOf(this.#secret, url, TAGGING));
    return url.href;
  }

  iconUrl = (versionId: number): string => `${this.origin}/icons/${versionId}`;

  /** Where the file of an upload lies. */
  fileOf = (uploadId: number): string => join(this.#folder, String(uploadId));

  async close(): Promise<void> {
    await close(this.#server);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '/', this.origin);
    const key = attempt(() => url && decodeURIComponent(url.pathname.slice(1)));
    if (!url || key === undefined || key === null)
      throw new Refusal(400, 'InvalidURI', "Couldn't parse the specified URI.");
    const fault = this.#sandbox.faults.take(STORAGE);
    if (fault !== undefined && (await misbehave(fault, response))) return;
    if (request.method === 'PUT') return this.#put(url, key, request, response);
    const [, id] = /^\/icons\/(\d{1,15})$/.exec(url.pathname) ?? [];
    const icon = request.method === 'GET' ? this.#sandbox.state.versions.get(Number(id))?.icon : undefined;
    if (icon === undefined) throw noSuchKey();
    response.writeHead(200, { 'content-type': icon.type }).end(Buffer.from(icon.base64, 'base64'));
  }

  async #put(url: URL, key: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    checkUpload(url, request.headers, this.#secret, this.#sandbox.now());
    const uploadOf = () => {
      const upload = this.#sandbox.state.uploads.find(({ appPath }) => appPath === key);
      if (upload === undefined) throw noSuchKey();
      return upload;
    };
    const { id } = uploadOf();
    // a sandbox without uploads leaves nothing behind, also if it is killed
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // the whole file, or none
    const part = `${this.fileOf(id)}.part-${process.hrtime.bigint()}`;
    try {
      await pipeline(request, createWriteStream(part, { mode: 0o600 }));
      const current = uploadOf(); // after a reset its id may be another's
      await rename(part, this.fileOf(current.id));
      this.#sandbox.change(({ uploads }) => uploads.put({ ...current, isReceived: true }));
    } finally {
      await rm(part, { force: true });
    }
    response.writeHead(200).end();
  }
}

/** Names of files that are not whole yet. */
const PART = /^\d+\.part-\d+$/;

const TAGGING_HEADER = 'x-amz-tagging';
const TAGGING = 'unsaved=true';

/** Why the storage does not accept a request, in S3's words. */
class Refusal extends Problem {
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(status, message);
    this.code = code;
  }
}

const noSuchKey = () => new Refusal(404, 'NoSuchKey', 'The specified key does not exist.');
const SORRY = 'We encountered an internal error. Please try again.';
const NOT_SIGNED =
  'The request signature we calculated does not match the signature you provided. Check your key and signing method.';

function signatureOf(secret: string, { host, pathname, searchParams }: URL, tagging: string): string {
  const times = ['X-Amz-Date', 'X-Amz-Expires'].map((name) => searchParams.get(name));
  const signed = ['PUT', host, pathname, ...times, tagging].join('\n');
  return createHmac('sha256', secret).update(signed).digest('hex');
}

/**
 * @param url as it was requested
 * @throws {Refusal} the request may not store its object
 */
function checkUpload(
  url: URL,
  { authorization, host = '', 'content-length': length, [TAGGING_HEADER]: tagging = '' }: IncomingHttpHeaders,
  secret: string,
  now: number,
): void {
  if (authorization !== undefined)
    throw new Refusal(400, 'InvalidArgument', 'Only one auth mechanism allowed');
  const given = url.searchParams.get('X-Amz-Signature');
  if (!given) throw new Refusal(403, 'AccessDenied', 'Access Denied');
  if (host !== url.host || given !== signatureOf(secret, url, String(tagging)))
    throw new Refusal(403, 'SignatureDoesNotMatch', NOT_SIGNED);
  const endsAt =
    Date.parse(url.searchParams.get('X-Amz-Date') ?? '') +
    Number(url.searchParams.get('X-Amz-Expires')) * 1000;
  if (now > endsAt) throw new Refusal(403, 'AccessDenied', 'Request has expired');
  if (length === undefined)
    throw new Refusal(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header.');
  if (Number(length) > LARGEST_OBJECT_BYTES)
    throw new Refusal(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
}

function refuse(response: ServerResponse, { status, code, message }: Refusal): void {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml', connection: 'close' }).end(xml);
}
