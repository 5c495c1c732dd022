import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { display, parseDisplay, resolveDisplay } from '../../src/facts/display.ts';
import { expectFacts, expectUnreadable, samples } from '../support/corpus.ts';
import { expectOnlyParseErrors, hostileText, huge } from '../support/hostile-text.ts';
import { askPhone, hasPhoneShell } from './phone-shell.ts';

const phones = samples('display');
const sample = (part: string) => phones.find(({ file }) => file.includes(part))?.text ?? '';
const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/display/${name}.txt`, import.meta.url), 'utf8');
const car = fixture('google-car-emulator-android-14');
const tablet = fixture('lenovo-tb323fu-android-17-window');
const carWindows = fixture('car-two-screens-window');

/** What the author of the sample expects, in our words; sizes are those of the logical display, upright. */
function expectedFacts(file: string) {
  const size = (width: number, height: number) => ({ width, height });
  const upright = (width: number, height: number) => ({
    rotationDegrees: 0,
    physical: size(width, height),
    logical: size(width, height),
  });
  const turned = (rotationDegrees: number, width: number, height: number) => ({
    ...upright(width, height),
    rotationDegrees,
  });
  return {
    'display/bbc-surfaceorientation-kindlefire-3-crlf.txt': { rotationDegrees: 270 },
    'display/bbc-surfaceorientation-portrait-crlf.txt': { rotationDegrees: 0 },
    // cut before the rotation
    'display/byd-dilink4-10-cut-lines.txt': { physical: size(1920, 1080), logical: size(1920, 1080) },
    'display/chromebook-11-hdmi.txt': upright(3840, 2160),
    'display/eink-tablet-11-turned.txt': turned(270, 1404, 1872),
    'display/handheld-two-screens-turned.txt': turned(90, 1080, 1920),
    'display/mtk-tablet-13-asleep.txt': upright(480, 800),
    'display/nexusone-miui-2.3-dumpsys-window.txt': upright(480, 800),
    'display/scrcpy-0.txt': upright(1440, 3120),
    // its author asked for display 31, a virtual one; the panel in use is display 0
    'display/scrcpy-api29withnoflags.txt': upright(3664, 1920),
    'display/scrcpy-api31.txt': upright(1080, 2280),
    'display/smartron-t5911-8.1-dumpsys-display.txt': upright(1080, 2160),
    'display/smartron-t5911-8.1-dumpsys-input.txt': { rotationDegrees: 0 },
    'display/smartron-t5911-8.1-dumpsys-window.txt': upright(1080, 2160),
    'display/sunmi-tablet-dumpsys-display-zh.txt': upright(1200, 1920),
  }[file];
}

describe('parseDisplay', () => {
  it.each(phones.filter(({ file }) => expectedFacts(file)))('reads $file', ({ file, text, expected }) => {
    const facts = parseDisplay(text);
    expectFacts(file, facts, expectedFacts(file));
    if (expected.rotation !== undefined) expect(facts.rotationDegrees).toBe(expected.rotation * 90);
    if (expected.SurfaceOrientation) expect(facts.rotationDegrees).toBe(expected.SurfaceOrientation * 90);
    if (expected.width && !file.includes('withnoflags'))
      expect(facts.logical).toEqual({ width: expected.width, height: expected.height });
  });

  // garbage, and a television without a touch screen: no SurfaceOrientation
  it.each(phones.filter(({ file }) => !expectedFacts(file)))('reads nothing from $file', ({ file, text }) => {
    expectUnreadable(file, () => parseDisplay(text));
  });

  it('takes the built-in screen of a car among its screens', () => {
    expect(parseDisplay(car)).toEqual({
      rotationDegrees: 0,
      physical: { width: 1080, height: 600 },
      logical: { width: 1080, height: 600 },
    });
  });

  it('turns a landscape display back to the natural orientation of a tablet', () => {
    const info =
      'DisplayInfo{"Built-in Screen", uniqueId "local:0", app 2560 x 1704, real 2560 x 1800, largest app 2560 x 2416, smallest app 1800 x 1656, mode 1, defaultMode 1, modes [{id=1, width=1800, height=2560, fps=60.000004}], colorMode 0, supportedColorModes [0], hdrCapabilities android.view.Display$HdrCapabilities@a69d6308, rotation 3, density 320 (320.0 x 320.0) dpi, layerStack 0, appVsyncOff 1000000, presDeadline 16666666, type BUILT_IN, state ON, FLAG_SECURE, FLAG_SUPPORTS_PROTECTED_BUFFERS}';
    expect(parseDisplay(`  Display 0:\n    mOverrideDisplayInfo=${info}\n`)).toEqual({
      rotationDegrees: 270,
      logical: { width: 1800, height: 2560 },
    });
  });

  const turned = sample('smartron-t5911-8.1-dumpsys-display').replace(
    /(mOverride.*)real 1080 x 2160(.*), rotation 0/,
    '$1real 1280 x 720$2, rotation 1',
  );

  it('tells the panel from the size that apps see on a turned phone with an override', () => {
    expect(parseDisplay(turned)).toEqual({
      rotationDegrees: 90,
      physical: { width: 1080, height: 2160 },
      logical: { width: 720, height: 1280 },
    });
  });

  it('reads the panel alone where nothing overrides it', () => {
    const text = sample('smartron-t5911-8.1-dumpsys-display').replace(/(mOverrideDisplayInfo=).*/, '$1null');
    expect(parseDisplay(text)).toEqual({
      rotationDegrees: 0,
      physical: { width: 1080, height: 2160 },
      logical: { width: 1080, height: 2160 },
    });
  });

  const panel = (id: number, size: string, state: string) =>
    sample('scrcpy-api31')
      .replaceAll('Display 0:', `Display ${id}:`)
      .replaceAll('displayId 0"', `displayId ${id}"`)
      .replaceAll('real 1080 x 2280', `real ${size}`)
      .replaceAll('state ON', `state ${state}`);

  it.each([
    ['folded', 'OFF', 'ON', { width: 748, height: 720 }],
    ['folded and dozing', 'OFF', 'DOZE_SUSPEND', { width: 748, height: 720 }],
    ['open', 'ON', 'OFF', { width: 1080, height: 2640 }],
    ['asleep', 'OFF', 'OFF', { width: 1080, height: 2640 }],
  ])('reads the panel that is on, of a foldable that is %s', (_, main, cover, size) => {
    const dump = panel(0, '1080 x 2640', main) + panel(1, '748 x 720', cover);
    expect(parseDisplay(dump)).toEqual({ rotationDegrees: 0, physical: size, logical: size });
  });

  it.each(['FLAG_OWN_DISPLAY_GROUP', 'FLAG_REAR_DISPLAY'])(
    'does not take a screen on the back for that of a phone that sleeps: %s',
    (flag) => {
      const back = panel(1, '904 x 572', 'ON').replaceAll(
        'displayId 1"',
        `displayId 1", FLAG_TRUSTED, ${flag}`,
      );
      expect(parseDisplay(panel(0, '1220 x 2656', 'OFF') + back).physical).toEqual({
        width: 1220,
        height: 2656,
      });
    },
  );

  it('does not take a television for the screen of a phone that sleeps', () => {
    const external = panel(2, '1920 x 1080', 'ON').replaceAll('type INTERNAL', 'type EXTERNAL');
    expect(parseDisplay(panel(0, '1080 x 2280', 'OFF') + external).physical).toEqual({
      width: 1080,
      height: 2280,
    });
  });

  it('reads a round watch', () => {
    const round = { width: 384, height: 384 };
    expect(parseDisplay(fixture('round-watch-android-13'))).toEqual({
      rotationDegrees: 0,
      physical: round,
      logical: round,
    });
  });

  it('reads how a tablet is turned from its window manager, on Android 17', () => {
    const upright = { width: 1904, height: 3040 };
    expect(parseDisplay(tablet)).toEqual({ rotationDegrees: 90, physical: upright, logical: upright });
  });

  it('takes the main screen of a car whose window manager lists another one first', () => {
    const wide = { width: 4032, height: 845 };
    expect(parseDisplay(carWindows)).toEqual({ physical: wide, logical: wide });
    const turned = carWindows.replace('mLayoutSeq=27', 'mRotation=1');
    expect(parseDisplay(`${turned}  mRotation=2\n`).rotationDegrees).toBe(180);
  });

  it('does not take the name of a display for its rotation', () => {
    const text = sample('scrcpy-api31').replaceAll('"Built-in Screen"', '"x, rotation 3, real 1 x 1"');
    expect(parseDisplay(text)).toEqual(parseDisplay(sample('scrcpy-api31')));
  });

  it.each(["Can't find service: display", 'Permission Denial: can not dump DisplayManager', ''])(
    'throws ParseError that names the command for %j',
    (text) => {
      expect(() => parseDisplay(text)).toThrow(/^cannot read dumpsys display: /);
    },
  );

  const texts = [...phones.map(({ text }) => text), car, turned, tablet, carWindows];

  it('answers whatever befalls the text with facts or a ParseError', () => {
    fc.assert(fc.property(hostileText(texts), (text) => expectOnlyParseErrors(parseDisplay, text)));
  });

  it.each([...texts, ' ', '\t\n', 'mBaseDisplayInfo=DisplayInfo{"', 'real 1 x ', ', rotation '])(
    'comes to an end where it is huge (%#)',
    (text) => expectOnlyParseErrors(parseDisplay, huge(text)),
  );
});

describe('resolveDisplay', () => {
  const wm = { physical: { width: 1440, height: 3120 }, override: { width: 1080, height: 2340 } };

  it('prefers the dump of this round to the size that was collected at boot', () => {
    const now = {
      rotationDegrees: 90,
      physical: { width: 748, height: 720 },
      logical: { width: 748, height: 720 },
    } as const;
    expect(resolveDisplay(wm, now)).toEqual(now);
  });

  it('falls back to wm size', () => {
    expect(resolveDisplay(wm, { rotationDegrees: 0 })).toEqual({
      physical: { width: 1440, height: 3120 },
      logical: { width: 1080, height: 2340 },
      rotationDegrees: 0,
    });
  });

  it('reports the panel as the logical size where nothing overrides it', () => {
    const physical = { width: 720, height: 1280 };
    expect(resolveDisplay({ physical })).toEqual({ physical, logical: physical });
  });

  it('knows nothing of a phone that said nothing', () => {
    expect(resolveDisplay()).toEqual({});
  });
});

describe.skipIf(!hasPhoneShell)('the command for the display', () => {
  const ask = (shellV2: boolean, tools: Record<string, string>) => {
    const { dump } = display.commands({ shellV2, reachabilityOnMetered: false, telephonyIdentifiers: true });
    return askPhone(dump, tools);
  };
  const service = (name: string, text: string) =>
    `[ "$*" = ${name} ] && echo '${text.replaceAll("'", '')}' || { echo "Can't find service: $*" >&2; }`;
  const android81 = sample('smartron-t5911-8.1-dumpsys-display');
  const android41 = sample('smartron-t5911-8.1-dumpsys-window');

  it('brings home the few lines that count', () => {
    const text = ask(true, { dumpsys: service('display', android81), grep: 'toybox' });
    expect(text.split('\n').map((line) => line.trim().slice(0, 20))).toEqual([
      'Display 0:',
      'mBaseDisplayInfo=Dis',
      'mOverrideDisplayInfo',
      '',
    ]);
    expect(parseDisplay(text)).toEqual(parseDisplay(android81));
  });

  it('asks the window manager on Android 4.1, which has no display service', () => {
    const text = ask(false, { dumpsys: service('window', android41), grep: 'toybox' });
    expect(text.length).toBeLessThan(500);
    expect(parseDisplay(text)).toEqual(parseDisplay(android41));
  });

  it('does without grep on Android 4.0', () => {
    expect(parseDisplay(ask(false, { dumpsys: service('window', android41) }))).toEqual(
      parseDisplay(android41),
    );
  });
});
