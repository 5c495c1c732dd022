import { describe, expect, it } from 'vitest';
import { namelessWarnings, whyNoPhones } from '../../src/cli/no-phones.ts';

describe('why there are no phones', () => {
  it.each([
    ['adb lists none', { entries: 0, nameless: 0, phones: 0, ignored: 0 }, /^No phones: adb lists none\. /],
    ['all are gone', { entries: 1, nameless: 0, phones: 0, ignored: 0 }, /^No phones: all that adb lists /],
    [
      'the lab ignores the only one',
      { entries: 2, nameless: 0, phones: 1, ignored: 1 },
      /^1 phone, ignored by the /,
    ],
    [
      'the lab ignores all',
      { entries: 2, nameless: 0, phones: 2, ignored: 2 },
      /^2 phones, all ignored by the /,
    ],
  ])('is that %s', (_, listing, why) => {
    expect(whyNoPhones(listing)).toEqual([expect.stringMatching(why)]);
  });

  it.each([
    ['another one was asked for', { entries: 2, nameless: 0, phones: 2, ignored: 1 }],
    ['no device has a name', { entries: 1, nameless: 1, phones: 0, ignored: 0 }],
  ])('is not for adb to say where %s', (_, listing) => {
    expect(whyNoPhones(listing)).toEqual([]);
  });
});

describe('a device that has no name', () => {
  it('is counted', () => {
    expect([0, 1, 2].flatMap(namelessWarnings)).toEqual([
      'adb lists a device without serial number and USB path: hostnode cannot report it',
      'adb lists 2 devices without serial number and USB path: hostnode cannot report them',
    ]);
  });
});
