import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hostnode, Program, programFile } from '../support/program.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

describe('the command line', () => {
  it.each([['--version'], ['-V']])('%s prints the version', async (option) => {
    expect(await hostnode([option])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('--help lists the commands, and each has its own help', async () => {
    const { code, stdout, stderr } = await hostnode(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const command of ['run', 'inventory', 'demo']) {
      expect(stdout).toMatch(new RegExp(`^ +${command} `, 'm'));
      expect((await hostnode([command, '--help'])).stdout).toContain(`Usage: hostnode ${command}`);
    }
  });
});

/** A Node of this machine that is too old; its path. */
const tooOld = ['/usr/bin/node', '/usr/local/bin/node'].find((node) => {
  try {
    const [major = 0] = execFileSync(node, ['-p', 'process.versions.node']).toString().split('.').map(Number);
    return major < 22;
  } catch {
    return false;
  }
});
if (tooOld === undefined) {
  process.stderr.write('skipped: a Node that is too old (this machine has none before 22)\n');
}

it.skipIf(tooOld === undefined)('a Node that is too old is told so in one line', async () => {
  for (const args of [['--version'], ['run']]) {
    const program = new Program([tooOld ?? '', programFile(), ...args]);
    expect({ code: await program.ended, stdout: program.stdout, stderr: program.stderr }).toEqual({
      code: 78,
      stdout: '',
      stderr: expect.stringMatching(
        /^hostnode needs Node 22\.21, 24\.5 or newer; this is v\d+\S* \(\S+\)\n$/,
      ),
    });
  }
});
