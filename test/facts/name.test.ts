import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../src/base/errors.ts';
import { name, parseName } from '../../src/facts/name.ts';
import { expectOnlyParseErrors, hostileText, huge } from '../support/hostile-text.ts';
import { askPhone, hasPhoneShell } from './phone-shell.ts';

const unset = 'name=null\nname=null\n';

describe('parseName', () => {
  it('prefers the device name to the Bluetooth name', () => {
    expect(parseName('name=Anna’s "Pixel"  8\nname=Pixel 8\n')).toEqual({ givenName: 'Anna’s "Pixel"  8' });
  });

  it.each(['name=null\nname=Galaxy S5\n', 'name=\nname=Galaxy S5\n'])(
    'falls back to the Bluetooth name in %j',
    (text) => {
      expect(parseName(text)).toEqual({ givenName: 'Galaxy S5' });
    },
  );

  it('does not take the model, which the system fills in, for a name that somebody gave', () => {
    expect(parseName('name=PCGM00\nname=OPPO K3\nmodel=PCGM00\n')).toEqual({ givenName: 'OPPO K3' });
    expect(parseName('name=JKM-LX1\nname=JKM-LX1\nmodel=JKM-LX1\n')).toEqual({});
    expect(parseName('name=Galaxy A14 5G\nname=null\nmodel=SM-A146B\n')).toEqual({
      givenName: 'Galaxy A14 5G',
    });
  });

  it('has no name for a phone whose owner gave it none', () => {
    expect(parseName(unset)).toEqual({});
  });

  it.each([
    "cmd: Can't find service: settings\nname=\ncmd: Can't find service: settings\nname=\n",
    // github.com/topjohnwu/Magisk/pull/433
    'name=cmd: Failure calling service settings: Failed transaction (2147483646)\nname=\nmodel=Pixel 2\n',
    '',
  ])('throws ParseError when settings did not answer: %j', (text) => {
    expect(() => parseName(text)).toThrow(ParseError);
  });

  it('has no name for a phone that is older than the command', () => {
    expect(parseName('sh: settings: not found\nname=\nsh: settings: not found\nname=\n')).toEqual({});
  });

  it('answers anything with facts or ParseError, in linear time', () => {
    fc.assert(fc.property(hostileText([unset]), (text) => expectOnlyParseErrors(parseName, text)));
    for (const text of [unset, 'name=', ' ']) expectOnlyParseErrors(parseName, huge(text));
  });
});

describe.skipIf(!hasPhoneShell)('the command for the name', () => {
  const command = name.commands().settings;

  it('asks for both names and keeps backslashes and spaces', () => {
    const settings = `[ "$*" = "get global device_name" ] && print -r -- 'a\\n  b' || print null`;
    expect(parseName(askPhone(command, { settings }))).toEqual({ givenName: 'a\\n  b' });
    const bluetooth = '[ "$*" = "get secure bluetooth_name" ] && print S5 || print null';
    expect(parseName(askPhone(command, { settings: bluetooth }))).toEqual({ givenName: 'S5' });
  });

  it('asks for the model, which is not the name that an owner gave', () => {
    const settings = '[ "$*" = "get global device_name" ] && print M2007J1SC || print "Shelf 3"';
    const getprop = '[ "$*" = ro.product.model ] && print M2007J1SC';
    expect(parseName(askPhone(command, { settings, getprop }))).toEqual({ givenName: 'Shelf 3' });
  });

  it('does not take the complaint of a phone without settings for its name', () => {
    expect(parseName(askPhone(command, {}))).toEqual({});
  });
});
