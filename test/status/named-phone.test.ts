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
