import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../src/base/errors.ts';
import { parseReadiness, readiness } from '../../src/facts/readiness.ts';
import type { ReadinessPart } from '../../src/facts/section.ts';
import { expectFacts, samples } from '../support/corpus.ts';
import { expectOnlyParseErrors, hostileText, huge } from '../support/hostile-text.ts';
import { askPhone, hasPhoneShell } from './phone-shell.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const made = (name: string) => read(`fixtures/readiness/made-${name}.txt`);
/** Whole dumps of `dumpsys window`. */
const smartron = read('fixtures/corpus/display/smartron-t5911-8.1-dumpsys-window.txt');
const car = read('fixtures/display/car-two-screens-window.txt');
const htc = read('rig/phones/htc-one-m7-4.1/window.txt');

const options = { shellV2: false, reachabilityOnMetered: false, telephonyIdentifiers: false };
const commandsFor = (...parts: ReadinessPart[]) => readiness.commands({ ...options, readiness: parts });

describe('the commands for the readiness', () => {
  it('are none unless the lab asks for a part, and only those that it needs', () => {
    expect(readiness.commands(options)).toEqual({});
    expect(commandsFor()).toEqual({});
    expect(Object.keys(commandsFor('lock'))).toEqual(['lock']);
    expect(Object.keys(commandsFor('power', 'focus'))).toEqual(['power', 'focus']);
    expect(Object.keys(commandsFor('global adb_enabled'))).toEqual(['settings']);
  });
});

describe('parseReadiness', () => {
  it.each(samples('readiness'))('reads $file as a careful person does', ({ file, text, expected }) => {
    const [, part = ''] = /-([a-z]+)\.txt$/.exec(file) ?? [];
    expectFacts(file, parseReadiness({ [part]: text }), expected);
  });

  it.each([
    ['Android 8.1, unlocked', smartron, false],
    ['Android 8.1, locked', smartron.replace('showing=false', 'showing=true'), true],
    ['Android 4.4, locked', made('policy-android-4.4'), true],
    ['Android 4.4, unlocked', made('policy-android-4.4').replace('=true', '=false'), false],
    ['Android 16, locked', made('policy-android-16'), true],
  ])('reads the lock screen: %s', (_what, lock, isLocked) => {
    expect(parseReadiness({ lock })).toEqual({ isLocked });
  });

  it('lets the delegate decide over the lines of older versions', () => {
    const lock = 'mShowingLockscreen=false\n      showing=true\n';
    expect(parseReadiness({ lock })).toEqual({ isLocked: true });
    expect(() => parseReadiness({ lock: '      showingAndNotOccluded=true\n' })).toThrow(ParseError);
  });

  it.each([
    ['Awake', true],
    ['Asleep', false],
    ['Dreaming', false],
    ['Dozing', false],
    ['Napping', false],
  ])('reads whether the screen is on: %s', (word, isAwake) => {
    expect(parseReadiness({ power: `  mWakefulness=${word}\n` })).toEqual({ isAwake });
  });

  it.each([
    [0, false],
    [1, true],
    [2, true],
    [3, true],
    [4, false], // only on a wireless charger
    [7, true],
    [15, true],
  ])('reads whether the screen stays on while plugged in: %i', (bits, staysAwake) => {
    expect(parseReadiness({ power: `  mStayOnWhilePluggedInSetting=${bits}\n` })).toEqual({ staysAwake });
  });

  it('reads the tables of settings, by `settings list`, and by `content query` before Android 7', () => {
    const listed = '[global]\nadb_enabled=1\nwindow_animation_scale=0.5\n[secure]\nadb_enabled=2\n';
    expect(parseReadiness({ settings: listed })).toEqual({
      settings: { 'global adb_enabled': 1, 'global window_animation_scale': 0.5, 'secure adb_enabled': 2 },
    });
    const rows = '[global]\nRow: 3 _id=4, name=adb_enabled, value=1\r\nRow: 12 name=a_b, value=-7\n';
    expect(parseReadiness({ settings: rows })).toEqual({
      settings: { 'global adb_enabled': 1, 'global a_b': -7 },
    });
  });

  it('reads a property, and knows what is set and no number', () => {
    expect(parseReadiness({ settings: '[persist.security.adbinput]: [1]\n[a.b]: [x]\n[c.d]: []\n' })).toEqual(
      {
        settings: { 'property persist.security.adbinput': 1, 'property a.b': Number.NaN },
      },
    );
  });

  it.each([
    '[global]\na=null\n',
    'a=1\n',
    '',
    "Can't find service: settings",
    'Error: 1',
    '[global]\n A = 1\n',
  ])('knows nothing from %j', (text) => {
    expect(() => parseReadiness({ settings: text })).toThrow(ParseError);
  });

  const focusOn = (title: string) => `  mCurrentFocus=Window{a491573 u0 ${title}}\n`;
  it.each([
    [focusOn('Application Not Responding: com.android.systemui'), 'NOT_RESPONDING'],
    [focusOn('Application Error: com.example'), 'CRASHED'],
    ['  mCurrentFocus=Window{40ea0750 Application Error: com.example paused=false}\n', 'CRASHED'],
    [made('focus-android-8'), 'PERMISSION'],
    [
      focusOn(
        'com.google.android.permissioncontroller/com.android.permissioncontroller.permission.ui.GrantPermissionsActivity',
      ),
      'PERMISSION',
    ],
    [
      focusOn(
        'com.google.android.permissioncontroller/com.android.packageinstaller.permission.ui.ReviewPermissionsActivity',
      ),
      'PERMISSION',
    ],
    [focusOn('android/com.android.internal.app.ResolverActivity'), 'CHOOSER'],
    [focusOn('android/com.android.internal.app.MiuiResolverActivity'), 'CHOOSER'],
    [
      focusOn('com.huawei.android.internal.app/com.huawei.android.internal.app.HwResolverActivity'),
      'CHOOSER',
    ],
    [focusOn('com.huawei.android.internal.app/com.huawei.android.internal.app.HwChooserActivity'), 'CHOOSER'],
    [focusOn('com.samsung.android.MtpApplication/com.samsung.android.MtpApplication.USBConnection'), 'USB'],
    [focusOn('com.android.systemui/com.android.systemui.usb.UsbDebuggingActivity'), 'USB'],
    [focusOn('com.example/com.example.ChooserActivity'), 'NONE'],
    [focusOn('com.example/com.example.ReviewPermissionsActivity'), 'NONE'],
    [focusOn('android/com.android.internal.app.PlatLogoActivity'), 'NONE'],
    [focusOn('com.example/com.example.MainActivity'), 'NONE'],
    [focusOn('NotificationShade'), 'NONE'],
    ['  mCurrentFocus=null\n', 'NONE'],
    [htc, 'NONE'],
    [smartron, 'NONE'],
    [made('focus-android-16'), 'NOT_RESPONDING'],
    // apps whose windows have nearly such a title
    [focusOn('Application Notes'), 'NONE'],
    [focusOn('Chat about Application Error: x'), 'NONE'],
  ])('reads the dialog in front: %#', (focus, dialog) => {
    expect(parseReadiness({ focus })).toEqual({ dialog });
  });

  it('looks at the first display only', () => {
    expect(car.indexOf('mDisplayId=8')).toBeLessThan(car.indexOf('mDisplayId=0'));
    const crashed = car.replace('u0 com.tinnove.wecarnavi}', 'u0 Application Error: com.tinnove.wecarnavi}');
    // this dump ends before the line of the first display
    expect(() => parseReadiness({ focus: crashed })).toThrow(ParseError);
    const whole = `${crashed}\n  mCurrentFocus=null\n`;
    expect(parseReadiness({ focus: whole })).toEqual({ dialog: 'NONE' });
  });

  it('joins what several answers say, and leaves out what one does not', () => {
    const answers = { lock: made('policy-android-16'), power: made('power-android-16'), settings: '' };
    expect(parseReadiness(answers)).toEqual({ isLocked: true, isAwake: true, staysAwake: false });
    expect(parseReadiness({ power: made('power-android-4.4') })).toEqual({
      isAwake: false,
      staysAwake: true,
    });
  });

  it('answers anything with facts or ParseError, in linear time', () => {
    const parsers = ['lock', 'power', 'settings', 'focus'].map(
      (name) => (text: string) => parseReadiness({ [name]: text }),
    );
    const texts = [made('power-android-16'), made('policy-android-4.4'), made('focus-android-16')];
    for (const parse of parsers) {
      fc.assert(fc.property(hostileText(texts), (text) => expectOnlyParseErrors(parse, text)));
      for (const text of [
        ...texts,
        ' ',
        'mCurrentFocus=',
        'Window{',
        'a.',
        'showing=',
        '1 ',
        '[global]\na=',
        '[a.',
      ])
        expectOnlyParseErrors(parse, huge(text));
    }
  });
});

describe.skipIf(!hasPhoneShell)('the commands for the readiness on a phone', () => {
  const { focus = '', lock = '', power = '' } = commandsFor('focus', 'lock', 'power');
  /** A phone whose `dumpsys window d` and `… w` print these. */
  const phone = (displays: string, windows: string) => ({
    grep: 'toybox',
    dumpsys: `case "$2" in d)print -r -- "${displays}";;w)print -r -- "${windows}";;esac`,
  });

  it('finds the focus in the list of displays, and does not ask for the windows', () => {
    const displays =
      'Display: mDisplayId=0 (organized)\n  mCurrentFocus=Window{33 u0 Application Error: com.example}';
    const text = askPhone(focus, phone(displays, 'mCurrentFocus=Window{1 u0 unasked/unasked}'));
    expect(text).toBe('mDisplayId=0\nmCurrentFocus=Window{33 u0 Application Error:\n');
    expect(parseReadiness({ focus: text })).toEqual({ dialog: 'CRASHED' });
  });

  it('finds it in the list of windows of a phone before Android 10', () => {
    const text = askPhone(
      focus,
      phone('  Display: mDisplayId=0', '  mCurrentFocus=Window{33 u0 a.b/a.b.Main}'),
    );
    expect(text).toBe('mCurrentFocus=Window{33 u0 a.b/a.b.Main\n');
  });

  it('lets no title of an app leave the phone', () => {
    const text = askPhone(focus, phone('mDisplayId=0\n  mCurrentFocus=Window{33 u0 Chat with Jane Doe}', ''));
    expect(text).toBe('mDisplayId=0\nmCurrentFocus=Window{33 u0 \n');
    expect(parseReadiness({ focus: text })).toEqual({ dialog: 'NONE' });
  });

  it('reads all tables and a property in one go', () => {
    const keys = [
      'global protect_battery',
      'secure charge_optimization_mode',
      'property persist.security.adbinput',
    ];
    const commands = (shellV2: boolean) =>
      readiness.commands({ ...options, shellV2, readiness: keys as ReadinessPart[] }).settings ?? '';
    const tools = {
      grep: 'toybox',
      getprop: 'print -r -- "[persist.security.adbinput]: [0]"',
      settings: 'print -r -- "adb_enabled=1\nprotect_battery=$2\nother=1"',
      content: 'print -r -- "Row: 0 _id=1, name=adb_enabled, value=1\nRow: 1 _id=2, name=other, value=2"',
    };
    expect(askPhone(commands(true), tools)).toBe(
      '[global]\nadb_enabled=1\nprotect_battery=global\n[secure]\nadb_enabled=1\nprotect_battery=secure\n[persist.security.adbinput]: [0]\n',
    );
    expect(parseReadiness({ settings: askPhone(commands(false), tools) })).toEqual({
      settings: { 'global adb_enabled': 1, 'secure adb_enabled': 1, 'property persist.security.adbinput': 0 },
    });
  });

  it('prints only the lines that count', () => {
    const file = new URL('../fixtures/corpus/display/smartron-t5911-8.1-dumpsys-window.txt', import.meta.url);
    const dumpsys = `exec /usr/bin/toybox cat ${file.pathname}`;
    expect(askPhone(lock, { grep: 'toybox', dumpsys })).toBe(
      '    mShowingDream=false mDreamingLockscreen=false mDreamingSleepToken=null\n      showing=false\n',
    );
    const lines =
      'print "  mWakefulness=Dozing\\n  mWakefulnessChanging=false\\nmStayOnWhilePluggedInSetting=0"';
    expect(parseReadiness({ power: askPhone(power, { grep: 'toybox', dumpsys: lines }) })).toEqual({
      isAwake: false,
      staysAwake: false,
    });
  });
});
