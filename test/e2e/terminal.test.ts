import { once } from 'node:events';
import stringWidth from 'string-width';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SimulatedPhone } from '../../src/demo/phone.ts';
import { describeWhere, without } from '../support/machine-needs.ts';
import { Daemon, type Environment, hostnode, inBash, startInBash } from '../support/program.ts';
import { phoneOf, poco, startAdb, startHost, temporaryFolder, toAdb } from '../support/program-lab.ts';

let phone: SimulatedPhone;
let env: Environment;

beforeEach(async () => {
  phone = phoneOf(poco);
  const adb = await startAdb(phone, phoneOf('emulator-5554'));
  env = toAdb(adb.port, await temporaryFolder());
});

describeWhere('hostnode inventory at a terminal', { missing: without(['script']) }, () => {
  const onTerminal = 'script -qec "$(printf "%q " "$@")" /dev/null </dev/null';

  it('shows how far the reading is, and wipes that line', async () => {
    const { code, stdout } = await inBash(onTerminal, ['inventory'], env);
    expect(code).toBe(0);
    expect(stdout).toContain('\r\x1b[Kcollecting phones: 2 of 2');
    const shown = stdout.slice(stdout.lastIndexOf('\r\x1b[K'));
    expect(shown).toMatch(/^\r\x1b\[KUDID /);
    expect(shown).toContain(poco);
  });

  it('writes nothing of a phone that a terminal could obey', async () => {
    phone.alter('name.settings', () => 'name=nice\x1b]0;title\x07\x1b[31mphone\x9b2J\n');
    const { stdout } = await inBash(onTerminal, ['inventory'], env);
    const [table = ''] = stdout.split('\r\x1b[K').slice(-1);
    expect(table).toContain('nice ]0;title [31mphone 2J');
    expect(table.replaceAll('\r\n', '')).not.toMatch(/\p{Cc}/u);
  });
});

/** The program on a terminal of this size. */
const onTerminalOf = (columns: number, rows: number) =>
  `script -qec "stty cols ${columns} rows ${rows}; $(printf "%q " "$@")" /dev/null </dev/null`;

/** Lines without what moves the cursor, wipes or colours. */
const linesOf = (text: string) =>
  text
    .replaceAll(/\r\n|\r/g, '\n')
    .replaceAll(/\x1b\[\d*[HJKm]/g, '')
    .split('\n');

describeWhere('an error at a terminal', { missing: without(['script']) }, () => {
  it.each([80, 200])('breaks between words, at %i columns', async (columns) => {
    const args = ['maintenance', 'X', '--until', 'yesterday', '--reason', 'x'];
    const { stdout } = await inBash(onTerminalOf(columns, 24), args, env);
    const lines = linesOf(stdout.trim());
    expect(lines.filter((line) => stringWidth(line) > columns)).toEqual([]);
    expect(lines.join(' ')).toBe(
      'hostnode: --until yesterday: must be 30m, 2h, 3d, 1w (up to 9999w), a day (2026-11-23) or a time (18:00, 2026-11-23T18:00)',
    );
    expect(lines).toHaveLength(columns === 80 ? 2 : 1);
  });

  it('has what to do below itself, indented', async () => {
    const { stdout } = await inBash(onTerminalOf(80, 24), ['slots', 'learn'], {
      ...env,
      HOSTNODE_ADB_HOST: 'adb.invalid',
    });
    expect(linesOf(stdout)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^ {2}→ Check adb\.host/),
        expect.stringMatching(/^ {4}\S/),
      ]),
    );
  });
});

describeWhere('tables at a terminal', { missing: without(['script']) }, () => {
  const unauthorized = '9c2ad7e1';
  const chinese = '测试手机一号，三号机架，第二层，从左数第四个位置';

  /** Reads as on the terminal of this width, with all that must be readable at any. */
  function check(stdout: string, width: number): void {
    const lines = linesOf(stdout);
    const [tooWide] = lines.filter((line) => stringWidth(line) > width);
    expect([width, tooWide]).toEqual([width, undefined]);
    expect(lines.find((line) => line.includes('UDID'))).toMatch(/ANDROID +STATE +BATTERY .*NETWORK/);
    expect(lines.join('').replaceAll(/ +/g, ' ')).toContain('Accept the USB debugging prompt on the phone');
    expect(lines.find((line) => line.startsWith(poco))).toMatch(
      / 测试.* 15 +(?:device|fine) .*81 % .*reachable/,
    );
  }

  it.each([80, 100, 120, 200])('keep battery, network and what to do at %d columns', async (width) => {
    const named = phoneOf(poco);
    named.alter('name.settings', () => `name=${chinese}\n`);
    const { env: host } = await startHost(named, phoneOf(unauthorized), phoneOf('emulator-5554'));
    const long = { ...host, HOSTNODE_NODE_ID: '3f0c2a5e-7d61-4b7c-9c0e-5b8d1f64a927' };
    check((await inBash(onTerminalOf(width, 50), ['inventory'], long)).stdout, width);
    const daemon = new Daemon(long);
    await daemon.says('round');
    const status = await inBash(onTerminalOf(width, 50), ['status', '--all'], long);
    expect(status.stdout).toMatch(/^3f0c2a5e-7d61-4b7c-9c0e-5b8d1f64a927 \(/);
    check(status.stdout, width);
  });

  it('of the demo have where its page is on top, at 80 columns and 24 rows', async () => {
    const demo = startInBash(onTerminalOf(80, 24), ['demo'], {});
    const signal = AbortSignal.timeout(30_000);
    while (!/status page http:.*What happened/s.test(demo.stdout.split('\x1b[H').at(-1) ?? ''))
      await once(demo.child.stdout ?? demo.child, 'data', { signal });
    const rows = linesOf(demo.stdout.split('\x1b[H').at(-1) ?? '');
    expect(rows[0]).toMatch(/^hostnode demo · status page http:\/\/127\.0\.0\.1:\d+\/ · Ctrl-C ends$/);
    const isHint = (row: string) => row.startsWith(' - '); // has commands to copy
    expect(rows.filter((row) => stringWidth(row) > 80 && !isHint(row))).toEqual([]);
  });

  it('call an emulator the same in each run, also where the host has no name', async () => {
    const { HOSTNODE_NODE_ID: _, ...nameless } = env;
    const names = async () => {
      const { stdout } = await hostnode(['inventory'], nameless);
      return stdout.match(/^emulator-\S+/m);
    };
    expect(await names()).toEqual(await names());
  });
});

describeWhere('colours', { missing: without(['script']) }, () => {
  const coloured = '\x1b[32mdevice\x1b[39m';
  const TERM = 'xterm-256color';

  it('are on a terminal that has them, but not with NO_COLOR', async () => {
    const onTerminal = onTerminalOf(120, 50);
    expect((await inBash(onTerminal, ['inventory'], { ...env, TERM })).stdout).toContain(coloured);
    const without = await inBash(onTerminal, ['inventory'], { ...env, TERM, NO_COLOR: '1' });
    expect(without.stdout).not.toMatch(/\x1b\[\d*m/);
    expect((await inBash(onTerminal, ['doctor'], { ...env, TERM })).stdout).toContain('\x1b[32m ✔ ok ');
  });

  it('are in a pipe only with FORCE_COLOR', async () => {
    expect((await hostnode(['inventory'], { ...env, TERM })).stdout).not.toContain('\x1b');
    const forced = await hostnode(['inventory'], { ...env, FORCE_COLOR: '1', NO_COLOR: '1' });
    expect(forced).toMatchObject({ stdout: expect.stringContaining(coloured), stderr: '' });
  });
});

describe('hostnode inventory in a pipe', () => {
  it('writes neither colours nor progress', async () => {
    const { stdout, stderr } = await inBash('"$@" 2>&1', ['inventory'], env);
    expect(stdout + stderr).not.toMatch(/[\x1b\r]/);
    expect(stdout).toContain(poco);
  });

  it('ends quietly when its reader has seen enough', async () => {
    const stopsReading = '"$@" | head -c 1 >/dev/null; echo "$PIPESTATUS"';
    const { stdout, stderr } = await inBash(stopsReading, ['inventory', '--json'], env);
    expect({ stdout, stderr }).toEqual({ stdout: '0\n', stderr: '' });
  });

  it('says that its output cannot be written, where the disk is full', async () => {
    for (const args of [['inventory'], ['inventory', '--json'], ['--help']]) {
      const { code, stderr } = await inBash('"$@" >/dev/full', args, env);
      expect({ args, code, stderr }).toEqual({
        args,
        code: 1,
        stderr: 'hostnode: cannot write the output: no space left on the disk\n',
      });
    }
  });

  it('ends quietly when nobody reads it at all', async () => {
    for (const args of [['inventory'], ['inventory', '--help'], ['--version']]) {
      const { stdout, stderr } = await inBash('"$@" | true; echo "$PIPESTATUS"', args, env);
      expect({ args, stdout, stderr }).toEqual({ args, stdout: '0\n', stderr: '' });
    }
  });
});
