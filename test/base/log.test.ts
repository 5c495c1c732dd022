import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HostNodeError } from '../../src/base/errors.ts';
import { describeError } from '../../src/base/log.ts';
import { describeWhere, without } from '../support/machine-needs.ts';

const program = fileURLToPath(new URL('log-process.ts', import.meta.url));
const start = (...args: string[]) => spawn(process.execPath, [program, ...args]);

describe('createLogger', () => {
  it('writes JSON lines into a pipe, without identifiers and credentials', async () => {
    const child = start('facts');
    const lines = (await text(child.stdout))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        imei: '***',
        phones: [{ telephony: { iccid: '***' } }],
        cloud: { apiKey: '***' },
        msg: 'round',
      },
      {
        level: 'warn',
        time: expect.any(String),
        err: {
          type: 'TypeError',
          message: '\u001b[2Jbad\nline',
          stack: expect.any(String),
          cause: { type: 'Error', code: 'ECONNREFUSED', message: 'connect', stack: expect.any(String) },
        },
        msg: 'failed',
      },
      { level: 'info', time: expect.any(String), model: 'a\u007fb\u009bc', msg: 'a\u007fb\u009bc' },
    ]);
  });

  it('shows people no control characters of a phone', async () => {
    const shown = await text(start('facts', 'pretty').stdout);
    expect(shown).toContain('INFO: round');
    expect(shown).toContain('␛[2Jbad␊line');
    expect(shown).toContain('INFO: a␡b\\u009bc');
    expect(shown).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it('neither blocks nor fails to end while its reader has stopped', async () => {
    const child = start('flood');
    child.stdout.pause();
    const exited = once(child, 'exit');
    const told = JSON.parse(await text(child.stderr));
    expect(await exited).toEqual([0, null]);
    expect(told.dropped).toBeGreaterThan(3000);
    expect(told.isLate).toBe(false); // a write that blocks would never end
  });

  it('says how many lines were lost once its reader reads again', async () => {
    const child = start('until-told');
    const lines: string[] = [];
    child.stdout.setEncoding('utf8');
    let rest = '';
    for await (const chunk of child.stdout) {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
      if (parts.some((line) => line.includes('droppedLines'))) child.stdin.write('end\n');
    }
    const told = JSON.parse(lines.at(-1) ?? '');
    expect(told).toMatchObject({ level: 'warn', droppedLines: 5000 - (lines.length - 1) });
  });

  it('says in a file how many lines came faster than they could be written', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hostnode-log-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = openSync(join(folder, 'log'), 'a');
    const child = spawn(process.execPath, [program, 'until-told'], { stdio: ['ignore', file, 'inherit'] });
    closeSync(file);
    expect(await once(child, 'exit')).toEqual([0, null]);
    const lines = (await readFile(join(folder, 'log'), 'utf8')).trimEnd().split('\n');
    const told = JSON.parse(lines.at(-1) ?? '');
    expect(told).toMatchObject({ level: 'warn', droppedLines: 5000 - (lines.length - 1) });
  });

  it('works on and ends on a full disk', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [program, 'flood'], { stdio: ['ignore', full, 'pipe'] });
    const exited = once(child, 'exit');
    const told = JSON.parse(await text(child.stderr as Readable));
    expect(told.dropped).toBe(5000);
    expect(told.isLate).toBe(false);
    expect(await exited).toEqual([0, null]);
  });

  it('works on when its reader has gone', async () => {
    const child = start('flood');
    child.stdout.destroy();
    const exited = once(child, 'exit');
    expect(JSON.parse(await text(child.stderr)).dropped).toBeGreaterThan(3000);
    expect(await exited).toEqual([0, null]);
  });
});

describeWhere('createLogger at a terminal', { missing: without(['script']) }, () => {
  /** The program at a terminal that is held (Ctrl-S), with its stderr in a file. */
  async function startHeld(
    ...args: string[]
  ): Promise<{ child: ChildProcessWithoutNullStreams; told: string }> {
    const folder = await mkdtemp(join(tmpdir(), 'hostnode-log-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const told = join(folder, 'told');
    // the program starts once the terminal has read Ctrl-S and the line after it
    const command = `read -r _; exec "${process.execPath}" "${program}" ${args.join(' ')} 2>"${told}"`;
    const child = spawn('script', ['-qec', command, '/dev/null'], { detached: true });
    onTestFinished(() => void child.kill());
    child.stdin.write('\x13\n');
    return { child, told };
  }

  it('neither blocks nor fails to end while the terminal is held', async () => {
    const { child, told } = await startHeld('flood');
    child.stdout.resume();
    expect(await once(child, 'exit')).toEqual([0, null]);
    const { dropped, isLate } = JSON.parse(await readFile(told, 'utf8'));
    expect(dropped).toBeGreaterThan(3000);
    expect(isLate).toBe(false);
  });

  it('says how many lines were lost once the terminal goes on', async () => {
    const { child } = await startHeld('until-told', 'json');
    child.stdin.write('\x11');
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.startsWith('{')) lines.push(line);
      if (line.includes('droppedLines')) child.stdin.write('end\n');
    }
    const told = JSON.parse(lines.at(-1) ?? '');
    expect(told).toMatchObject({ level: 'warn', droppedLines: 5000 - (lines.length - 1) });
  });
});

describe('describeError', () => {
  class Refused extends HostNodeError {
    readonly code = 'REFUSED';
  }

  it('shows our own errors without a stack, and their causes', () => {
    expect(describeError(new Refused('no', { cause: 'text' }))).toEqual({
      type: 'Refused',
      code: 'REFUSED',
      message: 'no',
      cause: 'text',
    });
  });

  it('ends with errors that cause each other', () => {
    const error = new Refused('round');
    error.cause = error;
    expect(JSON.stringify(describeError(error)).match(/round/g)).toHaveLength(4);
  });
});
