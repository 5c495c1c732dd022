/**
 * The default network according to Android's ConnectivityService, from `dumpsys connectivity`.
 *
 * Source: AOSP ConnectivityService.java, dump(): `Active default network: N` (or `none`), then one
 * `NetworkAgentInfo{…}` per network (NetworkAgentInfo.java, toString(); Android 5.0 on), which holds `network{N}`,
 * `lp{{… LinkAddresses: […] … HttpProxy: …}}` and `nc{[… Capabilities: A&B&C …]}`. The network of the IMS service
 * is listed beside it, connected and never validated. Older Android prints one `NetworkInfo: …` a kind of network, and
 * from 4.2 on its LinkProperties in the line below.
 */
import { isIP } from 'node:net';
import { omitUndefined } from '../base/omit-undefined.ts';

/** What Android knows about its default network. */
export interface DefaultNetwork {
  /**
   * none: no network is connected. validated: Android reached the Internet over it. captive: it found a login page.
   * unverified: connected, but neither is known.
   */
  state: 'none' | 'validated' | 'captive' | 'unverified';
  /** The first IPv4 address of its own, else the first IPv6 address that is not link-local, preferably a global one. */
  ipAddress?: string;
  /** Does this network have an HTTP proxy or a proxy script? Absent if the dump does not show it. */
  hasProxy?: boolean;
}

/** Parses `dumpsys connectivity`, whole or only the lines above; undefined if it has none of them. */
export function parseConnectivity(dump: string): DefaultNetwork | undefined {
  const active = /\bActive default network: ?(none|\d{1,9})\b/.exec(dump)?.[1];
  if (active === undefined) return parseNetworkInfos(dump);
  if (active === 'none') return { state: 'none', hasProxy: false };
  const agent = agentOf(dump, active);
  if (agent === undefined) return { state: 'unverified' };
  return omitUndefined({ state: stateOf(agent), ipAddress: addressOf(agent), hasProxy: hasProxy(agent) });
}

/** The line that describes the network with this number. */
function agentOf(dump: string, network: string): string | undefined {
  for (const [agent] of dump.matchAll(/NetworkAgentInfo\{[^\n]*/g)) {
    if (agent.includes(`network{${network}}`)) return agent;
  }
}

/**
 * Android 5.x has no VALIDATED among the capabilities and prints `validated{true}` (5.0) or `lastValidated{true}` (5.1)
 * instead, which say the same up to 11. From 12 on `lastValidated` comes with the time at which it was.
 */
function stateOf(agent: string): DefaultNetwork['state'] {
  const capabilities = new Set(/\bCapabilities: ([A-Z0-9_&]+)/.exec(agent)?.[1]?.split('&'));
  if (capabilities.has('CAPTIVE_PORTAL')) return 'captive';
  return capabilities.has('VALIDATED') || / (?:v|lastV)alidated\{true\}/.test(agent)
    ? 'validated'
    : 'unverified';
}

/** @param agent any text with LinkProperties in it */
function addressOf(agent: string): string | undefined {
  const list = /\bLinkAddresses: \[/.exec(agent);
  const rest = list === null ? '' : agent.slice(list.index + list[0].length);
  const addresses = rest
    .slice(0, Math.max(0, rest.indexOf(']')))
    .split(/[\s,]+/)
    .map((entry) => entry.split('/', 1)[0] ?? '');
  for (const kind of addressKinds) {
    const address = addresses.find((entry) => kind.test(entry) && isIP(entry) !== 0);
    if (address !== undefined) return address;
  }
  return undefined;
}

/**
 * The best first: an IPv4 address, a global IPv6 address, a unique local one (RFC 4193), and last what says no more
 * than that there is IPv4: an address of the link alone, or one of 192.0.0.0/29 (RFC 7335), which modems that
 * translate IPv4 into IPv6 give to every phone.
 */
const addressKinds = [
  /^(?!169\.254\.|192\.0\.0\.[0-7]$)\d{1,3}(?:\.\d{1,3}){3}$/,
  /^(?!fe[89ab]|f[cd][0-9a-f]{2}:)(?=[^:]*:)[0-9a-f:.]+$/i,
  /^f[cd][0-9a-f]{2}:[0-9a-f:.]+$/i,
  /^(?:169\.254\.\d{1,3}\.\d{1,3}|192\.0\.0\.[0-7])$/,
];

/** ProxyInfo.java, toString(): `[host] port`, `PAC Script: url`, and for none `[ProxyProperties.mHost == null]`. */
function hasProxy(agent: string): boolean | undefined {
  if (!agent.includes('LinkAddresses:')) return undefined;
  // no word boundary: Android 4.3 and 4.4 print `MTU: 0HttpProxy: …`
  return /HttpProxy: ?(?:PAC Script: ?\S|\[[^[\]\s]+\] ?[1-9])/.test(agent);
}

const NETWORK_INFO = /^[ \t]*NetworkInfo: type: ([\w-]{1,40})\[/;

/** Before Android 5.0 the dump shows which kinds of network are connected, but not whether they reach the Internet. */
function parseNetworkInfos(dump: string): DefaultNetwork | undefined {
  const states = new Set<string>();
  let links = '';
  const lines = dump.split('\n');
  for (const [index, line] of lines.entries()) {
    const type = NETWORK_INFO.exec(line)?.[1];
    const state = type && /\bstate: ([A-Z]+)\//.exec(line)?.[1];
    if (type === undefined || state === undefined) continue;
    states.add(state);
    // mobile_mms, mobile_supl, WIFI_P2P: for one purpose, never the default network
    const isDefault = state === 'CONNECTED' && !type.includes('_');
    const properties = lines[index + 1] ?? '';
    if (isDefault && /\bLinkAddresses:/.test(properties)) links ||= properties;
  }
  if (states.size === 0) return undefined;
  const isIdle = states.has('DISCONNECTED') && !states.has('CONNECTED') && !states.has('CONNECTING');
  if (isIdle) return { state: 'none' };
  return omitUndefined({
    state: 'unverified' as const,
    ipAddress: addressOf(links),
    hasProxy: hasProxy(links),
  });
}
