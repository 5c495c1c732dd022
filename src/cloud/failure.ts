/** Turns a failed request into the error that says how to react. Pure. */

import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import { parseJson } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import { midSentence } from '../base/words.ts';
import type { Operation } from './contract/operation.ts';
import * as errors from './errors.ts';
import { type ProxyPlace, proxyName } from './proxy.ts';
import { HIDDEN, LONGEST_BODY, type Redact, shown, wordsIn } from './redaction.ts';

export type RequestName = Pick<errors.CloudRequest, 'request' | 'operation'>;

/** An answer other than 2xx and redirects. */
export interface FailedAnswer {
  /** Method, origin and path. */
  request: string;
  operation?: Operation;
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * The error for an HTTP status of 400 and above.
 *
 * @param nowMs ms since the epoch, by this host's clock; used for an answer without a date
 */
export function failureOfStatus(
  { request, operation, status, headers, body }: FailedAnswer,
  redact: Redact,
  nowMs: number,
): errors.CloudError {
  const requested = omitUndefined({ request, operation: operation?.id });
  if (status === 407) return failureOfProxyLogin(requested);
  const words = wordsIn(body, redact);
  const kind = words.kind === undefined ? '' : `, ${words.kind}`;
  const seen = `${status} ${STATUS_CODES[status] ?? 'unknown status'}${kind}`;
  // what is hidden may be a common word: the sentence around it would give the key away
  const said = status === 401 && words.said?.includes(HIDDEN) ? undefined : words.said;
  const retryAfterMs = retryAfterIn(headers, nowMs);
  const remedy = remedyOf(status, operation);
  const FailureClass = classOf(status);
  const shownText = redact(body.slice(0, LONGEST_BODY));
  const answer = { headers, body: parseJson(shownText) ?? shownText };
  return new FailureClass(seen, omitUndefined({ ...requested, status, said, remedy, retryAfterMs, answer }));
}

/** What happened where a redirect was not followed. */
export function redirectSeen(status: number, location: string | undefined, from: URL, redact: Redact) {
  if (status === 304) return '304 Not Modified: a cache answers, and hostnode has no copy';
  const target = location === undefined ? null : URL.parse(location, from.href);
  const shownTarget = target === null ? 'no address' : shown(`${target.origin}${target.pathname}`, redact);
  return `${status}, not followed: redirects to ${shownTarget}`;
}

/** The longest `Retry-After` that we accept, ms; a longer one is the server's mistake. */
const LONGEST_DELAY_MS = 3_600_000;

/** An HTTP date as ms since the epoch; NaN for any other text. */
const parseHttpDate = (text: string): number => (/^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN);

/**
 * How long `Retry-After` (RFC 9110, section 10.2.3: whole seconds, or a date) asks us to wait, by the clock of the server.
 *
 * @param nowMs ms since the epoch, by this host's clock; used for an answer without a date
 * @returns 0 to one hour, ms; undefined for no header or an invalid one
 */
export function retryAfterIn(headers: IncomingHttpHeaders, nowMs: number): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  const waitMs = /^\d+$/.test(text)
    ? Number(text) * 1000
    : parseHttpDate(text) - (parseHttpDate(headers.date ?? '') || nowMs);
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), LONGEST_DELAY_MS);
}

export function classOf(status: number) {
  if (status === 401) return errors.CloudUnauthorizedError;
  if (status === 403) return errors.CloudForbiddenError;
  if (status === 404) return errors.CloudNotFoundError;
  if (status === 408) return errors.CloudUnavailableError;
  if (status === 409) return errors.CloudConflictError;
  if (status === 413) return errors.CloudTooLargeError;
  if (status === 429) return errors.CloudRateLimitedError;
  return status >= 500 ? errors.CloudServerError : errors.CloudRefusedError;
}

/** What a person can do about a status, or why it came. */
function remedyOf(status: number, operation: Operation | undefined): string {
  const isDel = operation?.method === 'DEL';
  const documented = operation?.errors[status];
  if (isDel && documented === undefined && [405, 501].includes(status)) return NOT_DEL;
  if (status === 401) return 'check the user name and the API key, and that the key was not revoked';
  if (status === 403) return forbidden(operation);
  if (status === 408 || status === 429 || status >= 500)
    return 'wait, the cloud cannot answer now; if that lasts, tell its administrator';
  if (status === 413) {
    const what = operation === undefined || operation.id === 'devices.report' ? 'report' : 'request';
    return `ask the cloud’s administrator to allow larger bodies: the ${what} is too large`;
  }
  if (status === 404 && Object.keys(operation?.params.shape ?? {}).length > 0)
    return 'check the id: the cloud has nothing with it, or this account cannot see it';
  const inputs = Object.keys(operation?.body?.shape ?? {});
  const hasIds = inputs.some((name) => /Ids?$/.test(name) && name !== 'nodeId'); // this host gives that to itself
  if (status === 404 && hasIds) return 'check the ids: the cloud does not know one; else check the base URL';
  if (status === 404 || status === 405)
    return operation?.id === 'api' ? 'check the method and the path' : 'check the base URL';
  const hint = isDel ? ', or the server does not know the method DEL' : '';
  return documented === undefined
    ? 'ask the cloud’s administrator why the cloud rejects this request'
    : `${clause(documented)}${hint}`;
}

const NOT_DEL = 'set untagMethod to DELETE: the server does not know the method DEL';

function forbidden(operation: Operation | undefined): string {
  if (operation === undefined) return 'check the rights of this account';
  const need = operation.isAdminOnly ? ': it needs the organization admin role' : '';
  return `check that this account may ${clause(operation.summary)}${need}`;
}

/** A sentence as a part of another. */
export const clause = (sentence: string): string => midSentence(sentence.replace(/\.$/, ''));

export function failureOfProxyLogin(requested: RequestName): errors.CloudUnauthorizedError {
  const remedy = 'check the user name and password in HTTPS_PROXY or HTTP_PROXY';
  return new errors.CloudUnauthorizedError('the proxy requires a login', {
    ...requested,
    status: 407,
    remedy,
  });
}

const cutOff = ['the connection was cut', 'check for a proxy or firewall between'] as const;
const unknownCa = [
  'the certificate comes from an unknown CA',
  'if it is yours, name its file in cloud.caFile, and reload hostnode whenever that file is renewed',
] as const;

const wantsCertificate = [
  'the server accepts no TLS without a client certificate, or none of our ciphers',
  'put a TLS proxy with that certificate in front: hostnode has none',
] as const;
/** For other codes of TLS. */
const tlsFailed = ['TLS failed', 'check the certificate and the key of the server'] as const;

/** Failures below HTTP, by the code of Node's or got's error: what happened, and what a person can check. */
const reasons: Readonly<Record<string, readonly [seen: string, remedy: string]>> = {
  ECONNREFUSED: ['nothing listens there', 'check the base URL and the firewall'],
  ECONNRESET: cutOff,
  EPIPE: cutOff,
  ETIMEDOUT: ['no connection in time', 'check the base URL, the firewall and the proxy'],
  ENOTFOUND: ['no such host name', 'check the base URL and the DNS of this host'],
  EAI_AGAIN: ['the host name could not be looked up', 'check the network and the DNS of this host'],
  EHOSTUNREACH: ['no route to that host', 'check the network of this host'],
  ENETUNREACH: ['no route to that network', 'check the network of this host'],
  EMFILE: ['this host has no file descriptors left', 'check the limits of the process'],
  CERT_HAS_EXPIRED: ['the certificate has expired', "renew it, or check this host's clock"],
  CERT_NOT_YET_VALID: ['the certificate is not valid yet', "check this host's clock"],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['the certificate is self-signed', unknownCa[1]],
  SELF_SIGNED_CERT_IN_CHAIN: unknownCa,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownCa,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownCa,
  ERR_TLS_CERT_ALTNAME_INVALID: ['the certificate is for another host name', 'check the base URL'],
  EPROTO: ['no TLS 1.2 or newer there', 'check the base URL and its port'],
  ERR_SSL_UNSUPPORTED_PROTOCOL: ['no TLS 1.2 or newer there', 'check the server'],
  ERR_SSL_WRONG_VERSION_NUMBER: ['no TLS there', 'check the base URL and its port'],
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: wantsCertificate,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: wantsCertificate,
  ERR_PROXY_TUNNEL: ['the proxy does not let the request through', 'check HTTPS_PROXY'],
  ERR_HTTP_CONTENT_LENGTH_MISMATCH: ['the answer was cut short', cutOff[1]],
  HPE_HEADER_OVERFLOW: ['the headers of the answer are too large', 'check the base URL and the proxy'],
};

/** For other codes `HPE_…` of Node's HTTP parser. */
const notHttp = [
  'the server there does not speak HTTP',
  'check the base URL, its scheme and its port',
] as const;
const others = [
  ['HPE_', notHttp],
  ['ERR_SSL_', tlsFailed],
  ['UNSPECIFIED', tlsFailed],
] as const;
const unknownReason = ['the request failed', 'check the network of this host'] as const;

/** Where TLS fails while Node writes, as in a tunnel, only the text of OpenSSL says why. */
export const codeOf = ({ code, message }: NodeJS.ErrnoException): string | undefined =>
  code === 'EPROTO' && message.includes(':wrong version number:') ? 'ERR_SSL_WRONG_VERSION_NUMBER' : code;

/** What happened at this code, with the code in brackets, and what to check. */
export function reasonOf(code: string): { seen: string; remedy: string } {
  const [seen, remedy] =
    reasons[code] ?? others.find(([prefix]) => code.startsWith(prefix))?.[1] ?? unknownReason;
  return { seen: `${seen} (${printable(code, 60)})`, remedy };
}

/** With a proxy, these codes concern the connection to the proxy: the proxy handles the rest. */
const onTheWay = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

export function failureOfConnection(requested: RequestName, code: string, proxy?: ProxyPlace) {
  const { seen, remedy } = reasonOf(code);
  // a proxy that is none, such as one for SOCKS, speaks no HTTP
  const way = onTheWay.includes(code) || code.startsWith('HPE_') ? proxy : undefined;
  return new errors.CloudUnavailableError(way === undefined ? seen : `${proxyName(way)}: ${seen}`, {
    ...requested,
    remedy: remedy.replace('the base URL', way?.variable ?? 'the base URL'),
  });
}

/** The error for a request that timed out; `stage` is what we waited for. */
export function failureOfTime(
  requested: RequestName,
  stage: 'connection' | 'answer' | 'progress',
  limitMs: number,
  proxy?: ProxyPlace,
): errors.CloudUnavailableError {
  const through = proxy === undefined ? '' : ` through ${proxyName(proxy)}`;
  return new errors.CloudUnavailableError(`no ${stage} within ${limitMs / 1000} s${through}`, {
    ...requested,
    remedy: 'check the base URL, the firewall and the proxy',
  });
}
