/** A past of a whole rack, as bench and tests need it: events and readings of each phone, day by day. */

import type { NewEvent } from '../../src/history/events/event.ts';
import type { Change } from '../../src/history/store/history.ts';

export const DAY_MS = 86_400_000;
const SAMPLE_MS = 5 * 60_000;
/** A phone is lost and back so often a day: more than a lab would bear. */
const LOSSES_A_DAY = 8;

export interface Past {
  phones: number;
  days: number;
  /** ms since the epoch. */
  until: number;
}

export const pastUdid = (phone: number): string => `R5CT${String(phone).padStart(3, '0')}0TB77X`;

/** One batch for each hour. */
export function* pastOf({ phones, days, until }: Past): Generator<Change[]> {
  const begin = Math.floor(until / DAY_MS - days) * DAY_MS;
  for (let hourAt = begin; hourAt < until; hourAt += DAY_MS / 24) {
    const udids = Array.from({ length: phones }, (_, phone) => phone);
    const events = udids.flatMap((phone) => eventsOf(phone, hourAt)).filter(({ at }) => at <= until);
    const samples = udids.flatMap((phone) => samplesOf(phone, hourAt)).filter(({ at }) => at <= until);
    events.sort((one, other) => one.at - other.at);
    yield [
      { kind: 'events', events },
      { kind: 'samples', samples },
    ];
  }
}

function eventsOf(phone: number, hourAt: number): NewEvent[] {
  const hour = Math.floor(hourAt / (DAY_MS / 24));
  const [hub, port] = [1 + Math.floor(phone / 7), 1 + (phone % 7)];
  const usual = {
    udid: pastUdid(phone),
    where: {
      slot: `rack 1, shelf ${hub}, bay ${port}`,
      devpath: `1-${hub}.${port}`,
      usbPath: `pci-0000:00:14.0-usb-0:${hub}.${port}`,
      hub: `pci-0000:00:14.0-usb-0:${hub}`,
    },
  };
  const at = hourAt + ((phone * 7919) % 3000) * 1000;
  if ((hour + phone) % (24 / LOSSES_A_DAY) === 0)
    return [
      { kind: 'detached', ...usual, at },
      { kind: 'attached', ...usual, at: at + 4000, state: 'offline' },
      { kind: 'state', ...usual, at: at + 6000, state: 'device', before: 'offline' },
    ];
  if ((hour + phone) % 24 === 1)
    return [{ kind: 'rebooted', ...usual, at, reason: 'reboot,ota', uptimeSeconds: 31 }];
  return [];
}

const samplesOf = (phone: number, hourAt: number) =>
  Array.from({ length: 12 }, (_, index) => ({
    udid: pastUdid(phone),
    at: hourAt + index * SAMPLE_MS,
    levelPercent: (phone * 13 + hourAt / SAMPLE_MS + index) % 101,
    temperatureDecicelsius: 250 + ((phone + index) % 120),
    isFull: index % 2 === 0,
    storageUsedBytes: 30_000_000_000 + phone * 1_000_003 + index * 4096,
  }));
