import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../src/base/errors.ts';
import { parseScreen, screen } from '../../src/facts/screen.ts';
import { expectFacts, samples } from '../support/corpus.ts';
import { expectOnlyParseErrors, hostileText, huge } from '../support/hostile-text.ts';
import { askPhone, hasPhoneShell } from './phone-shell.ts';

const phones = samples('wm');
const window81 = samples('display').find(({ file }) => file.includes('8.1-dumpsys-window'))?.text ?? '';

/** `wm density` lies in the same folder of samples; it is not asked, and holds no size. */
const isSize = ({ command }: { command: string }) => command === 'wm size';

describe('parseScreen', () => {
  it.each(phones.filter(isSize))('reads $file', ({ file, text, expected }) => {
    const [width, height] = expected.physical.split('x').map(Number);
    expectFacts(file, parseScreen(text), { physical: { width, height } });
  });

  it.each(phones.filter((sample) => !isSize(sample)))('finds no size in $file', ({ text }) => {
    expect(() => parseScreen(text)).toThrow(ParseError);
  });

  it('reads an override beside the panel, over a pty that has doubled the CR', () => {
    const text = 'Physical size: 1440x3120\r\r\nOverride size: 1080x2340\r\r\n';
    expect(parseScreen(text)).toEqual({
      physical: { width: 1440, height: 3120 },
      override: { width: 1080, height: 2340 },
    });
  });

  it('reads the whole dumpsys window of a phone on Android 8.1', () => {
    expect(parseScreen(window81)).toEqual({ physical: { width: 1080, height: 2160 } });
  });

  it('reads the size of a folded phone whose apps see a larger screen than it has', () => {
    const folded = new URL(
      '../fixtures/display/samsung-galaxy-z-fold-android-14-folded-wm-size.txt',
      import.meta.url,
    );
    expect(parseScreen(readFileSync(folded, 'utf8'))).toEqual({
      physical: { width: 832, height: 2268 },
      override: { width: 840, height: 2289 },
    });
  });

  it('reads an override from dumpsys window of Android 12 on', () => {
    const text =
      '    init=1440x3120 560dpi mMinSizeOfResizeableTaskDp=220 base=1080x2340 420dpi cur=1080x2340 app=1080x2214\n';
    expect(parseScreen(text)).toEqual({
      physical: { width: 1440, height: 3120 },
      override: { width: 1080, height: 2340 },
    });
  });

  it('reads an override from dumpsys window', () => {
    const text =
      '    init=768x1280 320dpi base=600x1024 320dpi cur=600x1024 app=600x976 rng=600x556-1024x976\n';
    expect(parseScreen(text)).toEqual({
      physical: { width: 768, height: 1280 },
      override: { width: 600, height: 1024 },
    });
  });

  it.each(['Physical size: 0x0', "Error: Can't find service: window", 'Permission Denial', ''])(
    'throws ParseError that names the command for %j',
    (text) => {
      expect(() => parseScreen(text)).toThrow(/^cannot read wm size: /);
    },
  );

  it('answers whatever befalls the text with facts or a ParseError', () => {
    const texts = [...phones.map(({ text }) => text), window81];
    fc.assert(fc.property(hostileText(texts), (text) => expectOnlyParseErrors(parseScreen, text)));
  });

  it.each([phones[0]?.text ?? '', window81, ' ', '\n', 'init=1', 'Physical size: '])(
    'comes to an end where it is huge (%#)',
    (text) => expectOnlyParseErrors(parseScreen, huge(text)),
  );
});

describe.skipIf(!hasPhoneShell)('the command for the size of the screen', () => {
  const ask = (shellV2: boolean, tools: Record<string, string>) => {
    const { size } = screen.commands({ shellV2, reachabilityOnMetered: false, telephonyIdentifiers: true });
    return screen.parse({ size: askPhone(size, tools) });
  };
  const wm = 'echo "Physical size: 1080x1920"';
  const dumpsys = '[ "$*" = window ] && echo "  Display: init=480x800 cur=480x800 app=480x800"';
  const expected = { physical: { width: 480, height: 800 } };

  it.each([true, false])('asks wm where the phone has it (shell_v2 %s)', (shellV2) => {
    expect(ask(shellV2, { wm })).toEqual({ physical: { width: 1080, height: 1920 } });
  });

  it('asks the window manager on Android 4.1, which has no wm', () => {
    expect(ask(false, { dumpsys, grep: 'toybox' })).toEqual(expected);
  });

  it('does without grep on Android 4.0', () => {
    expect(ask(false, { dumpsys })).toEqual(expected);
  });
});
