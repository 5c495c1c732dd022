/** Pre-signed URLs in the form of S3's, signed by one HMAC of all that a request must not change. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export const TAGGING_HEADER = 'x-amz-tagging';
const TAGGING = 'unsaved=true';

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

function signatureOf(secret: string, { host, pathname, searchParams }: URL, tagging: string): Buffer {
  const times = ['X-Amz-Date', 'X-Amz-Expires'].map((name) => searchParams.get(name));
  const signed = ['PUT', host, pathname, ...times, tagging].join('\n');
  return Buffer.from(createHmac('sha256', secret).update(signed).digest('hex'));
}

/** A URL to which anybody can PUT this object for a while, with the tagging header. */
export function signedUrl(
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
export function refusalOf(
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
