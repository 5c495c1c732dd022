/**
 * The SIMs by slot, from `dumpsys isub`.
 *
 * Source: AOSP SubscriptionController.java, dump() (5.0 to 13: `ActiveSubInfoList:`, rows `{id=1, iccId=…
 * simSlotIndex=0 displayName=…`, in 5.0 `{mSubId=1, mIccId=… mSlotId=0 mDisplayName=…`) and
 * SubscriptionManagerService.java, dump() (from 14: `Active subscriptions:`, rows `[SubscriptionInfoInternal: id=1
 * iccId=… simSlotIndex=0 …`); the later releases of 13 head the rows of the older list `[SubscriptionInfo: id=1 …`
 * (SubscriptionInfo.java, toString()). Then follow all SIMs ever seen, in the same rows, and a log; Xiaomi puts
 * `ActiveSubInfoList in the DB:` between, which may be stale.
 */
import { omitUndefined } from '../base/omit-undefined.ts';
import { plainText } from './phone-text.ts';

/** A SIM in a slot. */
export interface Subscription {
  /** From 0. */
  slot: number;
  subId: number;
}

export interface ListedSubscription extends Subscription {
  /** The ICCID as shown: complete up to Android 8.0 and on debuggable builds, else its first digits and a mask. */
  shownIccid?: string;
}

export interface SubscriptionList {
  /** Absent if none is set. */
  defaultDataSubId?: number;
  /** The inserted SIMs by slot; absent if the dump has no such list. */
  active?: ListedSubscription[];
}

/**
 * Prints only the lines that we parse, without names and phone numbers. Android 4.0 has neither grep nor this service.
 */
export const subscriptionsCommand =
  'dumpsys isub|grep -oE "^ *(A(ll|ctive) ?[Ss]ub|defaultDataSubId=.*|[{[].*Slot(Index|Id)=[0-9]+)"';

const listHeading = /^ *(Active|All) ?[Ss]ub/;
const defaultDataSubId = /^ *defaultDataSubId=(\d{1,10}) *$/;

/** Parses the dump, whole or as `subscriptionsCommand` prints it. Never throws. */
export function parseSubscriptions(dump: string): SubscriptionList {
  let defaultData: number | undefined;
  let active: Map<number, ListedSubscription> | undefined;
  for (const line of plainText(dump).split('\n')) {
    const list = listHeading.exec(line)?.[1];
    if (list !== undefined && (list === 'All' || active)) break;
    if (list !== undefined) active = new Map();
    const subId = defaultDataSubId.exec(line)?.[1];
    if (subId !== undefined) defaultData ??= Number(subId);
    const row = active && parseSubscription(line);
    if (row && !active?.has(row.slot)) active?.set(row.slot, row);
  }
  return omitUndefined({
    defaultDataSubId: defaultData,
    active: active && [...active.values()].sort((one, other) => one.slot - other.slot),
  });
}

const rowStart = /^ *[{[](?:SubscriptionInfo(?:Internal)?: )?(?:id|mSubId)=(\d{1,10})[, ]/;

/** One row of the list; undefined for any other line, and for a SIM without a slot (-1). */
export function parseSubscription(line: string): ListedSubscription | undefined {
  const subId = rowStart.exec(line)?.[1];
  if (subId === undefined) return undefined;
  // the text after the name may be anything: people name their SIMs
  const [head = ''] = line.slice(0, 500).split(/ m?[Dd]isplayName=/, 1);
  const slot = / (?:simSlotIndex|mSlotId)=(\d{1,2})\b/.exec(head)?.[1];
  if (slot === undefined) return undefined;
  const shownIccid = / m?[Ii]ccId=(\d\S*)/.exec(head)?.[1];
  return omitUndefined({ slot: Number(slot), subId: Number(subId), shownIccid });
}
