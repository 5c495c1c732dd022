/** Lets time pass for a simulated phone; a recording alone does not change. */
import type { SimulatedPhone } from './phone.ts';

/** How long the battery takes to gain or lose one percent. */
const SECONDS_PER_PERCENT = 60;

/** Starts the phone's clock; its battery charges or discharges according to its status. */
export function enliven(phone: SimulatedPhone): void {
  const startedAt = Date.now();
  const elapsedSeconds = () => (Date.now() - startedAt) / 1000;
  phone.alter('boot.clock', (text) => advanceClock(text, elapsedSeconds()));
  phone.alter('battery.dump', (text) => moveLevel(text, Math.floor(elapsedSeconds() / SECONDS_PER_PERCENT)));
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
