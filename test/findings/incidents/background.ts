/** What happens in every lab, and is nobody's fault: hands, restarts, updates of the agent, a cloud that is away. */
import {
  DAY,
  HOUR,
  type Lab,
  type LabOptions,
  type LabPhone,
  MINUTE,
  type Reading,
  SECOND,
  type ToldLoss,
} from './lab.ts';

export interface Background {
  /** How often somebody takes a phone for a while, a phone and month, in working hours. */
  taken?: number;
  /** How often a phone drops out for some seconds, a phone and month. */
  glitches?: number;
  /** How often somebody or a test restarts a phone, a phone and month. */
  restarts?: number;
  /** When people are there: hours of the lab's clock. */
  hours?: readonly [number, number];
  /** They come on weekends too. */
  isDaily?: boolean;
  /** On which days they come, 0 for Sunday, where that is not as said above. */
  weekdays?: ReadonlySet<number>;
  /** The agent is restarted once at night. Default: true. */
  isUpdated?: boolean;
  /** Phones have readings. Default: true. */
  hasReadings?: boolean;
}

/** Reasons as `sys.boot.reason` gives them after somebody restarted a phone; old phones give none. */
const reasons = ['reboot', 'reboot,userrequested', 'reboot,adb', 'reboot,shell', undefined];

/** A moment when people are there. */
export function workingTime(
  lab: Lab,
  { hours: [from, to] = [9, 18], isDaily = false, weekdays }: Background = {},
): number {
  const isOpen = (day: number) => isDaily || (weekdays?.has(lab.weekday(day)) ?? lab.isWorkday(day));
  let day = lab.random.whole(0, lab.days - 1);
  while (!isOpen(day)) day = (day + 1) % lab.days;
  return Math.round(lab.at(day) + lab.random.between(from, to) * HOUR);
}

/** A phone that tests use by day, and that charges in the evening: full for about half of the time. */
export function inUse(lab: Lab): Reading {
  const { random } = lab;
  const [above, noise, least] = [random.between(20, 50), random.whole(1, 97), random.whole(55, 85)];
  const midnight = lab.start;
  return (at) => {
    const hour = ((at - midnight) / HOUR) % 24;
    const used = hour < 9 ? 0 : hour < 18 ? (hour - 9) / 9 : Math.max(0, 1 - (hour - 18) / 4);
    const levelPercent = Math.round(100 - (100 - least) * used);
    const wave = 12 * Math.cos((2 * Math.PI * (hour - 14)) / 24);
    const jitter = ((at / MINUTE) * 7 + noise) % 9;
    return {
      levelPercent,
      isFull: levelPercent === 100,
      temperatureDecicelsius: Math.round(250 + above + wave + jitter - 4),
    };
  };
}

/** Nothing is read from it in these times. */
export function notReadIn(
  lab: Lab,
  phone: LabPhone,
  times: readonly (readonly [from: number, to: number])[],
): void {
  const usual = inUse(lab);
  phone.reading = (at) => (times.some(([from, to]) => at >= from && at < to) ? undefined : usual(at));
}

/** The level goes straight from one moment to the next. */
export const levels =
  (points: readonly (readonly [at: number, percent: number])[], decicelsius = 290): Reading =>
  (at) => {
    const before = points.findLast(([moment]) => moment <= at) ?? points[0] ?? [at, 50];
    const after = points.find(([moment]) => moment > at) ?? before;
    const part = after[0] > before[0] ? Math.max(0, at - before[0]) / (after[0] - before[0]) : 0;
    const levelPercent = Math.round(before[1] + (after[1] - before[1]) * part);
    return { levelPercent, isFull: levelPercent === 100, temperatureDecicelsius: decicelsius };
  };

/** For `lab.at`. */
export type Moment = readonly [day: number, time: string];

/** Without `to` it has not come back. */
export const goneUntil = (lab: Lab, phone: LabPhone, from: Moment, to?: Moment): ToldLoss =>
  lab.lose(phone, lab.at(...from), to ? { forMs: lab.at(...to) - lab.at(...from) } : {});

/** It switches itself off, and somebody presses its power button later. */
export const offUntil = (lab: Lab, phone: LabPhone, from: Moment, to: Moment): ToldLoss =>
  offAndOn(lab, phone, lab.at(...from), lab.at(...to) - lab.at(...from), 'cold,powerkey');

/** What USB shows of a phone whose USB debugging is off: a mode for files. */
export const withoutDebugging = (at: number) => ({
  interfaces: [{ kind: '06/01/01', endpoints: 3 }],
  connectedAt: at,
});

/** A machine of a big lab, in which each has one phone. */
export const bot = (more: LabOptions): LabOptions => ({
  zone: 'America/Los_Angeles',
  hubs: [],
  direct: 1,
  known: { slots: false },
  ...more,
});

/** It switches itself off, or hangs, and somebody starts it at the end of that; it is asked 20 s after it is back. */
export function offAndOn(lab: Lab, phone: LabPhone, at: number, forMs: number, reason?: string): ToldLoss {
  lab.rebooted(phone, at + forMs + 20 * SECOND, { reason, uptimeSeconds: 60 });
  return lab.lose(phone, at, { forMs });
}

/** With which each history begins. */
export const agentStartsFirst = (lab: Lab): void =>
  lab.host(lab.start, { kind: 'agentStarted', version: '1.0.0', hostBootedAt: lab.start - 20 * DAY });

export function agentRestarts(lab: Lab, at: number): void {
  lab.host(at, { kind: 'agentStopped' });
  lab.host(at + 5 * SECOND, {
    kind: 'agentStarted',
    version: '1.0.0',
    hostBootedAt: lab.start - 20 * DAY,
    lastAliveAt: at,
  });
}

/** As planned: the agent is stopped before. Some phones are listed a moment later. */
export function hostRestarts(lab: Lab, at: number): void {
  lab.host(at, { kind: 'agentStopped' });
  const startedAt = at + 80 * SECOND;
  lab.host(startedAt, {
    kind: 'agentStarted',
    version: '1.0.0',
    hostBootedAt: at + 40 * SECOND,
    lastAliveAt: at,
  });
  for (const phone of lab.phones.filter(({ isPinned }) => !isPinned && lab.random.chance(0.1)))
    if (lab.isFree(phone, at, startedAt + MINUTE)) lab.lose(phone, startedAt + 500, { forMs: 5 * SECOND });
}

/** It ends without a word, and is started some time later. @returns when its agent runs again */
export function hostDies(lab: Lab, at: number, forMs: number): number {
  const startedAt = Math.round(at + forMs);
  lab.host(startedAt, {
    kind: 'agentStarted',
    version: '1.0.0',
    hostBootedAt: startedAt - 45 * SECOND,
    lastAliveAt: Math.round(at),
  });
  return startedAt;
}

/** @returns when it is back */
export function adbRestarts(lab: Lab, at: number, version?: number, forMs = 3 * SECOND): number {
  const back = at + forMs;
  lab.host(at, { kind: 'adbLost', failureKind: 'closed' });
  lab.host(back, { kind: 'adbBack' });
  lab.host(back + 200, { kind: 'adbReplaced', ...(version !== undefined && { version }) });
  return back;
}

/** Somebody takes a phone for some minutes or hours, at times overnight, and puts it back there, or somewhere else. */
function take(lab: Lab, phone: LabPhone, life: Background): void {
  const { random } = lab;
  const at = workingTime(lab, life);
  const isOvernight = random.chance(0.1);
  const forMs = Math.round(isOvernight ? 24 * HOUR : random.between(6, 150) * MINUTE);
  if (!lab.isFree(phone, at, at + forMs) || at + forMs > lab.end) return;
  const isMoved = phone.connection === 'usb' && random.chance(0.25);
  const [to] = isMoved ? random.shuffled(lab.freePorts(at)) : [];
  lab.lose(phone, at, { forMs, ...(to && { to }) });
}

/** Tell what the scene is about first: these leave alone who is busy or pinned. */
export function background(lab: Lab, life: Background = {}): void {
  const { taken = 0.8, glitches = 0.1, restarts = 0.5, hasReadings = true, isUpdated = true } = life;
  const { random } = lab;
  const updatedOn = random.whole(1, lab.days - 2);
  if (isUpdated) agentRestarts(lab, lab.at(updatedOn, '03:10'));
  if (random.chance(0.4)) {
    const at = workingTime(lab, life);
    lab.host(at, { kind: 'cloudLost', code: 'CLOUD_UNAVAILABLE' });
    lab.host(at + 7 * MINUTE, { kind: 'cloudBack' });
  }
  for (const phone of lab.phones) {
    if (hasReadings && phone.connection !== 'emulator') phone.reading ??= inUse(lab);
    if (phone.isPinned || phone.connection === 'emulator') continue;
    for (let left = random.poisson(taken); left > 0; left -= 1) take(lab, phone, life);
    const reason = random.pick(reasons);
    for (let left = random.poisson(restarts); left > 0; left -= 1) {
      const at = workingTime(lab, life);
      const forMs = Math.round(random.between(25, 80) * SECOND);
      if (lab.isFree(phone, at, at + 3 * MINUTE)) lab.reboot(phone, at, { forMs, ...(reason && { reason }) });
    }
    for (let left = random.poisson(glitches); left > 0; left -= 1) {
      const at = Math.round(random.between(lab.start + HOUR, lab.end - HOUR));
      const forMs = Math.round(random.between(1, 15) * SECOND);
      if (lab.isFree(phone, at, at + MINUTE)) lab.lose(phone, at, { forMs });
    }
  }
}
