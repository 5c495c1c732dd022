import { describe, expect, it } from 'vitest';
import { sections } from '../../src/facts/index.ts';
import type { CommandOptions } from '../../src/facts/section.ts';
import { commandsOf, composeScript, type ProbeCommand } from '../../src/probe/script.ts';
import { commandOptions } from '../support/stage.ts';

const command = (name: string, text = 'dumpsys battery'): ProbeCommand => ({ name, limitSeconds: 4, text });
/** Of the 4096 bytes that a phone before Android 7 takes, what the prefix and the closing NUL leave, and some. */
const LIMIT_BYTES = 4_000;
const label = 'a'.repeat(63);
const longestHost = [label, label, label, 'a'.repeat(61)].join('.');

/** The scripts in which the commands go out, one after the other. */
function scriptsFor(commands: ProbeCommand[]) {
  const scripts = [];
  for (let left = commands; left.length > 0; ) {
    const composed = composeScript(left);
    scripts.push(composed.script);
    left = composed.left;
  }
  return scripts;
}

describe('commandsOf', () => {
  const options = { ...commandOptions, shellV2: true };
  const battery = {
    name: 'battery',
    cadence: 'round' as const,
    limitSeconds: 4,
    limitBytes: 1000,
    commands: ({ shellV2 }: CommandOptions) => ({ dump: shellV2 ? 'new' : 'old', more: 'echo' }),
    parse: () => ({}),
  };

  it("names each command after its section and takes the section's time limit", () => {
    expect(commandsOf([battery], options)).toEqual([
      { name: 'battery.dump', limitSeconds: 4, limitBytes: 1000, text: 'new' },
      { name: 'battery.more', limitSeconds: 4, limitBytes: 1000, text: 'echo' },
    ]);
  });

  it('leaves out the commands that rest', () => {
    expect(commandsOf([battery], options, (name) => name === 'battery.dump')).toEqual([
      { name: 'battery.more', limitSeconds: 4, limitBytes: 1000, text: 'echo' },
    ]);
  });
});

describe('composeScript', () => {
  it('puts the commands between a shell function and the last mark', () => {
    const commands = [command('battery.dump'), command('root.su', 'su -v')];

    const { script, left } = composeScript(commands, '0123456789abcdef');

    const lines = script.text.split('\n');
    expect(lines[0]).toBe('set -m;A=01234567;B=89abcdef');
    expect(lines.slice(-3)).toEqual([
      "q battery.dump 4 'dumpsys battery'",
      "q root.su 4 'su -v'",
      'echo;echo "$A$B."',
    ]);
    expect({ mark: script.mark, commands: script.commands, left }).toEqual({
      mark: '0123456789abcdef',
      commands,
      left: [],
    });
  });

  it('draws a fresh mark each time, which never stands whole in the text', () => {
    const scripts = Array.from({ length: 100 }, () => composeScript([command('battery.dump')]).script);

    expect(new Set(scripts.map(({ mark }) => mark)).size).toBe(100);
    for (const { mark, text } of scripts) {
      expect(mark).toMatch(/^[0-9a-f]{24}$/);
      expect(text).not.toContain(mark);
    }
  });

  it('hands back, in their order, the commands that do not fit', () => {
    const commands = Array.from({ length: 9 }, (_, index) => command(`s.c${index}`, 'x'.repeat(1_000)));

    const scripts = scriptsFor(commands);

    expect(scripts.map((script) => script.commands.length)).toEqual([3, 3, 3]);
    expect(scripts.flatMap((script) => script.commands)).toEqual(commands);
  });

  it('fills a script to the last byte, counted in UTF-8', () => {
    const bytesAround = Buffer.byteLength(composeScript([command('s.c', '')]).script.text);
    const room = LIMIT_BYTES - bytesAround;
    const fitting = 'ü'.repeat(Math.floor(room / 2)) + 'x'.repeat(room % 2);

    expect(Buffer.byteLength(composeScript([command('s.c', fitting)]).script.text)).toBe(LIMIT_BYTES);
    expect(() => composeScript([command('s.c', `${fitting}x`)])).toThrow(
      new RangeError('the command s.c is too long for any script'),
    );
  });

  it('refuses a command that holds a single quote', () => {
    expect(() => composeScript([command('s.c', "echo 'a'")])).toThrow(
      new RangeError('the command s.c holds a single quote'),
    );
  });
});

describe('the script of all sections', () => {
  const kinds = [
    ['an old phone', { ...commandOptions, shellV2: false }],
    ['a new phone', { ...commandOptions, shellV2: true }],
    [
      'an old phone, on metered networks too',
      { ...commandOptions, shellV2: false, reachabilityOnMetered: true },
    ],
    [
      'a new phone, on metered networks too',
      { ...commandOptions, shellV2: true, reachabilityOnMetered: true },
    ],
  ] as const;

  it.each(kinds)('is one alone for %s', (_, options) => {
    expect(scriptsFor(commandsOf(sections, options))).toHaveLength(1);
  });

  it.each(kinds)(
    'never exceeds what a phone before Android 7 takes, for %s and the longest host name',
    (_, options) => {
      const commands = commandsOf(sections, { ...options, reachabilityHost: longestHost });

      const scripts = scriptsFor(commands);

      expect(scripts.flatMap((script) => script.commands)).toEqual(commands);
      expect(JSON.stringify(commands)).toContain(longestHost);
      for (const { text } of scripts) {
        const longest = Buffer.byteLength(`shell,v2,raw:${text}\0`);
        expect(longest).toBeLessThan(4_096);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMIT_BYTES);
      }
    },
  );
});
