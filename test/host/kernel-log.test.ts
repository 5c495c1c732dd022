import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { KernelLine } from '../../src/host/kernel-line.ts';
import { followKernelLog } from '../../src/host/kernel-log.ts';
import { keptLog } from '../support/log.ts';

afterEach(() => {
  vi.useRealTimers();
});

const node = process.execPath;
const line = (message: unknown, cursor = 's=1', at = '1700000000123456') =>
  JSON.stringify({ MESSAGE: message, __CURSOR: cursor, __REALTIME_TIMESTAMP: at });

/** What a program that stands for journalctl writes: `ARGS` are its arguments. */
async function followed(program: string, until: (lines: readonly string[], starts: number) => boolean) {
  const stop = new AbortController();
  const lines: string[] = [];
  const warned: string[] = [];
  let starts = 0;
  const end = () => until(lines, starts) && stop.abort();
  const { log } = keptLog('warn', ({ msg, reason }) => {
    warned.push(`${msg}: ${reason}`);
    starts += 1;
    end();
  });
  const onLine = ({ fault, port }: KernelLine, at: number) => {
    lines.push(`${fault} ${port} ${at}`);
    end();
  };
  const script = `const ARGS = process.argv.slice(1); const say = (text) => console.log(text); ${program}`;
  const command = [node, '-e', script, '--'] as const;
  await followKernelLog({ onLine, log, env: process.env, command, againMs: 1 }, stop.signal);
  return { lines, warned };
}

const fault = 'usb 1-4: device descriptor read/64, error -71';

describe('the log of the kernel', () => {
  it('gives its faults with their time, and passes over what is none', async () => {
    const program = `say(${JSON.stringify(
      ['no JSON', '[1]', line([1, 2]), line('usb 1-4: Product: x'), line(fault)].join('\n'),
    )}); setInterval(() => {}, 1e6);`;
    const { lines } = await followed(program, (all) => all.length === 1);
    expect(lines).toEqual(['descriptor 1-4 1700000000123']);
  });

  it('goes on after its cursor where the program ended, and from now on where the cursor is lost', async () => {
    const program = `
      const from = ARGS.find((each) => /cursor|lines/.test(each));
      if (from === '--lines=0') say(${JSON.stringify(line(fault))});
      else { console.error('Failed to seek to cursor: ' + from); process.exit(1); }`;
    const { lines, warned } = await followed(program, (all) => all.length === 2);
    expect(lines).toHaveLength(2);
    expect(warned).toContain(
      'cannot follow the log of the kernel: Failed to seek to cursor: --after-cursor=s=1',
    );
  });

  it('is without a line of ours but one where there is no such program', async () => {
    const stop = new AbortController();
    const { log, lines } = keptLog('warn', () => setTimeout(() => stop.abort(), 50));
    const command = ['/nowhere/journalctl'] as const;
    await followKernelLog({ onLine() {}, log, env: process.env, command, againMs: 1 }, stop.signal);
    expect(lines.map(({ msg }) => msg)).toEqual(['cannot follow the log of the kernel']);
  });

  it('takes no line without an end, and reads on after it', async () => {
    const program = `process.stdout.write('x'.repeat(3e5) + '\\n' + ${JSON.stringify(line(fault))} + '\\n');
      setInterval(() => {}, 1e6);`;
    expect((await followed(program, (all) => all.length === 1)).lines).toHaveLength(1);
  });

  it('is read no faster than a megabyte at a time where it floods, and the program waits', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const text = line(fault);
    const most = 1_100_000 / text.length; // with the piece that was on its way
    const program = `const { writeSync } = require('node:fs');
      for (let count = 0; count < 20_000; count += 1) writeSync(1, ${JSON.stringify(`${text}\n`)});
      setInterval(() => {}, 1e6);`;
    const stop = new AbortController();
    let lines = 0;
    const { log, lines: said } = keptLog('warn');
    const onLine = () => {
      lines += 1;
      if (lines === 20_000) stop.abort();
    };
    const command = [node, '-e', program, '--'] as const;
    const ended = followKernelLog({ onLine, log, env: process.env, command, againMs: 1 }, stop.signal);
    await vi.waitFor(() => expect(lines * text.length).toBeGreaterThan(900_000), { timeout: 50_000 });
    await pause(200); // more would come now
    expect(lines).toBeLessThan(most);
    while (lines < 20_000) {
      vi.advanceTimersByTime(10_000);
      await pause(10);
    }
    await ended;
    expect(said.map(({ msg }) => msg)).toEqual(['the log of the kernel floods: it is read late']);
  });
});
