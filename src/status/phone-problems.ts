/** What is wrong with a phone that only a person can fix. Pure. */
import { isPassing } from '../adb/adb.ts';
import type { PhoneView } from '../agent/view.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { COOL_DOWN, HOT_CELSIUS } from '../diagnosis/rules/battery.ts';
import { FULL_RATIO } from '../diagnosis/rules/storage.ts';
import type { CauseKind } from './host-status.ts';
import { bySeverity } from './severity.ts';

export interface PhoneProblem {
  kind: CauseKind;
  /** One to three words: `unauthorized`, `unplugged`, `hot`. */
  sign: string;
  /** The cloud's own words, if it rejects the phone; one line. */
  said?: string;
  /** What a person should do, one sentence. */
  remedy: string;
  /** Does its report to the cloud say this remedy too, as `message`? */
  isReported?: true;
}

/** A restart of adbd, or a hub that powers up, takes less, ms. */
const PASSING_MS = 30_000;
/** The slowest phones boot in this time, seconds. */
const STARTED_SECONDS = 600;

/** The sign of a phone that says so itself. */
export const BATTERY_TOO_HOT = 'battery too hot';

const BAD_BATTERY: Readonly<Record<string, string>> = {
  OVERHEAT: BATTERY_TOO_HOT,
  DEAD: 'battery dead',
  OVER_VOLTAGE: 'battery over voltage',
  UNSPECIFIED_FAILURE: 'battery failing',
};

/**
 * All problems of a phone, worst first; none if it is fine or only needs a moment.
 *
 * @param unchangedMs how long adb has reported its current state
 */
export function problemsOf(
  { device, remedy: message, snapshot, isSilent, refused }: Omit<PhoneView, 'info'>,
  unchangedMs: number,
): PhoneProblem[] {
  const problems: PhoneProblem[] = [];
  const { boot, battery, storage, network } = snapshot?.facts ?? {};
  const add = (kind: CauseKind, sign: string, remedy: string) => problems.push({ kind, sign, remedy });
  const addReported = (kind: CauseKind, sign: string) =>
    problems.push({ kind, sign, remedy: message, isReported: true });
  if (!device.attached) addReported('unplugged', 'unplugged');
  else if (device.state === 'unauthorized') addReported('unauthorized', 'unauthorized');
  else if (device.state !== 'device') {
    if (!isPassing(device.state) || unchangedMs > PASSING_MS) addReported('state', device.state);
  } else if (isSilent) addReported('silent', 'no answer');
  else if (boot?.bootCompleted === false) {
    if ((boot.uptimeSeconds ?? 0) > STARTED_SECONDS)
      add('state', 'slow boot', 'Restart the phone, or check its screen: it does not finish booting');
  } else if (boot?.dataLocked) addReported('locked', 'locked');
  if (refused !== undefined) {
    const remedy = 'Fix what the cloud names; each report sends the phone again';
    problems.push(
      omitUndefined({ kind: 'refused' as const, sign: 'rejected', said: refused || undefined, remedy }),
    );
  }
  const bad = BAD_BATTERY[battery?.health ?? ''];
  if (bad !== undefined) add('battery', bad, 'Take the phone out and check its battery: it may swell');
  else if ((battery?.temperatureDecicelsius ?? 0) >= HOT_CELSIUS * 10) add('hot', 'hot', COOL_DOWN);
  if (storage && storage.usedBytes >= storage.totalBytes * FULL_RATIO)
    add('storage', 'storage full', 'Free storage on the phone: remove apps and files that tests left behind');
  if (network?.status === 'UNREACHABLE' && message !== '' && problems.length === 0)
    addReported('network', 'no internet');
  return problems.sort(bySeverity);
}
