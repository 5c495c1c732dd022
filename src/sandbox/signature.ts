/**
 * Pre-signed URLs, as S3 makes and checks them.
 *
 * Source: AWS, "Authenticating Requests: Using Query Parameters (AWS Signature Version 4)".
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export const TAGGING_HEADER = 'x-amz-tagging';
const TAGGING = 'unsaved=true';
const REGION = 'sandbox';
const ACCESS_KEY = 'SANDBOX';
const SIGNED_HEADERS = `host;${TAGGING_HEADER}`;

/** Why the storage does not accept a request, in S3's words. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

export const refusal = (status: number, code: string, message: string): Refusal => ({
  status,
  code,
  message,
});

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** RFC 3986: all but the unreserved characters are encoded. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** `20261122T125500Z` */
const dateOf = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, '');

const scopeOf = (date: string): string => `${date.slice(0, 8)}/${REGION}/s3/aws4_request`;

function signatureOf(
  secret: string,
  path: string,
  query: ReadonlyMap<string, string>,
  host: string,
  tagging: string,
): string {
  const date = query.get('X-Amz-Date') ?? '';
  const canonicalQuery = [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&');
  const canonicalRequest = [
    'PUT',
    path,
    canonicalQuery,
    `host:${host}`,
    `${TAGGING_HEADER}:${tagging}`,
    '',
    SIGNED_HEADERS,
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', date, scopeOf(date), sha256(canonicalRequest)].join('\n');
  const key = [date.slice(0, 8), REGION, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, toSign).toString('hex');
}

/** A URL to which anybody can PUT this object for a while, with the tagging header. */
export function signedUrl(
  origin: string,
  key: string,
  { secret, now, expiresInSeconds }: { secret: string; now: number; expiresInSeconds: number },
): string {
  const path = `/${key.split('/').map(encoded).join('/')}`;
  const date = dateOf(now);
  const query = new Map([
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', `${ACCESS_KEY}/${scopeOf(date)}`],
    ['X-Amz-Date', date],
    ['X-Amz-Expires', String(expiresInSeconds)],
    ['X-Amz-SignedHeaders', SIGNED_HEADERS],
  ]);
  query.set('X-Amz-Signature', signatureOf(secret, path, query, new URL(origin).host, TAGGING));
  return `${origin}${path}?${Array.from(query, ([name, value]) => `${name}=${encoded(value)}`).join('&')}`;
}

/** Undefined if the request may store its object. */
export function refusalOf(
  { pathname, searchParams }: URL,
  headers: IncomingHttpHeaders,
  secret: string,
  now: number,
): Refusal | undefined {
  if (headers.authorization !== undefined)
    return refusal(400, 'InvalidArgument', 'Only one auth mechanism allowed');
  const given = searchParams.get('X-Amz-Signature');
  if (given === null) return refusal(403, 'AccessDenied', 'Access Denied');
  const tagging = String(headers[TAGGING_HEADER] ?? '');
  const query = new Map(searchParams);
  const expected = signatureOf(secret, pathname, query, headers.host ?? '', tagging);
  if (!timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(expected))))
    return refusal(
      403,
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    );
  const signedAt = Date.parse(
    (query.get('X-Amz-Date') ?? '').replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)/, '$1-$2-$3:$4:'),
  );
  if (now > signedAt + Number(query.get('X-Amz-Expires')) * 1000)
    return refusal(403, 'AccessDenied', 'Request has expired');
  return undefined;
}
