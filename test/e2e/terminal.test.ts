import { beforeEach, describe, expect, it } from 'vitest';
import type { SimulatedPhone } from '../../src/demo/phone.ts';
import { describeWhere, without } from '../support/machine-needs.ts';
import { type Environment, inBash } from '../support/program.ts';
import { phoneOf, poco, startAdb, temporaryFolder, toAdb } from '../support/program-lab.ts';

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
