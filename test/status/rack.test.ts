import { describe, expect, it } from 'vitest';
import type { PhoneStatus } from '../../src/status/host-status.ts';
import { bandsOf } from '../../src/status/rack.ts';

const phone = (udid: string, more: Partial<PhoneStatus> = {}): PhoneStatus => ({
  udid,
  serial: udid,
  name: udid,
  connection: 'usb',
  attached: true,
  state: 'device',
  since: 0,
  condition: 'fine',
  sign: '',
  message: '',
  ...more,
});

const slots = ['rack 2, shelf 1, bay 1', 'rack 2, shelf 1, bay 2', 'rack 2, shelf 2, bay 1', 'window'];

describe('bandsOf', () => {
  it('draws every slot in the configured order, empty ones too, and the others last', () => {
    const phones = [
      phone('A', { slot: 'rack 2, shelf 2, bay 1' }),
      phone('B', { devpath: '1-7' }),
      phone('C', { slot: 'rack 2, shelf 1, bay 2' }),
    ];
    expect(bandsOf(slots, phones)).toEqual([
      {
        name: 'rack 2, shelf 1',
        bays: [
          { name: 'bay 1', slot: 'rack 2, shelf 1, bay 1' },
          { name: 'bay 2', slot: 'rack 2, shelf 1, bay 2', udid: 'C' },
        ],
      },
      { name: 'rack 2, shelf 2', bays: [{ name: 'bay 1', slot: 'rack 2, shelf 2, bay 1', udid: 'A' }] },
      { name: '', bays: [{ name: 'window', slot: 'window' }] },
      { name: '', bays: [{ name: '1-7', udid: 'B' }] },
    ]);
  });

  it('sorts phones without a slot by USB port, then those without a port by serial', () => {
    const ports = { A: '1-2.10', B: '1-2.3', C: '1-1.4', D: undefined, E: '10-1', F: undefined };
    const serials: Record<string, string> = { D: 'emulator-5554', F: '10.0.0.7:5555' };
    const phones = Object.entries(ports).map(([udid, devpath]) =>
      phone(udid, { serial: serials[udid] ?? udid, ...(devpath && { devpath }) }),
    );
    expect(bandsOf([], phones)[0]?.bays.map(({ udid }) => udid)).toEqual(['C', 'B', 'A', 'E', 'F', 'D']);
  });

  it('shows in a bay the phone that is in it, else the one that left it last', () => {
    const slot = 'window';
    const old = phone('A', { slot, attached: false, since: 5 });
    const older = phone('B', { slot, attached: false, since: 3 });
    const bay = (phones: PhoneStatus[]) => bandsOf([slot], phones)[0]?.bays[0]?.udid;
    expect(bay([older, old])).toBe('A');
    expect(bay([older, old, phone('C', { slot, since: 1 })])).toBe('C');
  });

  it('gives each phone that is in a slot a bay of its own, in the order in which they were first seen', () => {
    const [slot = '', next = ''] = slots;
    const phones = [
      phone('A', { slot, attached: false, since: 9 }),
      phone('B', { slot, since: 1 }),
      phone('C', { slot, since: 2 }),
    ];
    expect(bandsOf([slot, next], phones)).toEqual([
      {
        name: 'rack 2, shelf 1',
        bays: [
          { name: 'bay 1', slot, udid: 'B' },
          { name: 'bay 1', slot, udid: 'C' },
          { name: 'bay 2', slot: next },
        ],
      },
    ]);
  });
});
