/**
 * The table of faults. Each is done to a running agent (or a starting one), watched, and ended; then nothing may be
 * lost. What may never be, whatever the fault, `World` watches by itself: an attached phone told as unplugged, a
 * phone's facts under another's name, an empty list, a report against the contract, a secret in the log, an end of
 * the process.
 */
import { callers } from './callers.ts';
import { adb, realAdb } from './table/adb.ts';
import { cloud } from './table/cloud.ts';
import { history } from './table/history.ts';
import { host } from './table/host.ts';
import { hostile } from './table/hostile.ts';
import { metrics } from './table/metrics.ts';
import { notify } from './table/notify.ts';

export const faults = {
  adb: [...adb, ...hostile, ...realAdb],
  cloud: [...cloud, ...metrics, ...notify],
  host: [...host, ...history, ...callers],
};
