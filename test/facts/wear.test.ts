import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../src/base/errors.ts';
import { parseWear, wear } from '../../src/facts/wear.ts';
import { expectOnlyParseErrors, hostileText, huge } from '../support/hostile-text.ts';
import { askPhone, hasPhoneShell } from './phone-shell.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/wear/${name}.txt`, import.meta.url), 'utf8');
const qualcomm = fixture('made-qualcomm');

/** The numbers of one folder. */
const pair = (full: string | number, design: string | number, folder = 'battery') =>
  `${folder}/charge_full:${full}\n${folder}/charge_full_design:${design}\n`;

describe('parseWear', () => {
  it('reads what the gauge learned, and what a new battery holds', () => {
    expect(parseWear(qualcomm)).toEqual({
      fullMicroampereHours: 3_612_000,
      designMicroampereHours: 4_500_000,
    });
  });

  it('knows nothing of a phone that denies the files', () => {
    expect(parseWear(fixture('made-denied'))).toEqual({});
    expect(parseWear('/system/bin/sh: cd: /sys/class/power_supply: No such file or directory\n')).toEqual({});
  });

  it.each(['', 'nothing of a battery', '*** rubbish ***'])('throws ParseError for %j', (text) => {
    expect(() => parseWear(text)).toThrow(ParseError);
  });

  it('takes the second folder where the first one has but one of the numbers', () => {
    expect(parseWear(`battery/charge_full:1\n${pair(2_000_000, 2_500_000, 'bms')}`)).toEqual({
      fullMicroampereHours: 2_000_000,
      designMicroampereHours: 2_500_000,
    });
    // never one number from each
    expect(parseWear('battery/charge_full:2000000\nbms/charge_full_design:2500000\n')).toEqual({});
  });

  it.each([
    ['not learned yet', 0, 4_500_000],
    ['in mAh', 3612, 4500],
    ['in two units', 3612, 4_500_000],
    ['no capacity of a new one', 3_612_000, 0],
    ['more than a new battery holds', 9_000_000, 4_500_000],
    ['a driver’s "don’t know"', 2_147_483_647, 2_147_483_647],
    ['negative', '-3612000', 4_500_000],
    ['no number', 'unknown', 4_500_000],
  ])('takes no number that is %s', (_what, full, design) => {
    expect(parseWear(pair(full, design))).toEqual({});
  });

  it('answers anything with facts, in linear time', () => {
    fc.assert(fc.property(hostileText([qualcomm]), (text) => expectOnlyParseErrors(parseWear, text)));
    for (const text of [qualcomm, 'battery/', '1', ':', ' ']) expectOnlyParseErrors(parseWear, huge(text));
  });
});

describe.skipIf(!hasPhoneShell)('the command for the wear', () => {
  it('prints the name of each file before its value', () => {
    const command = wear.commands().charge.replace('/sys/class/power_supply', '$D');
    const made =
      'D=$(mktemp -d)&&mkdir $D/bms&&cd $D&&echo 9 >bms/charge_full&&echo 10 >bms/charge_full_design';
    const text = askPhone(`${made}&&${command};rm -r $D`, {
      grep: 'toybox',
      mktemp: 'toybox',
      mkdir: 'toybox',
      rm: 'toybox',
    });
    expect(text).toBe('bms/charge_full:9\nbms/charge_full_design:10\n');
  });

  it('says only that there are no files on a machine without a battery', () => {
    expect(parseWear(askPhone(wear.commands().charge, { grep: 'toybox' }))).toEqual({});
  });
});
