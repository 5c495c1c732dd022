import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hostnode, Program, programFile } from '../support/program.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

describe('the command line', () => {
  it.each([
    [['staus'], 'status'],
    [['config', 'chek'], 'check'],
    [['status', '--wacth'], '--watch'],
  ])('%j ends with 2 and says what was probably meant', async (args, meant) => {
    const { code, stderr } = await hostnode(args);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`(Did you mean ${meant}?)`),
    });
  });

  it.each([
    [['why', '']],
    [['verdict', ' ', '--from', '1m']],
    [['note', '', 'new cable']],
    [['forget', '']],
    [['drain', '', '--end']],
    [['inventory', '--serial', '']],
  ])('%j says that the name is empty', async (args) => {
    expect(await hostnode(args)).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('It is empty: give a udid, serial, slot or name.'),
    });
  });

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

describe('an npm script', () => {
  const check = new URL('../../packaging/check-node.cjs', import.meta.url).pathname;
  const checked = async (node: string) => {
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '${node}' })`;
    const program = new Program([process.execPath, '-e', `${pretend}; require('${check}')`]);
    return { code: await program.ended, stderr: program.stderr };
  };

  it.each(['20.20.2', '22.20.9', '23.11.0', '24.4.1'])('has a hint for Node %s', async (node) => {
    expect(await checked(node)).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^Run npm ci, .*: hostnode needs Node 22\.21, 24\.5 or newer, and this is v\S+ \(\S+\)\n$/,
      ),
    });
  });

  it.each(['22.21.0', '22.30.1', '24.5.0', '25.0.0', '26.1.0'])('takes Node %s', async (node) => {
    expect(await checked(node)).toEqual({ code: 0, stderr: '' });
  });

  it('checks the Node before that has to read TypeScript', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    const typed = Object.values<string>(scripts).filter((script) => /\bnode \S+\.ts\b/.test(script));
    expect(typed.length).toBeGreaterThan(3);
    expect(typed.filter((script) => !/node packaging\/check-node\.cjs && node \S+\.ts/.test(script))).toEqual(
      [],
    );
  });
});

it.skipIf(tooOld === undefined)('a Node that is too old is told so in one line', async () => {
  for (const args of [['--version'], ['run']]) {
    const program = new Program([tooOld ?? '', programFile(), ...args]);
    expect({ code: await program.ended, stdout: program.stdout, stderr: program.stderr }).toEqual({
      code: 78,
      stdout: '',
      stderr: expect.stringMatching(
        /^Install a newer Node, or in a checkout use npm run hostnode --, .*: hostnode needs Node 22\.21, 24\.5 or newer, and this is v\d+\S* \(\S+\)\n$/,
      ),
    });
  }
});
