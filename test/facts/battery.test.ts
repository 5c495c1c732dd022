import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../src/base/errors.ts';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import { parseBattery } from '../../src/facts/battery.ts';
import { expectFacts, expectUnreadable, samples } from '../support/corpus.ts';
import { expectOnlyParseErrors, hostileText, huge } from '../support/hostile-text.ts';

const phones = samples('battery');
const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/battery/${name}.txt`, import.meta.url), 'utf8');
const samsung = fixture('samsung-galaxy-2016-android-8');
const statuses = ['', 'UNKNOWN', 'CHARGING', 'DISCHARGING', 'NOT_CHARGING', 'FULL'];
const healths = ['', 'UNKNOWN', 'GOOD'];

/** A dump with these lines in place of the Samsung's own. */
const dumpWith = (lines: Record<string, string>) =>
  Object.entries(lines).reduce(
    (text, [key, value]) => text.replace(new RegExp(`^  ${key}: .*$`, 'm'), `  ${key}: ${value}`),
    samsung,
  );

describe('parseBattery', () => {
  it.each(phones.filter(({ expected }) => expected && !expected.updatesStopped))(
    'reads the battery of $file',
    ({ file, text, expected }) => {
      expectFacts(
        file,
        parseBattery(text),
        omitUndefined({
          isPresent: expected.present,
          levelPercent: expected.level,
          temperatureDecicelsius: expected.temperature ?? undefined,
          voltageMillivolts: expected.voltage,
          status: statuses[expected.status],
          health: healths[expected.health],
          technology: expected.technology,
          healthPercent: expected.asoc ?? expected.capacityPercent,
        }),
      );
    },
  );

  it.each(phones.filter(({ expected }) => expected === null))(
    'throws ParseError for $file',
    ({ file, text }) => {
      expectUnreadable(file, () => parseBattery(text));
    },
  );

  it.each(phones.filter(({ expected }) => expected?.updatesStopped))(
    'takes no values that a tester has forced in $file',
    ({ file, text }) => expectFacts(file, parseBattery(text), {}),
  );

  it('reads a Samsung whose own lines come before, between and after', () => {
    expect(parseBattery(samsung)).toEqual({
      isPresent: true,
      levelPercent: 84,
      temperatureDecicelsius: 326,
      voltageMillivolts: 4063,
      status: 'CHARGING',
      health: 'GOOD',
      technology: 'Li-ion',
      healthPercent: 77,
    });
  });

  it('reads a Galaxy S24 that adds the voltage it last sent to apps and a log of former values', () => {
    expect(parseBattery(fixture('samsung-s24-one-ui'))).toEqual({
      isPresent: true,
      levelPercent: 75,
      temperatureDecicelsius: 357,
      voltageMillivolts: 4156,
      status: 'CHARGING',
      health: 'GOOD',
      technology: 'Li-ion',
      healthPercent: 99,
    });
  });

  it.each([
    ['mSavedBatteryAsoc: -1', undefined],
    ['mSavedBatteryAsoc: 0', undefined],
    ['mSavedBatteryAsoc: 101', undefined],
    ['mSavedBatteryAsoc: [8', undefined],
    ['mSavedBatteryAsoc: -1\n  mSavedBatteryBsoh: 91', 91],
    ['mSavedBatteryMaxTemp: 77', undefined],
  ])('takes the maker’s own figure of the battery’s health only where it is one: %j', (lines, percent) => {
    const dump = samsung.replace('mSavedBatteryAsoc: 77', lines);
    expect(parseBattery(dump).healthPercent).toBe(percent);
  });

  it.each([
    [6_977_000, 7_000_000, 100],
    [5_200_000, 5_142_000, 100],
    [3_600_000, 5_000_000, 72],
    [5_000, 5_142_000, undefined],
    [9_000_000, 5_142_000, undefined],
    [0, 5_142_000, undefined],
    [5_142_000, 0, undefined],
    [0, 0, undefined],
  ])('reads Motorola’s capacity of %i of %i as %j percent', (full, design, percent) => {
    const motorola = phones.find(({ file }) => file.includes('motorola'))?.text ?? '';
    const dump = motorola
      .replace('Full capacity: 5142000', `Full capacity: ${full}`)
      .replace('Full design capacity: 5142000', `Full design capacity: ${design}`);
    expect(parseBattery(dump).healthPercent).toBe(percent);
  });

  it('reads what a build of Android 16 says of the battery’s capacity', () => {
    expect(parseBattery(fixture('capacity-android-16'))).toEqual({
      isPresent: true,
      levelPercent: 100,
      temperatureDecicelsius: 270,
      voltageMillivolts: 4318,
      status: 'DISCHARGING',
      health: 'GOOD',
      technology: 'Li-poly',
      healthPercent: 74,
    });
  });

  it('knows no health of a battery whose phone gives a charge counter alone', () => {
    expect(Object.keys(parseBattery('  level: 100\n  Charge counter: 2087000\n  status: 5\n'))).toEqual([
      'levelPercent',
      'status',
    ]);
  });

  it('takes no values that a tester has forced', () => {
    const forced = samsung.replace('state:\n', "state:\n  (UPDATES STOPPED -- use 'reset' to restart)\n");
    expect(parseBattery(forced)).toEqual({});
  });

  it('leaves everything out when no battery is present', () => {
    expect(parseBattery(dumpWith({ present: 'false', level: '0' }))).toEqual({ isPresent: false });
    // what healthd made up for a box without one until Android 8.1
    const box = {
      present: 'true',
      level: '100',
      scale: '100',
      voltage: '0',
      temperature: '424',
      technology: '',
    };
    expect(parseBattery(dumpWith(box))).toEqual({ isPresent: false });
    expect(parseBattery(dumpWith({ ...box, technology: 'Unknown' }))).toEqual({ isPresent: false });
    expect(parseBattery(dumpWith({ ...box, voltage: '4100' }))).toMatchObject({ levelPercent: 100 });
  });

  it('takes the first of a key that a phone with two cells prints twice', () => {
    const twice = samsung.replace(/^ {2}(level|status|present): .*$/gm, '$&\n  $1: 1');
    expect(parseBattery(twice)).toEqual(parseBattery(samsung));
  });

  it.each(['Dock Battery Service state:', '  Second battery:', 'Bluetooth battery'])(
    'reads nothing below %j',
    (heading) => {
      const [own = ''] = samsung.split('  voltage:');
      const expected = parseBattery(own);
      expect(parseBattery(`${own}${heading}\n    level: 5\n    voltage: 3000\n`)).toEqual(expected);
    },
  );

  it('reads on below a maker’s line that has no value', () => {
    expect(parseBattery(samsung.replace('  level:', '  LLB MAN:\n  level:'))).toEqual(parseBattery(samsung));
  });

  it.each([
    ['4063', 4063],
    ['4063000', 4063],
    ['4063999', 4064],
    ['4', 4000],
    ['4.063', 4063],
    ['4.06V', 4060],
    ['4063 mV', 4063],
    ['13', 13000],
    ['28400', 28400],
    ['65410', undefined],
    ['65535', undefined],
    ['2147483647', undefined],
    ['99', undefined],
    ['0', undefined],
    ['500', undefined],
    ['-1', undefined],
  ])('reads the voltage %s as %s mV', (printed, expected) => {
    expect(parseBattery(dumpWith({ voltage: printed })).voltageMillivolts).toBe(expected);
  });

  it.each([
    [{ level: '50', scale: '200' }, 25],
    [{ level: '0' }, 0],
    [{ level: '-1' }, undefined],
    [{ level: '101' }, undefined],
    [{ level: '50', scale: '0' }, undefined],
    [{ level: '50', scale: 'x' }, undefined],
  ])('reads %j as a level of %s percent', (lines, expected) => {
    expect(parseBattery(dumpWith(lines)).levelPercent).toBe(expected);
  });

  it('calls a number that Android does not know UNKNOWN', () => {
    expect(parseBattery(dumpWith({ status: '9', health: '0' }))).toMatchObject({
      status: 'UNKNOWN',
      health: 'UNKNOWN',
    });
  });

  it('leaves out an empty technology and a temperature that no battery has', () => {
    const facts = parseBattery(dumpWith({ technology: '', temperature: '-2147483648' }));
    expect(facts).not.toHaveProperty('technology');
    expect(facts).not.toHaveProperty('temperatureDecicelsius');
    expect(parseBattery(dumpWith({ technology: 'null' }))).not.toHaveProperty('technology');
  });

  it.each(['Unknown', 'unknown', 'UNKNOWN'])('leaves out a technology that is %s', (technology) => {
    expect(parseBattery(dumpWith({ technology }))).not.toHaveProperty('technology');
  });

  it('leaves out the zeros of a driver that does not know', () => {
    const facts = parseBattery(dumpWith({ voltage: '0', temperature: '0' }));
    expect(facts).toEqual({
      isPresent: true,
      levelPercent: 84,
      status: 'CHARGING',
      health: 'GOOD',
      technology: 'Li-ion',
      healthPercent: 77,
    });
    expect(parseBattery(dumpWith({ voltage: '0' })).temperatureDecicelsius).toBe(326);
  });

  // an Android TV board prints 13 and 26
  it.each([
    ['13', '26', undefined],
    ['13', '-5', undefined],
    ['4', '275', 275],
    ['4.1', '26', 26],
    ['4100', '26', 26],
  ])('beside the voltage %s, reads the temperature %s as %s', (voltage, temperature, expected) => {
    expect(parseBattery(dumpWith({ voltage, temperature })).temperatureDecicelsius).toBe(expected);
  });

  it('reads frost and an empty battery', () => {
    expect(parseBattery(dumpWith({ temperature: '-52' })).temperatureDecicelsius).toBe(-52);
    expect(parseBattery(dumpWith({ temperature: '0' })).temperatureDecicelsius).toBe(0);
  });

  it.each([
    "*** SERVICE 'battery' DUMP TIMEOUT (10000ms) EXPIRED ***",
    'Error dumping service info: (Broken pipe)',
  ])('throws ParseError for %j', (text) => {
    expect(() => parseBattery(text)).toThrow(ParseError);
  });

  it('reads the same through a pty, after a byte order mark and between NULs', () => {
    expect(parseBattery(`\uFEFF${samsung.replaceAll('\n', '\0\r\n')}`)).toEqual(parseBattery(samsung));
  });

  it('answers anything with facts or ParseError, in linear time', () => {
    const texts = [samsung, ...phones.map(({ text }) => text)];
    fc.assert(fc.property(hostileText(texts), (text) => expectOnlyParseErrors(parseBattery, text)));
    for (const text of [samsung, ':', 'x: y\n', ' ', '\0', '\n']) {
      expectOnlyParseErrors(parseBattery, huge(text));
    }
  });
});
