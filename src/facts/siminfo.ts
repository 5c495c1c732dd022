/**
 * SIM cards with their complete ICCID, from `content query --uri content://telephony/siminfo`, which the shell may run up
 * to Android 10.
 *
 * Source: AOSP TelephonyProvider.java, table siminfo, and content's Content.java:
 * `Row: 0 _id=1, icc_id=…, sim_id=0, …`.
 */
import { plainText } from './phone-text.ts';

export interface SimRow {
  /** `_id`. */
  subId: number;
  /** `sim_id`: the slot, from 0; -1 for a card that is not inserted. */
  slot: number;
  /** `icc_id`, as printed. */
  iccid: string;
}

/** Android 5.1 to 10 (API 22 to 29); the query starts Java, so we run it rarely. */
export const simRowsCommand =
  'case $(getprop ro.build.version.sdk) in 2[2-9])content query --uri content://telephony/siminfo --projection _id:icc_id:sim_id;;esac';

const rowStart = /^ *Row: \d+ _id=(-?\d{1,10}), (.*)/;

/** All rows in printed order; empty if the provider refuses. Never throws. */
export function parseSimRows(answer: string): SimRow[] {
  return plainText(answer)
    .split('\n')
    .flatMap((line) => {
      const [, subId, columns = ''] = rowStart.exec(line) ?? [];
      const iccid = /(?:^|, )icc_id=([^,]*)/.exec(columns)?.[1];
      const slot = /(?:^|, )sim_id=(-?\d{1,2})(?:,|$)/.exec(columns.trimEnd())?.[1];
      return subId === undefined || iccid === undefined || slot === undefined
        ? []
        : [{ subId: Number(subId), slot: Number(slot), iccid }];
    });
}
