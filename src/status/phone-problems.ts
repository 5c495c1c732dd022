/** What is wrong with a phone that only a person can fix. Pure. */
import { isPassing } from '../adb/passing-state.ts';
import type { PhoneView } from '../agent/view.ts';
import type { CauseKind } from './host-status.ts';

export interface PhoneProblem {
  kind: CauseKind;
  /** One to three words: `unauthorized`, `unplugged`, `hot`. */
  sign: string;
  /** What a person should do, one sentence. */
  remedy: string;
}

/** At this temperature a battery ages fast and may swell, °C: makers limit charging to 45. */
export const HOT_CELSIUS = 45;
/** At this fill level a phone stops installing and updating apps. */
export const FULL_RATIO = 0.95;
/** A restart of adbd, or a hub that powers up, takes less, ms. */
const PASSING_MS = 30_000;
/** The slowest phones boot in this time, seconds. */
const STARTED_SECONDS = 600;

const BAD_BATTERY: Readonly<Record<string, string>> = {
  OVERHEAT: 'too hot',
  DEAD: 'dead',
  OVER_VOLTAGE: 'over voltage',
  UNSPECIFIED_FAILURE: 'failing',
};

/**
 * All problems of a phone, worst first; none if it is fine or only needs a moment.
 *
 * @param unchangedMs how long adb has reported its current state
 */
export function problemsOf(
  { device, info, snapshot, isSilent, refused }: PhoneView,
  unchangedMs: number,
): PhoneProblem[] {
  const problems: PhoneProblem[] = [];
  const add = (kind: CauseKind, sign: string, remedy: string) => problems.push({ kind, sign, remedy });
  const { message } = info;
  const boot = snapshot?.facts.boot;
  if (!device.attached) add('unplugged', 'unplugged', message);
  else if (device.state === 'unauthorized') add('unauthorized', 'unauthorized', message);
  else if (device.state !== 'device') {
    if (!isPassing(device.state) || unchangedMs > PASSING_MS) add('state', device.state, message);
  } else if (isSilent) add('silent', 'no answer', message);
  else if (boot?.bootCompleted === false) {
    if ((boot.uptimeSeconds ?? 0) > STARTED_SECONDS)
      add('state', 'slow boot', 'Restart the phone, or check its screen: it does not finish booting');
  } else if (boot?.dataLocked) add('locked', 'locked', message);
  if (refused !== undefined) add('refused', 'rejected', `The cloud rejects the phone: ${refused}`);
  const { battery, storage, networkReachability } = info;
  const bad = BAD_BATTERY[battery?.health ?? ''];
  if (bad !== undefined)
    add('battery', `battery ${bad}`, 'Take the phone out and check its battery: it may swell');
  else if ((battery?.temperature ?? 0) >= HOT_CELSIUS * 10)
    add(
      'hot',
      'hot',
      'Let the phone cool down: stop its tests, unplug it, and check whether its back bulges',
    );
  if (storage?.used !== undefined && storage.used >= storage.total * FULL_RATIO)
    add('storage', 'storage full', 'Free storage on the phone: remove apps and files that tests left behind');
  if (networkReachability?.status === 'UNREACHABLE' && message !== '' && problems.length === 0)
    add('network', 'no internet', message);
  return problems;
}
