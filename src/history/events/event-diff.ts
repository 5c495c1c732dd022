/** What happened to a phone since its previous state. Pure; docs/events.md says when each kind of event comes. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { BootFacts } from '../../facts/boot.ts';
import { UPTIME_SLACK_SECONDS } from '../../facts/same-phone.ts';
import { hasSimChanged } from '../../facts/sim-state.ts';
import type { Boot, RosterDevice } from '../../roster/device.ts';
import { isSamePhone, joined } from '../../roster/device-changes.ts';
import type { PhoneHappening } from './event.ts';

/** The state of a phone up to which all is recorded. */
export type Previous = Pick<RosterDevice, 'attached' | 'state'> & Partial<RosterDevice>;

/** What else is known of a phone now. */
export interface Circumstances {
  /** The facts of its present boot, while they count. */
  boot?: BootFacts;
  /** Another phone of this host has one of the two boot ids: containers share their host's. */
  isBootShared?: boolean;
  /** The cloud's words, if it refused the phone; printable. */
  said?: string;
}

/** Of a phone of which nothing is recorded. */
export const nothingBefore: Previous = { attached: false, state: 'disconnected' };

/** In the order in which a person expects them. Facts of another phone, as at the same address, are no change. */
export function eventDiff(
  before: Previous,
  now: RosterDevice,
  circumstances: Circumstances,
): PhoneHappening[] {
  const former = isSameAs(before, now) ? before : undefined;
  return [
    ...connectionOf(before, now),
    ...identityOf(before, now),
    ...(former ? [...rebootOf(former, now, circumstances), ...changesOf(former, now)] : []),
    ...answerOf(before, now, circumstances),
  ];
}

/** The previous state from now on: what the phone does not say now, it has not taken back, but for being root. */
export const previousOf = ({ isAdbRoot: _, ...before }: Previous, now: RosterDevice): Previous =>
  isSameAs(before, now) ? joined(now, before) : now;

const isSameAs = ({ identity, boot }: Previous, now: RosterDevice): boolean =>
  (identity === now.identity && boot === now.boot) ||
  isSamePhone(
    omitUndefined({ identity, boot }),
    omitUndefined({ identity: now.identity, bootId: now.boot?.id || undefined }),
  );

function connectionOf(before: Previous, { attached, state, reason }: RosterDevice): PhoneHappening[] {
  if (!attached) return before.attached ? [{ kind: 'detached' }] : [];
  if (!before.attached) return [{ kind: 'attached', state }];
  if (state === before.state) return [];
  return [{ kind: 'state', state, before: before.state, ...omitUndefined({ reason }) }];
}

function identityOf({ identity: was }: Previous, { identity: is }: RosterDevice): PhoneHappening[] {
  if (is === undefined || (was?.model === is.model && was?.brand === is.brand)) return [];
  return [{ kind: 'identity', ...omitUndefined({ model: is.model, brand: is.brand }) }];
}

function changesOf(before: Previous, now: RosterDevice): PhoneHappening[] {
  const { simState, batteryHealth } = now;
  const changes: PhoneHappening[] = [];
  const { androidRelease: release, build } = now.identity ?? {};
  const { androidRelease: formerRelease, build: buildBefore } = before.identity ?? {};
  if (differ(formerRelease, release) || differ(buildBefore, build))
    changes.push({ kind: 'os', ...omitUndefined({ release, before: formerRelease, build, buildBefore }) });
  if (simState !== undefined && hasSimChanged(before.simState, simState))
    changes.push({ kind: 'sim', state: simState, ...omitUndefined({ before: before.simState }) });
  if (batteryHealth && before.batteryHealth && batteryHealth !== before.batteryHealth)
    changes.push({ kind: 'batteryHealth', health: batteryHealth, before: before.batteryHealth });
  const { isAdbRoot: isRoot = false } = now;
  if (isRoot !== (before.isAdbRoot ?? false)) changes.push({ kind: 'adbRoot', isRoot });
  return changes;
}

/** Only what both name can differ. */
const differ = (one: string | undefined, other: string | undefined): boolean =>
  Boolean(one && other) && one !== other;

function rebootOf(
  before: Previous,
  now: RosterDevice,
  { boot, isBootShared }: Circumstances,
): PhoneHappening[] {
  if (isBootShared || !hasRebooted(before.boot, now.boot)) return [];
  const isOfThisBoot = boot?.bootId === undefined || boot.bootId === now.boot?.id;
  const { bootReason: reason, uptimeSeconds } = (isOfThisBoot && boot) || {};
  return [{ kind: 'rebooted', ...omitUndefined({ reason, uptimeSeconds }) }];
}

/** By boot id; of a phone that hides it, by when it booted: a phone that was only unplugged has booted when it had. */
function hasRebooted(before: Boot | undefined, now: Boot | undefined): boolean {
  if (before === undefined || now === undefined) return false;
  if (before.id !== '' && now.id !== '') return before.id !== now.id;
  return now.bootTimeSeconds - before.bootTimeSeconds > UPTIME_SLACK_SECONDS;
}

function answerOf(
  before: Previous,
  { cloudAnswer }: RosterDevice,
  { said }: Circumstances,
): PhoneHappening[] {
  if (cloudAnswer === undefined || cloudAnswer === before.cloudAnswer) return [];
  return [cloudAnswer === 'stored' ? { kind: 'stored' } : { kind: 'refused', ...omitUndefined({ said }) }];
}
