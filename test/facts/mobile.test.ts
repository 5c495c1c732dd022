import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../src/base/errors.ts';
import { mobile, parseMobile } from '../../src/facts/mobile.ts';
import { parseTelephonyRegistry } from '../../src/facts/telephony-registry.ts';
import { expectFacts, samples } from '../support/corpus.ts';
import { expectOnlyParseErrors, hostileText, huge } from '../support/hostile-text.ts';

const registries = samples('telephony_registry');
const textOf = (section: string, part: string) =>
  samples(section).find(({ file }) => file.includes(part))?.text ?? '';
const smartron = textOf('telephony_registry', 'smartron');
const isub14 = readFileSync(
  new URL('../fixtures/mobile/isub-android-14-two-sims.txt', import.meta.url),
  'utf8',
);
const noIsub = "Can't find service: isub\n";
const block = (slot: number, state: number) =>
  `  Phone Id=${slot}\n    mCallState=0\n    mDataConnectionState=${state}\n`;
const registry = (...states: number[]) =>
  `last known state:\n${states.map((state, slot) => block(slot, state)).join('')}local logs:\n`;

describe('a tablet without a modem', () => {
  it.each(['local logs:\nregistrations: count=20\n', '  registrations: count=3\n'])(
    'has a registry with no phone in it, and that is no error: %j',
    (registry) => {
      expect(parseMobile(registry, noIsub)).toEqual({});
      expect(() => parseMobile(registry, '')).toThrow(ParseError);
    },
  );
});

describe('parseTelephonyRegistry', () => {
  it.each(registries)('reads from $file what a careful person reads', ({ file, text, expected }) => {
    expectFacts(
      file,
      parseTelephonyRegistry(text).map(({ slot, dataConnectionState }) => ({ slot, dataConnectionState })),
      expected.phones.map(
        ({ phoneId = 0, dataConnectionState }: { phoneId?: number; dataConnectionState?: number }) => ({
          slot: phoneId,
          dataConnectionState,
        }),
      ),
    );
  });

  it('reads each phone of a dual-SIM phone of Android 4, which does not number them', () => {
    const dump =
      'last known state:\n  mDataConnectionState=0\n  mDataConnectionState=2\nregistrations: count=3\n';
    expect(parseTelephonyRegistry(dump)).toEqual([
      { slot: 0, dataConnectionState: 0 },
      { slot: 1, dataConnectionState: 2 },
    ]);
  });

  it('does not read the log below the blocks', () => {
    expect(parseTelephonyRegistry(`${registry(0)}  Phone Id=0\n    mDataConnectionState=2\n`)).toEqual([
      { slot: 0, dataConnectionState: 0 },
    ]);
  });
});

describe('parseMobile', () => {
  it('reads the state of the default data SIM and the SIMs of a dual-SIM phone on Android 8.1', () => {
    expect(parseMobile(smartron, textOf('isub', 'smartron'))).toEqual({
      dataState: 'CONNECTED',
      subscriptions: [{ slot: 1, subId: 1 }],
    });
  });

  it('reads the default data SIM, not the other one, on Android 14', () => {
    const subscriptions = [
      { slot: 0, subId: 2 },
      { slot: 1, subId: 3 },
    ];
    expect(parseMobile(registry(3, 2), isub14)).toEqual({ dataState: 'SUSPENDED', subscriptions });
    expect(parseMobile(registry(3, 2), isub14.replace('defaultDataSubId=2', 'defaultDataSubId=3'))).toEqual({
      dataState: 'CONNECTED',
      subscriptions,
    });
  });

  it.each([
    [-1, 'UNKNOWN'],
    [0, 'DISCONNECTED'],
    [1, 'CONNECTING'],
    [2, 'CONNECTED'],
    [3, 'SUSPENDED'],
    [4, 'DISCONNECTING'],
    [5, 'HANDOVER_IN_PROGRESS'],
    [6, undefined],
  ])('calls state %i %s', (state, word) => {
    expect(parseMobile(registry(state), isub14).dataState).toBe(word);
  });

  it('takes the connected phone where the default data SIM is not known', () => {
    expect(parseMobile(smartron, '')).toEqual({ dataState: 'CONNECTED' });
    expect(parseMobile(registry(-1, 0), '')).toEqual({ dataState: 'DISCONNECTED' });
    expect(parseMobile(registry(1, 0), '')).toEqual({});
  });

  it.each([
    ['[[ims], []]', 'DISCONNECTED'],
    ['[[ims, mms], [default]]', 'DISCONNECTED'],
    ['[[ims, default], []]', 'CONNECTED'],
    ['[[default], []]', 'CONNECTED'],
    // Huawei, which goes by the default APN and fills no list, or for a slice of 5G alone
    ['[[], []]', 'CONNECTED'],
    ['[[snssai], []]', 'CONNECTED'],
  ])('takes a phone of Android 9 that has connected the APNs %s for %s', (apns, word) => {
    const dump = registry(2, 0).replace('local logs:', `  mConnectedApns=${apns}\nlocal logs:`);
    expect(parseMobile(dump, isub14).dataState).toBe(word);
    expect(parseMobile(dump, '').dataState).toBe(word);
  });

  it('reads of Android 9 that a phone which has connected no APN is connecting', () => {
    const dump = registry(1).replace('local logs:', '  mConnectedApns=[[ims]]\nlocal logs:');
    expect(parseMobile(dump, isub14).dataState).toBe('CONNECTING');
  });

  it('reads a phone of before dual SIM', () => {
    expect(parseMobile(textOf('telephony_registry', 'nexusone'), noIsub)).toEqual({
      dataState: 'DISCONNECTED',
    });
  });

  it('knows no state where the dump has no line of it', () => {
    expect(parseMobile(textOf('telephony_registry', 'both-busy'), isub14)).toEqual({
      subscriptions: [
        { slot: 0, subId: 2 },
        { slot: 1, subId: 3 },
      ],
    });
  });

  it('has no facts of a tablet without telephony', () => {
    expect(parseMobile(registry(-1), noIsub)).toEqual({});
    expect(parseMobile("Can't find service: telephony.registry\n", noIsub)).toEqual({});
  });

  it.each([
    "*** SERVICE 'telephony.registry' DUMP TIMEOUT (10000ms) EXPIRED ***",
    "Permission Denial: can't dump telephony.registry from from pid=1, uid=2000",
    '',
  ])('throws ParseError at %j', (text) => {
    expect(() => parseMobile(text, '')).toThrow(ParseError);
    expect(() => mobile.parse({ registry: text })).toThrow('dumpsys telephony.registry');
  });

  it('stands whatever a phone prints, and reads the same with CRLF', () => {
    const texts = [...registries.map(({ text }) => text), registry(-1, 2)];
    fc.assert(
      fc.property(hostileText(texts), hostileText([isub14, noIsub]), (one, other) => {
        expectOnlyParseErrors((text) => parseMobile(text, other), one);
      }),
    );
    for (const text of texts) {
      expect(parseMobile(text.replaceAll('\n', '\r\n'), isub14)).toEqual(parseMobile(text, isub14));
      expectOnlyParseErrors((dump) => parseMobile(dump, ''), huge(text));
    }
    expectOnlyParseErrors((dump) => parseMobile(dump, ''), huge(' '));
    for (const blank of [' ', '\n', '\t', 'local '])
      expectOnlyParseErrors((dump) => parseMobile(dump, noIsub), huge(blank));
    expectOnlyParseErrors((dump) => parseMobile(dump, ''), huge('Phone Id=0\n'));
  });
});
