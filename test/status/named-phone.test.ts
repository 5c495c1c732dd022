import { describe, expect, it } from 'vitest';
import { phoneCalled } from '../../src/status/named-phone.ts';

const phones = [
  { udid: 'R58M1', serial: '192.168.1.7:5555', slot: 'rack 2, bay 4' },
  { udid: '0123@1-4', serial: '0123' },
  { udid: '0123@1-5', serial: '0123' },
  { udid: '192.168.1.7:5555', serial: 'other' },
];

describe('phoneCalled', () => {
  it('finds a phone by its udid before anything else, by its slot, and by its serial', () => {
    expect(phoneCalled('192.168.1.7:5555', phones)).toEqual({ udid: '192.168.1.7:5555' });
    expect(phoneCalled('Rack 2, bay 4', phones)).toEqual({ udid: 'R58M1' });
    expect(phoneCalled('other', phones)).toEqual({ udid: '192.168.1.7:5555' });
  });

  it('finds it by what the page shows, in any case, where that is unique', () => {
    const shown = [
      { udid: 'A', serial: 'A', name: 'Lab 1 – payments', model: 'POCO F6', slot: 'bay 1', devpath: '1-2.1' },
      { udid: 'B', serial: 'B', name: 'Pixel 5', model: 'Pixel 5', devpath: '1-2.10' },
    ];
    for (const name of ['lab 1 – payments', 'poco f6', 'Bay 1', '1-2.1'])
      expect([name, phoneCalled(name, shown)]).toEqual([name, { udid: 'A' }]);
    expect(phoneCalled('pixel 5', shown)).toEqual({ udid: 'B' });
    expect(phoneCalled('a', shown)).toMatchObject({ isKnown: false }); // not in another case by its udid
  });

  it('lists those that have the name, each with what tells it apart, and counts the rest of many', () => {
    const two = [
      { udid: 'A', serial: 'A', name: 'Kiosk', model: 'POCO F6', slot: 'rack 2, bay 4' },
      { udid: 'B', serial: 'B', name: 'POCO F6', model: 'POCO F6', devpath: '1-2.1' },
      { udid: 'C', serial: 'C', name: 'C', model: 'POCO F6' },
    ];
    expect(phoneCalled('POCO F6', two)).toEqual({
      problem: 'POCO F6 matches A (Kiosk at rack 2, bay 4), B (at 1-2.1), C: give the udid',
      isKnown: true,
    });
    const many = Array.from({ length: 60 }, (_, index) => ({
      udid: `P${index}`,
      serial: '',
      model: 'Pixel',
    }));
    expect(phoneCalled('Pixel', many)).toMatchObject({
      problem: 'Pixel matches P0, P1, P2, P3, P4, P5, P6, P7 and 52 more: give the udid',
    });
  });

  it('lets no phone take the udid of another one by its name', () => {
    const impostor = { udid: 'X', serial: 'X', name: 'R58M1' };
    expect(phoneCalled('R58M1', [...phones, impostor])).toEqual({ udid: 'R58M1' });
  });

  it('does not guess', () => {
    expect(phoneCalled('0123', phones)).toEqual({
      problem: '0123 matches 0123@1-4, 0123@1-5: give the udid',
      isKnown: true,
    });
    expect(phoneCalled('R58M2', phones)).toEqual({
      problem: 'no phone on this host has the name R58M2; did you mean R58M1?',
      isKnown: false,
    });
    expect(phoneCalled('R58N40', [{ udid: 'R58N40ABCBC', serial: 'R58N40ABCBC' }])).toEqual({
      problem: 'no phone on this host has the name R58N40; did you mean R58N40ABCBC?',
      isKnown: false,
    });
    expect(phoneCalled('..', [{ udid: '1-10.3', serial: '' }])).toEqual({
      problem: 'no phone on this host has the name ..; hostnode status lists the phones',
      isKnown: false,
    });
    expect(phoneCalled('Pixel', [])).toEqual({
      problem: 'no phone on this host has the name Pixel; hostnode status lists the phones',
      isKnown: false,
    });
  });
});
