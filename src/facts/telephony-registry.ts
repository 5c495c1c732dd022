/**
 * The phones (one per SIM slot) in `dumpsys telephony.registry`.
 *
 * Source: AOSP TelephonyRegistry.java, dump(). Since Android 5 a block for each slot, headed `Phone Id=N`; before,
 * one block without a heading. The blocks end where the log or the list of listeners begins, and what stands there
 * (`onDataConnectionStateChanged(-1, 13)`) is the past. Android 8 and 9 print below the blocks which kinds of APN each
 * phone has connected, `mConnectedApns=[[], [default]]`.
 */
import { plainText } from './phone-text.ts';

/** The phone of one slot. */
export interface RegistryPhone {
  /** The SIM slot, from 0. */
  slot: number;
  /** TelephonyManager.DATA_*, as printed: -1 to 5. */
  dataConnectionState?: number;
  /** The connected kinds of APN, if the dump shows them. */
  connectedApns?: string[];
}

const heading = /^ *Phone Id=(\d{1,2}) *$/;
const dataConnectionState = /^ *mDataConnectionState=(-?\d{1,2}) *$/;
const connectedApns = /^ *mConnectedApns=\[(.{0,1000})\] *$/m;
const end = /^ *(?:local logs|registrations)\b/;

/** Parses the dump, whole or reduced to the relevant lines. Never throws. */
export function parseTelephonyRegistry(dump: string): RegistryPhone[] {
  const phones: RegistryPhone[] = [];
  let headed: RegistryPhone | undefined;
  const plain = plainText(dump);
  for (const line of plain.split('\n')) {
    if (end.test(line)) break;
    const slot = heading.exec(line)?.[1];
    const state = dataConnectionState.exec(line)?.[1];
    if (slot !== undefined) {
      headed = { slot: Number(slot) };
      phones.push(headed);
    }
    if (state === undefined) continue;
    // dual-SIM phones of Android 4 repeat the lines without a heading
    if (headed === undefined) phones.push({ slot: phones.length, dataConnectionState: Number(state) });
    else headed.dataConnectionState ??= Number(state);
  }
  noteConnectedApns(phones, connectedApns.exec(plain)?.[1] ?? '');
  return phones;
}

/** @param lists `[], [default, mms]`: one for each slot */
function noteConnectedApns(phones: readonly RegistryPhone[], lists: string): void {
  for (const [slot, [, list = '']] of [...lists.matchAll(/\[([^[\]]*)\]/g)].entries()) {
    const phone = phones.find((each) => each.slot === slot);
    if (phone) phone.connectedApns = list.split(', ').filter((apn) => apn !== '');
  }
}
