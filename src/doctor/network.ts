/**
 * The way to the cloud, step by step: the connection, the certificate, and the clock beside the cloud's. Two of these verify
 * no certificate: this file has no credentials.
 */

import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, isIP } from 'node:net';
import { connect as connectTls, type PeerCertificate } from 'node:tls';
import { DAY_MS, duration } from '../base/calendar.ts';
import type { Environment, HostKind } from '../base/environment.ts';
import { quantity, sentence } from '../base/words.ts';
import { reasonOf } from '../cloud/failure.ts';
import { proxyName } from '../cloud/proxy.ts';
import { TunnelAgent } from '../cloud/tunnel-agent.ts';
import { type CheckResult, errorText, failed, ok, skipped, warning } from './check.ts';

/** The cloud, or the proxy on the way to it. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** Names the proxy, where it is one. */
  readonly variable?: string;
}

export const nameOf = ({ host, port, variable }: Endpoint): string =>
  variable === undefined ? `${host}:${port}` : proxyName({ host, port, variable });

const CONNECTION = 'connection';

export async function lookAtConnection(endpoint: Endpoint, signal: AbortSignal): Promise<CheckResult> {
  const { host, port, variable = 'the base URL' } = endpoint;
  const since = performance.now();
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal });
    const at = isIP(host) === 0 ? ` at ${socket.remoteAddress}` : '';
    const tookMs = Math.round(performance.now() - since);
    return ok(CONNECTION, `${nameOf(endpoint)} accepts connections${at}, within ${tookMs} ms`);
  } catch (error) {
    const { seen, remedy } = inWords(error);
    return failed(CONNECTION, `${nameOf(endpoint)}: ${seen}`, remedy.replace('the base URL', variable));
  } finally {
    socket.destroy();
  }
}

/** What happened, and its remedy. Of a connection that tried several addresses, the error of the first. */
function inWords(error: unknown): { seen: string; remedy: string } {
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const { seen, remedy } = reasonOf(String((cause as { code?: unknown } | undefined)?.code ?? 'unknown'));
  return { seen, remedy: sentence(remedy) };
}

const TLS = 'TLS';
const SOON_DAYS = 14;

/**
 * Shakes hands and hangs up. Sends nothing, so it may look at an untrusted certificate too.
 *
 * @param ca the authorities to trust instead of the usual ones, PEM
 */
export async function lookAtCertificate(
  { host, port }: Endpoint,
  ca: string | undefined,
  signal: AbortSignal,
): Promise<CheckResult> {
  const socket = connectTls({
    host,
    port,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: false,
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
  });
  try {
    await once(socket, 'secureConnect', { signal });
    const problem = socket.authorized ? undefined : String(socket.authorizationError);
    const certificate = socket.getPeerCertificate();
    return checkHandshake(socket.getProtocol() ?? 'TLS', certificate, problem, ca !== undefined);
  } catch (error) {
    const { seen, remedy } = inWords(error);
    return failed(TLS, seen, remedy);
  } finally {
    socket.destroy();
  }
}

/** @param problem Node's code for why we do not trust it */
export function checkHandshake(
  protocol: string,
  { issuer: { CN, O }, valid_to }: Pick<PeerCertificate, 'issuer' | 'valid_to'>,
  problem: string | undefined,
  hasOwnCa: boolean,
): CheckResult {
  const issuer = [CN ?? O ?? 'unknown'].flat().join(', ');
  const days = Math.floor((Date.parse(valid_to) - Date.now()) / DAY_MS);
  const until =
    days < 0 ? `expired ${quantity(-days, 'day')} ago` : `valid for ${quantity(days, 'more day')}`;
  const seen = `${protocol}, certificate of "${issuer}" ${until}${hasOwnCa ? ', own CA (cloud.caFile)' : ''}`;
  if (problem !== undefined) {
    const { seen: why, remedy } = inWords({ code: problem });
    return failed(TLS, `${seen}: ${why}`, remedy);
  }
  return days < SOON_DAYS ? warning(TLS, seen, 'Renew the certificate') : ok(TLS, seen);
}

const CLOCK = 'clock';
const NOTICEABLE_SECONDS = 30;
const TOO_FAR_SECONDS = 300;

/**
 * Sends a HEAD request, through the proxy if one is set. Sends no credentials and does not check the certificate:
 * with a wrong clock no certificate looks valid.
 *
 * @param tunnelMs limit for the proxy's tunnel; a tunnel that never opens would keep the process alive
 */
export async function lookAtClock(
  url: URL,
  { proxyEnv, tunnelMs }: { proxyEnv: Environment; tunnelMs: number },
  hostKind: HostKind,
  signal: AbortSignal,
): Promise<CheckResult> {
  const isHttps = url.protocol === 'https:';
  const agent = isHttps
    ? new TunnelAgent({ rejectUnauthorized: false }, proxyEnv, tunnelMs)
    : new HttpAgent({ proxyEnv });
  const sentAtMs = Date.now();
  const since = performance.now();
  const request = (isHttps ? httpsRequest : httpRequest)(url, { method: 'HEAD', agent, signal });
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  request.once('response', (response) => {
    response.resume();
    resolve(response.headers.date);
    request.destroy();
  });
  request.on('error', reject);
  request.once('close', () => resolve(undefined)); // a 101 ends so
  request.end();
  try {
    const date = await promise;
    return checkClock(date, sentAtMs + (performance.now() - since) / 2, hostKind);
  } catch (error) {
    return skipped(CLOCK, `the cloud sends no time (${errorText(error)})`);
  }
}

/** In seconds, as far as a person can think in them. */
const distance = (seconds: number): string => (seconds < 7200 ? `${seconds} s` : duration(seconds * 1000));

/** The header has whole seconds, so it is half a second old on average. */
export function checkClock(date: string | undefined, atMs: number, hostKind: HostKind): CheckResult {
  const cloudMs = Date.parse(date ?? '') + 500;
  if (Number.isNaN(cloudMs)) return skipped(CLOCK, 'the cloud’s answer has no Date header');
  const offset = Math.round((atMs - cloudMs) / 1000);
  const seen =
    offset === 0
      ? 'agrees with the cloud’s'
      : `${distance(Math.abs(offset))} ${offset > 0 ? 'ahead of' : 'behind'} the cloud’s`;
  const remedy = `Turn on time sync${timeSync(hostKind)}; the firewall must pass NTP (UDP 123)`;
  if (Math.abs(offset) > TOO_FAR_SECONDS) return failed(CLOCK, seen, remedy);
  return Math.abs(offset) > NOTICEABLE_SECONDS ? warning(CLOCK, seen, remedy) : ok(CLOCK, seen);
}

function timeSync({ hasSystemd, inContainer }: HostKind): string {
  if (inContainer) return ' on the machine that runs this container';
  return hasSystemd ? ': timedatectl set-ntp true' : ', for example by chrony';
}
