/** Mobile data and the SIMs in the phone, from `dumpsys telephony.registry` and `dumpsys isub`. */
import { ParseError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { KIB, type Section } from './section.ts';
import { parseSubscriptions, type Subscription, subscriptionsCommand } from './subscriptions.ts';
import { parseTelephonyRegistry, type RegistryPhone } from './telephony-registry.ts';

export type { Subscription } from './subscriptions.ts';

/** TelephonyManager.DATA_UNKNOWN (-1) to DATA_HANDOVER_IN_PROGRESS (5). */
const states = [
  'UNKNOWN',
  'DISCONNECTED',
  'CONNECTING',
  'CONNECTED',
  'SUSPENDED',
  'DISCONNECTING',
  'HANDOVER_IN_PROGRESS',
] as const;
export type MobileDataState = (typeof states)[number];

/** The current telephony state. Empty on a phone without telephony. */
export interface MobileFacts {
  /** Of the default data subscription. */
  dataState?: MobileDataState;
  /** The SIMs by slot; when this changes, the identifiers are collected again. */
  subscriptions?: Subscription[];
}

/** Phones have two SIM slots, some have four; we drop the rest. */
const MOST_SUBSCRIPTIONS = 16;

/**
 * @param registry answer of `dumpsys telephony.registry`
 * @param isub answer of `dumpsys isub`; Android 4 has no such service
 * @throws {ParseError} when neither can be parsed, and the phone does not report that it has no telephony
 */
export function parseMobile(registry: string, isub: string): MobileFacts {
  const phones = parseTelephonyRegistry(registry);
  const { active, defaultDataSubId } = parseSubscriptions(isub);
  // a tablet without a modem has the registry, with no phone in it (AOSP TelephonyRegistry.java, dump())
  const hasNoModem = isMissing(isub) && /^[ \t]{0,16}(?:local logs:|registrations: )/m.test(registry);
  if (phones.length === 0 && active === undefined && !isMissing(registry) && !hasNoModem)
    throw new ParseError('dumpsys telephony.registry', registry || isub);
  const silent = phones.every(({ dataConnectionState = -1 }) => dataConnectionState === -1);
  if (silent && isMissing(isub)) return {};
  const dataSlot = active?.find(({ subId }) => subId === defaultDataSubId)?.slot;
  const dataPhone = phones.find(({ slot }) => slot === dataSlot);
  return omitUndefined({
    dataState: dataPhone ? dataStateOf(dataPhone) : commonDataState(phones),
    subscriptions: active?.slice(0, MOST_SUBSCRIPTIONS).map(({ slot, subId }) => ({ slot, subId })),
  });
}

const isMissing = (answer: string): boolean => answer.includes("Can't find service: ");

function dataStateOf({ dataConnectionState, connectedApns }: RegistryPhone): MobileDataState | undefined {
  if (dataConnectionState === undefined) return undefined;
  const state = states[dataConnectionState + 1];
  return state === 'CONNECTED' && isForOneUse(connectedApns) ? 'DISCONNECTED' : state;
}

/**
 * Up to Android 9 a phone reports "connected" for any kind of APN, also for IMS or MMS. Huawei uses the default one,
 * and lists none, or only its `snssai`.
 *
 * Source: AOSP TelephonyRegistry.java, notifyDataConnectionForSubscriber().
 */
const isForOneUse = (apns: readonly string[] = []): boolean =>
  apns.length > 0 && !apns.includes('default') && !apns.includes('snssai');

/**
 * Used if the default data subscription is unknown. At most one slot carries data, so a connected one is the answer;
 * else the state on which all slots agree.
 */
function commonDataState(phones: readonly RegistryPhone[]): MobileDataState | undefined {
  const seen = new Set(phones.map(dataStateOf).filter((state) => state !== undefined));
  if (seen.has('CONNECTED')) return 'CONNECTED';
  if (seen.size > 1) seen.delete('UNKNOWN');
  return seen.size === 1 ? [...seen][0] : undefined;
}

export const mobile = {
  name: 'mobile',
  isPersonal: true,
  cadence: 'round',
  limitSeconds: 4,
  limitBytes: 192 * KIB,
  // Android 4.0 has no grep: it prints the whole dump
  commands: () => ({
    registry:
      'dumpsys telephony.registry|{ grep -E "^ *(Phone Id|m(Data)?Conn.*(State|Apns))=|^(loc|reg)|Denial|EXPIRED"||cat;}',
    isub: subscriptionsCommand,
  }),
  parse: ({ registry, isub }) => parseMobile(registry ?? '', isub ?? ''),
} as const satisfies Section<MobileFacts>;
