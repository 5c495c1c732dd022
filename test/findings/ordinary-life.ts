/** What happens in every lab, and is nobody's fault. */
import { DAY, HOUR, MINUTE, type SceneLab, type ScenePhone, SECOND } from './scene.ts';

/** Reasons as `sys.boot.reason` gives them after somebody restarted a phone; old phones give none. */
const reasons = ['reboot', 'reboot,userrequested', 'reboot,adb', 'reboot,shell', undefined];

/** The host restarts as planned: the agent is stopped before, and phones may be listed late. */
export function restartHost(lab: SceneLab, at: number): void {
  lab.host(at, { kind: 'agentStopped' });
  const bootedAt = at + 40 * SECOND;
  lab.host(at + 80 * SECOND, {
    kind: 'agentStarted',
    version: '0.9.0',
    hostBootedAt: bootedAt,
    lastAliveAt: at,
  });
}

export function restartAgent(lab: SceneLab, at: number): void {
  lab.host(at, { kind: 'agentStopped' });
  lab.host(at + 5 * SECOND, {
    kind: 'agentStarted',
    version: '0.9.0',
    hostBootedAt: lab.start - 20 * DAY,
    lastAliveAt: at,
  });
}

/** The server is killed and started again; some of its phones take a moment. */
export function restartAdb(lab: SceneLab, at: number): void {
  lab.host(at, { kind: 'adbLost', failureKind: 'absent' });
  const backAt = Math.round(at + lab.random.between(1, 8) * SECOND);
  lab.host(backAt, { kind: 'adbBack' });
  lab.host(backAt + 200, { kind: 'adbReplaced', version: 41 });
  for (const phone of lab.phones.filter(() => lab.random.chance(0.1)))
    lab.lose(phone, backAt + 300, { awayMs: Math.round(lab.random.between(1, 6) * SECOND) });
}

/** Somebody takes a phone for a while, and puts it back there or somewhere else. */
function take(lab: SceneLab, phone: ScenePhone): void {
  const { random } = lab;
  const at = lab.workingTime(random.between(0, 29));
  const days = (lab.now - at) / DAY;
  const ends = [
    at + random.between(15, 90) * MINUTE,
    lab.workingTime(days),
    lab.workingTime(days - random.whole(1, 3)),
  ];
  const awayMs = Math.round(Math.max(random.pick(ends) - at, 15 * MINUTE));
  const isMoved = phone.connection === 'usb' && !phone.isPinned && random.chance(0.3);
  const [to] = isMoved ? random.shuffled(lab.freePorts(at)) : [];
  lab.lose(phone, at, { awayMs, ...(to && { to }) });
}

export interface Life {
  /** How often a phone drops out for no reason, a phone and month. */
  glitches?: number;
  /** How often somebody takes a phone, a phone and month. */
  taken?: number;
}

export function ordinaryLife(lab: SceneLab, life: Life = {}): void {
  const { random } = lab;
  const { glitches = random.between(0.05, 0.3), taken = random.between(0.5, 2) } = life;
  restartAgent(lab, Math.round(lab.now - random.between(1, 29) * DAY));
  if (random.chance(0.4)) restartHost(lab, lab.workingTime(random.between(1, 28)));
  for (let left = random.whole(0, 3); left > 0; left -= 1)
    restartAdb(lab, Math.round(lab.now - random.between(1, 29) * DAY));
  for (let left = random.whole(0, 5); left > 0; left -= 1) {
    const at = Math.round(lab.now - random.between(0.1, 29) * DAY);
    lab.host(at, { kind: 'cloudLost', code: 'CLOUD_UNAVAILABLE' });
    lab.host(at + Math.round(random.between(1, 60) * MINUTE), { kind: 'cloudBack' });
  }
  if (random.chance(0.3)) lab.host(lab.workingTime(random.between(0, 28)), { kind: 'agentReloaded' });
  if (random.chance(0.15))
    lab.stepClock(
      lab.now - Math.round(random.between(0.5, 29) * DAY),
      random.pick([-HOUR, -90 * SECOND, 90 * SECOND, 2 * DAY]),
    );
  for (const phone of lab.phones) {
    const reason = random.pick(reasons);
    for (let left = random.poisson(taken); left > 0; left -= 1) if (!phone.isPinned) take(lab, phone);
    for (let left = random.poisson(0.8); left > 0; left -= 1) {
      const awayMs = Math.round(random.between(20, 90) * SECOND);
      lab.reboot(phone, lab.workingTime(random.between(0, 29)), { awayMs, reason });
    }
    for (let left = random.poisson(glitches); left > 0; left -= 1) {
      const at = Math.round(lab.now - random.between(0.02, 29.9) * DAY);
      lab.lose(phone, at, { awayMs: Math.round(random.between(1, 20) * SECOND) });
    }
    if (random.chance(0.1)) lab.phone(phone, lab.workingTime(random.between(0, 28)), { kind: 'stored' });
    if (random.chance(0.1))
      lab.phone(phone, lab.workingTime(random.between(0, 28)), { kind: 'sim', state: 'ABSENT' });
  }
}
