import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../src/base/errors.ts';
import { boot, parseBoot } from '../../src/facts/boot.ts';
import { expectFacts, expectUnreadable, samples } from '../support/corpus.ts';
import { expectOnlyParseErrors, hostileText, huge } from '../support/hostile-text.ts';
import { askPhone, hasPhoneShell } from './phone-shell.ts';

const clock = '7f0c3d1e-5b6a-4c8f-9a53-0d2f5e8b1c47\n12307.23 48052.00\n';
const phones = samples('getprop');
const getprop = (device: string) => phones.find((sample) => sample.device.includes(device))?.text ?? '';

describe('parseBoot', () => {
  it('reads which boot it is and how long it has lasted', () => {
    expect(parseBoot({ clock })).toEqual({
      bootId: '7f0c3d1e-5b6a-4c8f-9a53-0d2f5e8b1c47',
      uptimeSeconds: 12307.23,
    });
  });

  it('reads the uptime of a phone that hides its boot_id', () => {
    const [sample] = samples('uptime').filter(({ command }) => command === 'cat /proc/uptime');
    const denied = `cat: /proc/sys/kernel/random/boot_id: Permission denied\n${sample?.text}`;
    expectFacts(sample?.file ?? '', parseBoot({ clock: denied }), {
      uptimeSeconds: sample?.expected.uptime_s,
    });
  });

  it('does not take the sentence of the uptime command for /proc/uptime', () => {
    const [sample] = samples('uptime').filter(({ command }) => command === 'uptime');
    expectUnreadable(sample?.file ?? '', () => parseBoot({ clock: sample?.text ?? '' }));
  });

  it.each([
    ['POCO F6', { bootCompleted: true, dataLocked: false, simState: 'LOADED,LOADED', bootReason: 'reboot' }],
    ['T5911', { bootCompleted: true, dataLocked: false, simState: 'ABSENT,READY' }],
    ['G700', { bootCompleted: true, dataLocked: false, simState: 'READY' }],
    ['FiiO', { bootCompleted: true, dataLocked: false, bootReason: 'bootloader' }],
    ['Nexus One', { bootCompleted: true, simState: 'ABSENT' }],
  ])('reads from the properties how far the boot of %s has come', (device, expected) => {
    expect(parseBoot({ properties: getprop(device) })).toEqual(expected);
  });

  it.each([
    ['Pixel 5', 'reboot,factory_reset'],
    ['Xiaomi 12X', 'reboot,userrequested'],
    ['POCO X5', 'bootloader'],
    ['GWM', 'shutdown'],
    ['G700', undefined],
    ['Nexus One', undefined],
  ])('reads why %s booted', (device, expected) => {
    expect(parseBoot({ properties: getprop(device) }).bootReason).toBe(expected);
  });

  it.each([
    [
      'the boot loader’s word until Android has its own',
      { 'ro.boot.bootreason': 'kernel_panic' },
      'kernel_panic',
    ],
    [
      'what Android wrote when it went down, where the boot loader’s word is the same but short',
      { 'ro.boot.bootreason': 'reboot', 'persist.sys.boot.reason': 'reboot,adb' },
      'reboot,adb',
    ],
    [
      'the boot loader’s word where Android wrote another one, perhaps long ago',
      { 'ro.boot.bootreason': 'watchdog', 'persist.sys.boot.reason': 'reboot,userrequested' },
      'watchdog',
    ],
    [
      'a boot loader’s own spelling as bootstat has it',
      { 'ro.boot.bootreason': 'PMIC Power Key' },
      'pmic_power_key',
    ],
    ['no IMEI that a phone puts in its place', { 'sys.boot.reason': 'reboot,490154203237518' }, undefined],
    ['no endless word', { 'sys.boot.reason': `reboot,${'x'.repeat(64)}` }, undefined],
    ['no markup', { 'sys.boot.reason': 'reboot,<b>' }, undefined],
  ])('takes as the reason of a boot %s', (_, properties, expected) => {
    const text = Object.entries(properties).map(([key, value]) => `[${key}]: [${value}]\n`);
    expect(parseBoot({ properties: text.join('') }).bootReason).toBe(expected);
  });

  it('shows that adbd runs as root', () => {
    const root = `${getprop('Pixel 5')}[service.adb.root]: [1]\n`;
    expect(parseBoot({ properties: root }).adbRoot).toBe('1');
  });

  it('says that a phone is still starting until it reports its boot complete', () => {
    const starting = getprop('Pixel 5').replace('[sys.boot_completed]: [1]\n', '');
    expect(parseBoot({ properties: starting })).toMatchObject({ bootCompleted: false });
  });

  it('says that file-encrypted data is locked until the first unlock, on Android 9 and newer', () => {
    const locked = (device: string) =>
      parseBoot({ properties: getprop(device).replace('[sys.user.0.ce_available]: [true]\n', '') })
        .dataLocked;
    expect(locked('POCO F6')).toBe(true);
    expect(locked('GWM')).toBe(true);
    expect(
      parseBoot({ properties: '[ro.build.version.sdk]: [24]\n[ro.crypto.type]: [file]\n' }).dataLocked,
    ).toBeUndefined();
  });

  it.each(['1', 'trigger_restart_min_framework'])(
    'says that a wholly encrypted disk waits for its PIN at %s',
    (state) => {
      const waiting = getprop('T5911').replace('[trigger_restart_framework]', `[${state}]`);
      expect(parseBoot({ properties: waiting }).dataLocked).toBe(true);
    },
  );

  it('throws ParseError when neither answer can be read', () => {
    expect(() => parseBoot({ clock: 'cat: not found', properties: '' })).toThrow(ParseError);
  });

  it('answers anything with facts or ParseError, in linear time', () => {
    const texts = [clock, getprop('Pixel 5')];
    const parse = (text: string) => parseBoot({ clock: text, properties: text });
    fc.assert(fc.property(hostileText(texts), (text) => expectOnlyParseErrors(parse, text)));
    for (const text of [...texts, '1 ', '1.1\n', '0123abcd-']) expectOnlyParseErrors(parse, huge(text));
  });
});

describe.skipIf(!hasPhoneShell)('the command for the properties', () => {
  const command = boot.commands().properties;
  const fixture = new URL('../fixtures/corpus/getprop/poco-f6-peridot-15.txt', import.meta.url).pathname;
  const tools = { getprop: `exec /usr/bin/toybox cat ${fixture}` };

  it('prints only the requested properties', () => {
    const text = askPhone(command, { ...tools, grep: 'toybox' });
    expect(text.trimEnd().split('\n')).toEqual([
      '[gsm.sim.state]: [LOADED,LOADED]',
      '[persist.sys.boot.reason]: []',
      '[ro.boot.bootreason]: [reboot,]',
      '[ro.build.version.sdk]: [35]',
      '[ro.crypto.state]: [encrypted]',
      '[ro.crypto.type]: [file]',
      '[sys.boot.reason]: [reboot,]',
      '[sys.boot_completed]: [1]',
      '[sys.user.0.ce_available]: [true]',
    ]);
  });

  it('prints all of them on a phone without grep, and they read the same', () => {
    const facts = parseBoot({ properties: askPhone(command, tools) });
    expect(facts).toEqual(parseBoot({ properties: askPhone(command, { ...tools, grep: 'toybox' }) }));
  });
});
