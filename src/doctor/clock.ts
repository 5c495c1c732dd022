/** Compares the host's clock with the Date header of the cloud's answer. */
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Environment, HostKind } from '../base/environment.ts';
import { TunnelAgent } from '../cloud/tunnel-agent.ts';
import { errorText, type Finding, failed, ok, skipped, warning } from './finding.ts';

const NAME = 'clock';
const NOTICEABLE_SECONDS = 30;
const TOO_FAR_SECONDS = 300;

/** @returns the cloud's Date header and when it came, ms since the epoch by this host's clock */
export type AskTime = (url: URL, signal: AbortSignal) => Promise<{ date: string | undefined; atMs: number }>;

/**
 * Sends a HEAD request, through the proxy if one is set. Sends no credentials and does not check the certificate:
 * with a wrong clock no certificate looks valid.
 *
 * @param tunnelMs limit for the proxy's tunnel; a tunnel that never opens would keep the process alive
 */
export const askTime =
  (proxyEnv: Environment, tunnelMs: number): AskTime =>
  (url, signal) =>
    new Promise((resolve, reject) => {
      const isHttps = url.protocol === 'https:';
      const agent = isHttps
        ? new TunnelAgent({ proxyEnv, rejectUnauthorized: false }, tunnelMs)
        : new HttpAgent({ proxyEnv });
      const sentAtMs = Date.now();
      const since = performance.now();
      const request = (isHttps ? httpsRequest : httpRequest)(url, { method: 'HEAD', agent, signal });
      request.once('response', (response) => {
        const atMs = sentAtMs + (performance.now() - since) / 2;
        response.resume();
        resolve({ date: response.headers.date, atMs });
        request.destroy();
      });
      request.on('error', reject);
      request.once('close', () => resolve({ date: undefined, atMs: sentAtMs })); // a 101 ends so
      request.end();
    });

export async function lookAtClock(
  url: URL,
  ask: AskTime,
  hostKind: HostKind,
  signal: AbortSignal,
): Promise<Finding> {
  try {
    const { date, atMs } = await ask(url, signal);
    return judgeClock(date, atMs, hostKind);
  } catch (error) {
    signal.throwIfAborted();
    return skipped(NAME, `the cloud sends no time (${errorText(error)})`);
  }
}

/** The header has whole seconds, so it is half a second old on average. */
export function judgeClock(date: string | undefined, atMs: number, hostKind: HostKind): Finding {
  const cloudMs = Date.parse(date ?? '') + 500;
  if (Number.isNaN(cloudMs)) return skipped(NAME, 'the cloud’s answer has no Date header');
  const offset = Math.round((atMs - cloudMs) / 1000);
  const seen =
    offset === 0
      ? 'agrees with the cloud’s'
      : `${Math.abs(offset)} s ${offset > 0 ? 'ahead of' : 'behind'} the cloud’s`;
  const remedy = `Turn on time sync${timeSync(hostKind)}; the firewall must pass NTP (UDP 123)`;
  if (Math.abs(offset) > TOO_FAR_SECONDS) return failed(NAME, seen, remedy);
  return Math.abs(offset) > NOTICEABLE_SECONDS ? warning(NAME, seen, remedy) : ok(NAME, seen);
}

/** How, here. */
function timeSync({ hasSystemd, inContainer }: HostKind): string {
  if (inContainer) return ' on the machine that runs this container';
  return hasSystemd ? ': timedatectl set-ntp true' : ', for example by chrony';
}
