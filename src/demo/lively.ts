/** Lets time pass for a simulated phone; a recording alone does not change. */
import type { SimulatedPhone } from './phone.ts';

export interface Pace {
  /** The time now, ms since the epoch. */
  now: () => number;
  /** How long the battery takes to gain or lose one percent, seconds. */
  secondsPerPercent: number;
}

/** Starts the phone's clock; its battery charges or discharges according to its status. */
export function enliven(phone: SimulatedPhone, pace: Partial<Pace> = {}): void {
  const { now = Date.now, secondsPerPercent = 60 } = pace;
  const startedAt = now();
  const elapsedSeconds = () => (now() - startedAt) / 1000;
  phone.alter('boot.clock', (text) => advanceClock(text, elapsedSeconds()));
  phone.alter('battery.dump', (text) => moveLevel(text, Math.floor(elapsedSeconds() / secondsPerPercent)));
}

/** Moves both numbers of `/proc/uptime` on: the time since boot, and the idle time. */
function advanceClock(text: string, seconds: number): string {
  return text.replace(/^(\d+\.\d+) (\d+\.\d+)$/m, (_, up: string, idle: string) =>
    [up, idle].map((value) => (Number(value) + seconds).toFixed(2)).join(' '),
  );
}

/** BatteryManager.BATTERY_STATUS_CHARGING and _DISCHARGING. */
const directions: Record<string, number> = { '2': 1, '3': -1 };

/** Moves the level in the direction of the battery's status, between 1 and 100 percent. */
function moveLevel(text: string, percent: number): string {
  const status = /^ *status: (\d+)$/m.exec(text)?.[1] ?? '';
  const change = percent * (directions[status] ?? 0);
  return text.replace(
    /^( *level: )(\d+)$/m,
    (_, key: string, level: string) => key + String(Math.min(100, Math.max(1, Number(level) + change))),
  );
}
