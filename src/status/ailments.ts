/** What is the matter with a phone that only a person can mend. Pure. */
import { isPassing } from '../adb/passing-state.ts';
import type { PhoneView } from '../agent/view.ts';
import type { CauseKind } from './host-status.ts';

export interface Ailment {
  kind: CauseKind;
  /** In a word or three: `unauthorized`, `gone`, `hot`. */
  sign: string;
  /** What a person can do, one sentence. */
  remedy: string;
}

/** A battery that is so warm ages fast and may swell, °C: makers' limits for charging end at 45. */
export const HOT_CELSIUS = 45;
/** So full, a phone stops installing and updating apps. */
export const FULL_RATIO = 0.95;
/** adbd restarts, and a hub that is switched on, are over in less, ms. */
const PASSING_MS = 30_000;
/** The slowest phones have started by then, seconds. */
const STARTED_SECONDS = 600;

const BAD_BATTERY: Readonly<Record<string, string>> = {
  OVERHEAT: 'too hot',
  DEAD: 'dead',
  OVER_VOLTAGE: 'over voltage',
  UNSPECIFIED_FAILURE: 'failing',
};

/**
 * All that ails a phone, the worst first; none when it is fine, or when it only needs a moment.
 *
 * @param unchangedMs for how long adb has called it what it calls it now
 */
export function ailmentsOf(
  { device, info, snapshot, isSilent, refused }: PhoneView,
  unchangedMs: number,
): Ailment[] {
  const ailments: Ailment[] = [];
  const add = (kind: CauseKind, sign: string, remedy: string) => ailments.push({ kind, sign, remedy });
  const { message } = info;
  const boot = snapshot?.facts.boot;
  if (!device.attached) add('gone', 'gone', message);
  else if (device.state === 'unauthorized') add('unauthorized', 'unauthorized', message);
  else if (device.state !== 'device') {
    if (!isPassing(device.state) || unchangedMs > PASSING_MS) add('state', device.state, message);
  } else if (isSilent) add('silent', 'no answer', message);
  else if (boot?.bootCompleted === false) {
    if ((boot.uptimeSeconds ?? 0) > STARTED_SECONDS)
      add(
        'state',
        'starting for long',
        'The phone does not finish starting: restart it, or look at its screen',
      );
  } else if (boot?.dataLocked) add('locked', 'locked', message);
  if (refused !== undefined) add('refused', 'refused', `The cloud refuses the phone: ${refused}`);
  const { battery, storage, networkReachability } = info;
  const bad = BAD_BATTERY[battery?.health ?? ''];
  if (bad !== undefined)
    add('battery', `battery ${bad}`, 'Take the phone out and look at its battery: it may swell');
  else if ((battery?.temperature ?? 0) >= HOT_CELSIUS * 10)
    add('hot', 'hot', 'Let the phone cool down: stop its tests, unplug it, look whether its back is bulging');
  if (storage?.used !== undefined && storage.used >= storage.total * FULL_RATIO)
    add('storage', 'storage full', 'Free storage on the phone: remove apps and files that tests have left');
  if (networkReachability?.status === 'UNREACHABLE' && message !== '' && ailments.length === 0)
    add('network', 'no internet', message);
  return ailments;
}
