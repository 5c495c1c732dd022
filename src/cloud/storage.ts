/** The object storage that takes the files of apps: it is no part of the API, and gets no credentials. */
import * as tls from 'node:tls'; // by name it would break an old Node before that is told so
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import { CloudAnswerError, CloudRedirectError } from './errors.ts';
import { classOf } from './failure.ts';
import { Http, type HttpOptions } from './http.ts';
import { LONGEST_MESSAGE, type Redact, redactor, shown } from './redaction.ts';

export interface StorageOptions extends Omit<HttpOptions, 'protocol'> {
  /** The v1 root: only where it is http://, the storage may be. */
  baseUrl: string;
  /** The vendor's part of the storage's headers, where the URL does not show it. */
  storageVendor?: string | undefined;
}

const LARGEST_ANSWER_BYTES = 64 * 1024;
/** Servers take a request line of about 8 KiB. */
const LONGEST_URL = 16 * 1024;

/** A pre-signed URL that fits, and the header that goes with it. */
export interface UploadTarget {
  readonly url: URL;
  readonly taggingHeader: string;
}

/**
 * The target that the cloud's answer names. Never put its URL into a message: whoever has it can upload.
 *
 * @throws {CloudAnswerError} we do not send a file there
 */
export function targetOf(address: string, { baseUrl, storageVendor }: StorageOptions): UploadTarget {
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
export async function transfer(
  { url, taggingHeader }: UploadTarget,
  body: AsyncIterable<Buffer>,
  sizeBytes: number,
  { ca, ...options }: StorageOptions,
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
      method: 'PUT',
      url,
      requested,
      headers,
      body,
      ...(signal && { signal }),
      isIdempotent: true,
      largestAnswerBytes: LARGEST_ANSWER_BYTES,
    });
    if (status >= 200 && status < 300) {
      if (isSent) return;
      throw new CloudAnswerError(`${status} before the whole file was sent`, { ...requested, status });
    }
    if (status < 400)
      throw new CloudRedirectError(`${status}: redirects are not followed`, { ...requested, status });
    const said = shown(reasonIn(text), redactorOf(url), LONGEST_MESSAGE) || undefined;
    const about = omitUndefined({ ...requested, status, said, remedy: remedyOf(status) });
    throw new (classOf(status))(`${status}`, about);
  } finally {
    http.close();
  }
}

/** What an S3-like storage says in XML: its code and message. The rest of its answer quotes the signature. */
function reasonIn(xml: string): string {
  const code = /<Code>([^<]{1,200})<\/Code>/.exec(xml)?.[1];
  const message = /<Message>([^<]{1,200})<\/Message>/.exec(xml)?.[1];
  return [code, message].filter((each) => each !== undefined).join(': ');
}

function redactorOf({ search, searchParams, pathname }: URL): Redact {
  const values = [search.slice(1), pathname, ...searchParams.values()];
  return redactor(values.filter((value) => value.length >= 6));
}

function remedyOf(status: number): string {
  if (status === 413) return 'the file is too large for the storage';
  if (status >= 500 || status === 429 || status === 408) return 'the storage cannot answer now';
  return 'the storage did not accept the upload URL; it may have expired: try again';
}
