/**
 * What the phone reaches over its default network. The phone sends its own HTTP request if it can (toybox nc, Android
 * 6.0 on); we combine the result with Android's own check (`dumpsys connectivity`).
 *
 * | seen | status | host, code |
 * |---|---|---|
 * | the probed host answers 204 | REACHABLE | host, 204 |
 * | another status: a login page, a proxy | UNREACHABLE | host, status |
 * | no HTTP answer, and Android has validated the network, or did not say | UNKNOWN | host |
 * | no HTTP answer, and Android has not validated it | UNREACHABLE | host |
 * | not probed; validated by Android | REACHABLE | – |
 * | not probed; a captive portal, or no default network | UNREACHABLE | – |
 * | not probed; anything else | UNKNOWN | – |
 */
import { ParseError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { type DefaultNetwork, parseConnectivity } from './connectivity.ts';
import { LONGEST } from './phone-text.ts';
import { type Answers, type CommandOptions, KIB, type Section } from './section.ts';

/** What the phone reaches over its default network. */
export interface NetworkFacts {
  /** The probed host; absent when nothing was probed. */
  host?: string;
  /** HTTP status of the probe; absent without an HTTP answer. */
  code?: number;
  status: 'REACHABLE' | 'UNREACHABLE' | 'UNKNOWN';
  /** The phone's address on its default network. */
  ipAddress?: string;
  /** A global HTTP proxy, or one of the default network (Wi-Fi proxy), is set. */
  proxy?: boolean;
}

/** The result of the phone's own HTTP request. */
interface Probe {
  host: string;
  /** Absent without an HTTP answer. */
  code?: number;
}

/**
 * Parses the answers `connectivity`, `proxy` and `probe`; each may be absent.
 *
 * @throws {ParseError} when none of them contains a fact
 */
export function parseNetwork({ connectivity = '', proxy = '', probe = '' }: Answers): NetworkFacts {
  const network = parseConnectivity(connectivity);
  const hasProxy = proxyOf(parseProxySettings(proxy), network?.hasProxy);
  const probed = parseProbe(probe);
  if (!network && !probed && hasProxy === undefined)
    throw new ParseError('dumpsys connectivity', connectivity);
  return omitUndefined({
    ...probed,
    status: probed ? statusOfProbe(probed, network) : statusOfNetwork(network),
    ipAddress: network?.ipAddress,
    proxy: hasProxy,
  });
}

function statusOfProbe({ code }: Probe, network: DefaultNetwork | undefined): NetworkFacts['status'] {
  if (code !== undefined) return code === 204 ? 'REACHABLE' : 'UNREACHABLE';
  return network === undefined || network.state === 'validated' ? 'UNKNOWN' : 'UNREACHABLE';
}

function statusOfNetwork(network: DefaultNetwork | undefined): NetworkFacts['status'] {
  if (network?.state === 'validated') return 'REACHABLE';
  return network?.state === 'captive' || network?.state === 'none' ? 'UNREACHABLE' : 'UNKNOWN';
}

/** True if one source reports a proxy; false only if both report none. */
function proxyOf(global: boolean | undefined, ofNetwork: boolean | undefined): boolean | undefined {
  if (global === true || ofNetwork === true) return true;
  return global === false && ofNetwork === false ? false : undefined;
}

/**
 * The first line is the host, the next one the first line of the HTTP answer or an error of nc.
 * Undefined if the phone has no nc, or if the network is metered and we did not use it.
 */
function parseProbe(text: string): Probe | undefined {
  const host = /^\s*([A-Za-z0-9.-]+)[ \t\r]*(?:\n|$)/.exec(text)?.[1];
  if (host === undefined || host.length > LONGEST.host) return undefined;
  const code = /^HTTP\/\d(?:\.\d)? ([1-5]\d\d)\b/m.exec(text)?.[1];
  const hasNoNc = text.includes('toybox: ') && /not found|unknown command/i.test(text);
  if (code === undefined && hasNoNc) return undefined;
  return omitUndefined({ host, code: code === undefined ? undefined : Number(code) });
}

/** Lines `key=value` of the global settings: is a proxy set? Undefined when the settings did not answer. */
function parseProxySettings(text: string): boolean | undefined {
  const keys = /^[ \t]*(?:http_proxy|global_http_proxy_host|global_proxy_pac_url)=([^\n]*)$/gm;
  const values = [...text.matchAll(keys)].map(([, value = '']) => value.trim());
  return values.length === 0 ? undefined : values.some((value) => !/^(?:null|.*:0|:.*)?$/.test(value));
}

const NETWORK_LINES = 'dumpsys connectivity|grep -E "^Active d|tInfo[{]';

/** Android 4.0 has no grep. */
const connectivityCommand = ({ shellV2 }: CommandOptions) =>
  shellV2 ? `${NETWORK_LINES}"` : `${NETWORK_LINES}|NetworkInfo: |LinkA"||dumpsys connectivity`;

/** A phone without `settings` (before 4.2) prints no line. */
const PROXY =
  'for k in http_proxy global_http_proxy_host global_proxy_pac_url;do v=$(settings get global $k)&&echo "$k=$v";done';

/**
 * The request reads only the first line of the answer. nc limits the connection (-w) and the wait after our end of file
 * (-q), but not the DNS look-up. So we add `timeout`, which counts from the start of the command, and the host is
 * always printed within the section's limit. The loop sends the request only if the default network is NOT_METERED,
 * which it must know first. Android 6.0 does not report this for Wi-Fi.
 */
function probeCommand({
  shellV2,
  reachabilityHost: host,
  reachabilityOnMetered,
}: CommandOptions): string | undefined {
  if (host === undefined || !/^[A-Za-z0-9][A-Za-z0-9.-]*$/.test(host)) return undefined;
  const request = `GET /generate_204 HTTP/1.0\\r\\nHost: ${host}\\r\\nConnection: close\\r\\n\\r`;
  const nc = `toybox timeout $((8-SECONDS)) toybox nc -w 3 -q 4 ${host} 80`;
  const probe = `echo ${host};print "${request}"|${nc}|{ read -r l;echo "$l";}`;
  if (reachabilityOnMetered) return `SECONDS=0;${probe}`;
  const wifi = shellV2 ? '' : '|*"k{$d}"*": WIFI"*';
  const unmetered = `A*)d=\${l##* };;*"k{$d}"*NOT_METERED*${wifi})${probe};;`;
  return `SECONDS=0;${NETWORK_LINES}"|while read -r l;do case $l in ${unmetered}esac;done`;
}

export const network = {
  name: 'network',
  isPersonal: true,
  cadence: { everySeconds: 300 },
  limitSeconds: 10,
  limitBytes: 192 * KIB,
  commands: (options): Record<string, string> =>
    omitUndefined({
      connectivity: connectivityCommand(options),
      proxy: PROXY,
      probe: probeCommand(options),
    }),
  parse: parseNetwork,
} as const satisfies Section<NetworkFacts>;
