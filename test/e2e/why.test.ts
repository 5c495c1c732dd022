import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { Why } from '../../src/status/host-status.ts';
import { Daemon, type Environment, hostnode } from '../support/program.ts';
import { phoneOf, poco, smartron, startHost, stored } from '../support/program-lab.ts';

const slots = [
  { name: 'rack 2, shelf 3, bay 1', paths: [phoneOf(poco).devpath ?? ''] },
  { name: 'rack 2, shelf 3, bay 2', paths: ['9-9'] },
];

let adb: SimulatedAdbServer;
let cloud: Sandbox;
let env: Environment;

beforeEach(async () => {
  const host = await startHost(phoneOf(poco), phoneOf(smartron));
  ({ adb, cloud } = host);
  env = { ...host.env, HOSTNODE_SLOTS: JSON.stringify(slots) };
});

async function running(more: Environment = {}): Promise<Daemon> {
  const daemon = new Daemon({ ...env, ...more });
  await daemon.says('status page');
  await daemon.says('round');
  return daemon;
}

const hostnodeHere = (...args: string[]) => hostnode(args, env);

async function why(...args: string[]): Promise<Why> {
  const { stdout, stderr } = await hostnodeHere('why', '--json', ...args);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

describe('hostnode note', () => {
  it('is in the timeline of its phone, with who wrote it, also after a restart', async () => {
    const daemon = await running();
    const noted = await hostnode(['note', poco, 'swapped\tthe cable 🔧'], { ...env, SUDO_USER: 'anna' });
    expect(noted).toEqual({ code: 0, stdout: `noted on POCO F6 (${poco})\n`, stderr: '' });
    await daemon.end();
    await running();
    const { timeline } = await why(poco);
    expect(timeline).toContainEqual(
      expect.objectContaining({ kind: 'note', text: 'note by anna: swapped the cable 🔧', udid: poco }),
    );
    expect((await why(smartron)).timeline.map(({ kind }) => kind)).not.toContain('note');
  });

  it('stays on its slot, shelf or hub, whatever phone is there', async () => {
    await running();
    for (const name of ['rack 2, shelf 3, bay 1', 'rack 2, shelf 3', 'rack 2, shelf 3, bay 2'])
      expect(await hostnodeHere('note', name, `on ${name}`)).toMatchObject({ stdout: `noted on ${name}\n` });
    const notesOn = async (name: string) =>
      (await why(name)).timeline.filter(({ kind }) => kind === 'note').map(({ text }) => text.split(': ')[1]);
    expect(await notesOn(poco)).toEqual(['on rack 2, shelf 3', 'on rack 2, shelf 3, bay 1']);
    expect(await notesOn('rack 2, shelf 3, bay 2')).toEqual([
      'on rack 2, shelf 3, bay 2',
      'on rack 2, shelf 3',
    ]);
    expect(await notesOn('rack 2, shelf 3')).toHaveLength(3);
    expect(await notesOn(smartron)).toEqual([]);
  });

  it('says what is wrong with it, and of whom there is none', async () => {
    await running();
    for (const text of ['', ' ', 'x'.repeat(501)])
      expect(await hostnodeHere('note', poco, text)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('must be 1 to 500 characters'),
      });
    expect(await hostnodeHere('note', poco, '🔧'.repeat(500))).toMatchObject({ code: 0 });
    expect(await hostnodeHere('note', 'rack 2, shelf 4', 'x')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'hostnode: nothing on this host has the name rack 2, shelf 4; did you mean rack 2, shelf 3?\n',
    });
  });
});
