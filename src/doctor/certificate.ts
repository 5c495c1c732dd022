/** The cloud's certificate: its issuer, its expiry, and whether we trust it. */
import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect, type PeerCertificate } from 'node:tls';
import { DAY_MS } from '../base/calendar.ts';
import { quantity } from '../base/words.ts';
import { type Finding, failed, ok, warning } from './finding.ts';
import { type Endpoint, inWords } from './network.ts';

const NAME = 'TLS';
const SOON_DAYS = 14;

export interface Handshake {
  readonly protocol: string;
  /** Common name or organisation of who signed it. */
  readonly issuer: string;
  readonly expiresAtMs: number;
  /** Node's code for why we do not trust it. */
  readonly problem?: string;
}

/** @param ca the authorities to trust instead of the usual ones, PEM */
export async function lookAtCertificate(
  endpoint: Endpoint,
  ca: string | undefined,
  signal: AbortSignal,
): Promise<Finding> {
  try {
    const handshake = await shakeHands(endpoint, ca, signal);
    return judgeHandshake(handshake, ca !== undefined, Date.now());
  } catch (error) {
    signal.throwIfAborted();
    const { seen, remedy } = inWords(error);
    return failed(NAME, seen, remedy);
  }
}

/** Shakes hands and hangs up. Sends nothing, so it may look at an untrusted certificate too. */
async function shakeHands(
  { host, port }: Endpoint,
  ca: string | undefined,
  signal: AbortSignal,
): Promise<Handshake> {
  const socket = connect({
    host,
    port,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: false,
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
  });
  try {
    await once(socket, 'secureConnect', { signal });
    const certificate = socket.getPeerCertificate();
    const { authorizationError: problem } = socket;
    return {
      protocol: socket.getProtocol() ?? 'TLS',
      issuer: issuerOf(certificate),
      expiresAtMs: Date.parse(certificate.valid_to),
      ...(!socket.authorized && { problem: String(problem) }),
    };
  } finally {
    socket.destroy();
  }
}

const issuerOf = ({ issuer }: PeerCertificate): string =>
  [issuer.CN ?? issuer.O ?? 'unknown'].flat().join(', ');

export function judgeHandshake(
  { protocol, issuer, expiresAtMs, problem }: Handshake,
  hasOwnCa: boolean,
  nowMs: number,
): Finding {
  const days = Math.floor((expiresAtMs - nowMs) / DAY_MS);
  const until =
    days < 0 ? `expired ${quantity(-days, 'day')} ago` : `valid for ${quantity(days, 'more day')}`;
  const seen = `${protocol}, certificate of "${issuer}" ${until}${hasOwnCa ? ', own CA (cloud.caFile)' : ''}`;
  if (problem !== undefined) {
    const { seen: why, remedy } = inWords({ code: problem });
    return failed(NAME, `${seen}: ${why}`, remedy);
  }
  return days < SOON_DAYS ? warning(NAME, seen, 'Renew the certificate') : ok(NAME, seen);
}
