import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Script } from '../../src/probe/script.ts';
import { type CommandOutcome, MAX_ANSWER_BYTES, Transcript } from '../../src/probe/transcript.ts';
import { anyText } from '../support/any-text.ts';

const mark = '0123456789abcdef01234567';
const script: Script = {
  text: '',
  mark,
  commands: ['battery.dump', 'root.su'].map((name) => ({ name, limitSeconds: 4, text: '' })),
};
const at = 1_717_400_000_000;
const readAt = 5_000;
const printed = (name: string, output: string, exitCode = 0) =>
  `\n${mark}<${name}\n${output}\n${mark}>${name} ${exitCode}\n`;
const answered = (text: string, exitCode = 0): CommandOutcome => ({
  kind: 'answered',
  text,
  exitCode,
  at,
  readAt,
});

/** What is understood of these bytes when they arrive in these pieces, each in the place of the one before. */
function read(pieces: readonly (string | Uint8Array)[], { pty = false } = {}) {
  const transcript = new Transcript(script, pty);
  for (const piece of pieces) {
    const arrived = Buffer.from(piece);
    transcript.push(arrived, at, readAt);
    arrived.fill('#');
  }
  const { outcomes, finished, current } = transcript;
  return { outcomes: Object.fromEntries(outcomes), finished, current };
}

/** Cuts bytes at these places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1))), bytes.length];
  ends.sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

const whole = `${printed('battery.dump', 'level: 87\n')}${printed('root.su', '28.1:Bürö 📱\n', 13)}\n${mark}.\n`;
const wholeRead = {
  outcomes: { 'battery.dump': answered('level: 87\n'), 'root.su': answered('28.1:Bürö 📱\n', 13) },
  finished: true,
  current: undefined,
};

describe('a transcript', () => {
  it('gives each command what it printed and its exit code', () => {
    expect(read([whole])).toEqual(wholeRead);
  });

  it('is the same however the output arrives, letters cut in half included', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000), { maxLength: 40 }), (places) => {
        expect(read(cut(Buffer.from(whole), places))).toEqual(wholeRead);
      }),
    );
    expect(read(Array.from(Buffer.from(whole), (byte) => Buffer.of(byte)))).toEqual(wholeRead);
  });

  it('gives back any output whatever it is and however it arrives', () => {
    const output = fc.oneof(
      anyText(),
      fc.stringMatching(/^[\n<>. 0-9a-f]{0,60}$/),
      fc.constantFrom(mark.slice(0, -1), `${mark.slice(0, 12)}\n${mark.slice(12)}>battery.dump 0\n`),
    );
    fc.assert(
      fc.property(output, fc.array(fc.nat(1_000), { maxLength: 20 }), (text, places) => {
        const bytes = Buffer.from(`${printed('battery.dump', text)}\n${mark}.\n`);
        expect(read(cut(bytes, places)).outcomes).toEqual({ 'battery.dump': answered(text) });
      }),
    );
  });

  it('undoes the CR LF of a terminal, and only there', () => {
    const throughTerminal = whole.replaceAll('\n', '\r\n');

    expect(read([throughTerminal], { pty: true })).toEqual(wholeRead);
    expect(read([printed('battery.dump', 'a\r\nb')]).outcomes).toEqual({
      'battery.dump': answered('a\r\nb'),
    });
  });

  it('undoes the CR LF of a terminal wherever it is cut', () => {
    const bytes = Buffer.from(whole.replaceAll('\n', '\r\n'));
    for (let place = 0; place <= bytes.length; place += 1)
      expect(read(cut(bytes, [place]), { pty: true })).toEqual(wholeRead);
  });

  it('adds no line end to output that has none', () => {
    expect(read([printed('battery.dump', 'no line end')]).outcomes).toEqual({
      'battery.dump': answered('no line end'),
    });
    expect(read([printed('battery.dump', '')]).outcomes).toEqual({ 'battery.dump': answered('') });
  });

  it('takes no look-alike for a mark', () => {
    const output = [
      'fedcba987654321001234567>battery.dump 0',
      `${mark.slice(0, -1)}>battery.dump 0`,
      `A=${mark.slice(0, 12)};B=${mark.slice(12)}`,
      'echo "$A$B>$1 $c"',
    ].join('\n');

    expect(read([printed('battery.dump', output)]).outcomes).toEqual({ 'battery.dump': answered(output) });
  });

  it('ignores the start or end of a command that was not sent', () => {
    const other = printed('network.probe', 'HTTP/1.1 204\n');

    expect(read([other, printed('root.su', 'x'), other])).toEqual({
      outcomes: { 'root.su': answered('x') },
      finished: false,
      current: undefined,
    });
  });

  it('takes what its watchdog killed for no answer', () => {
    expect(read([printed('battery.dump', 'AC powe', 137), printed('root.su', '')]).outcomes).toEqual({
      'battery.dump': { kind: 'timed-out' },
      'root.su': answered(''),
    });
  });

  it('says which command was under way when it ended', () => {
    expect(read([printed('battery.dump', 'x'), `\n${mark}<root.su\n28.`])).toEqual({
      outcomes: { 'battery.dump': answered('x') },
      finished: false,
      current: 'root.su',
    });
  });

  it('reads nothing after the last mark', () => {
    expect(read([`\n${mark}.\n${printed('root.su', 'late')}`, printed('battery.dump', 'later')])).toEqual({
      outcomes: {},
      finished: true,
      current: undefined,
    });
  });

  it('says when the end of each command arrived', () => {
    const transcript = new Transcript(script);
    transcript.push(Buffer.from(`${printed('battery.dump', 'x')}\n${mark}<root.su\n`), at, readAt);
    transcript.push(Buffer.from(`y\n${mark}>root.su 0\n`), at + 500, readAt + 500);

    expect([...transcript.outcomes.values()]).toEqual([
      answered('x'),
      { ...answered('y'), at: at + 500, readAt: readAt + 500 },
    ]);
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** What all buffers hold together once the garbage is gone. */
function bytesHeld(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

describe('a transcript in a flood', () => {
  const full = 'x'.repeat(MAX_ANSWER_BYTES - 1); // the line feed before the mark counts

  it('keeps the longest answer whole, and nothing of a longer one', () => {
    expect(read([printed('battery.dump', full), printed('root.su', `${full}x`)]).outcomes).toEqual({
      'battery.dump': answered(full),
      'root.su': { kind: 'flooded' },
    });
  });

  it('keeps of each command no more than its own limit', () => {
    const commands = script.commands.map((command) => ({ ...command, limitBytes: 10 }));
    const battery = '123456789'; // and a line feed
    const transcript = new Transcript({ ...script, commands });
    transcript.push(
      Buffer.from(printed('battery.dump', battery) + printed('root.su', `${battery}0`)),
      at,
      readAt,
    );
    expect(Object.fromEntries(transcript.outcomes)).toEqual({
      'battery.dump': answered(battery),
      'root.su': { kind: 'flooded' },
    });
  });

  it('reads the next command after it', () => {
    expect(read([printed('battery.dump', full.repeat(3)), printed('root.su', 'x')]).outcomes).toEqual({
      'battery.dump': { kind: 'flooded' },
      'root.su': answered('x'),
    });
  });

  it('holds no more than one answer in memory, however long it lasts', async () => {
    const transcript = new Transcript(script);
    transcript.push(Buffer.from(`\n${mark}<battery.dump\n`));
    const before = bytesHeld();
    for (let count = 0; count < 100; count += 1) {
      transcript.push(Buffer.alloc(256 * 1024, 'all work and no play'));
    }

    // buffers are given back in the background, a little later
    await expect.poll(() => bytesHeld() - before).toBeLessThan(4 * MAX_ANSWER_BYTES);
    expect(transcript.current).toBe('battery.dump');
  });

  it('holds an answer that comes byte by byte once', async () => {
    const transcript = new Transcript(script);
    transcript.push(Buffer.from(`\n${mark}<battery.dump\n`));
    const heldBy = () => {
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const before = heldBy();
    for (let count = 0; count < 50_000; count += 1) transcript.push(Buffer.of(0x78));
    // what other tests of this process left may be given back late
    await expect.poll(() => heldBy() - before).toBeLessThan(4 * MAX_ANSWER_BYTES);
    transcript.push(Buffer.from(`\n${mark}>battery.dump 0\n`));
    expect(transcript.outcomes.get('battery.dump')).toMatchObject({ text: 'x'.repeat(50_000) });
  });
});
