import { once } from 'node:events';
import stringWidth from 'string-width';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { GONE } from '../../src/report/message.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { Why } from '../../src/status/host-status.ts';
import { describeWhere, without } from '../support/machine-needs.ts';
import { Daemon, type Environment, hostnode, inBash } from '../support/program.ts';
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

/** Waits until the history has this. */
async function whyOnce(holds: (why: Why) => boolean, ...args: string[]): Promise<Why> {
  for (;;) {
    const found = await why(...args);
    if (holds(found)) return found;
    await once(cloud, 'answered', { signal: AbortSignal.timeout(20_000) }).catch(() => {});
  }
}

async function why(...args: string[]): Promise<Why> {
  const { stdout, stderr } = await hostnodeHere('why', '--json', ...args);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

describe('hostnode why', () => {
  it('says what is so, what to do and what led to it', async () => {
    await running();
    adb.unplug(poco);
    await stored(cloud, ({ udid, status }) => udid === poco && status === 'UNPLUGGED');
    expect(await why(poco)).toMatchObject({
      subject: { kind: 'phone', name: 'POCO F6', udid: poco, slot: 'rack 2, shelf 3, bay 1' },
      now: 'POCO F6 is unplugged',
      remedy: GONE.usb,
      timeline: expect.arrayContaining([
        expect.objectContaining({ kind: 'detached', text: 'lost: adb no longer lists it' }),
        expect.objectContaining({ kind: 'attached', text: 'plugged in' }),
      ]),
    });
    const { code, stdout, stderr } = await hostnodeHere('why', 'poco f6');
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^POCO F6 is unplugged, since \d\d:\d\d \(\d+ s\)$/);
    expect(lines[1]).toBe(`  → ${GONE.usb}`);
    expect(stdout).toMatch(/^What led to it\ntoday\n {2}\d\d:\d\d {2}/m);
  });

  it('answers for its slot, its shelf and its port too, and the page may ask the same', async () => {
    const daemon = await running();
    const shelf = await why('rack 2, shelf 3');
    expect(shelf).toMatchObject({ subject: { kind: 'shelf' }, now: 'rack 2, shelf 3: 1 phone, 1 fine' });
    expect(await why('Rack 2, shelf 3, bay 2')).toMatchObject({
      subject: { kind: 'slot' },
      now: 'rack 2, shelf 3, bay 2 is empty: no phone is known there',
    });
    expect(await why(slots[0]?.paths[0] ?? '')).toMatchObject({
      subject: { kind: 'port' },
      now: expect.stringMatching(/^USB port \S+: POCO F6 is fine$/),
    });
    const [{ url } = { url: '' }] = daemon.logged('status page');
    const answer = await fetch(new URL('api/why/rack%202,%20shelf%203', String(url)));
    expect([answer.status, await answer.json()]).toEqual([200, shelf]);
    const written = await fetch(new URL(`notes/${poco}`, String(url)), {
      method: 'POST',
      body: '{"text":"x"}',
    });
    expect(written.status).toBe(405);
  });

  it('has on the page what happened to a phone, kind by kind, its days and its readings', async () => {
    const daemon = await running();
    const [{ url } = { url: '' }] = daemon.logged('status page');
    const answer = async (path: string) => {
      const response = await fetch(new URL(`api/phones/${path}`, String(url)));
      return { status: response.status, body: (await response.json()) as unknown[] };
    };
    await hostnodeHere('note', poco, 'swapped the cable');
    adb.unplug(poco);
    await whyOnce(({ timeline }) => timeline.some(({ kind }) => kind === 'detached'), poco);
    const slot = 'rack 2, shelf 3, bay 1';
    expect((await answer(`${poco}/events?kinds=note,detached`)).body).toEqual({
      events: [
        expect.objectContaining({ kind: 'detached', text: 'lost: adb no longer lists it', slot }),
        expect.objectContaining({
          kind: 'note',
          text: expect.stringMatching(/^note by \S+: swapped the cable$/),
        }),
      ],
    });
    const { body: days } = await answer(`${poco}/uptime`);
    expect(days).toHaveLength(90);
    expect(days.at(-1)).toMatchObject({ onlineRatio: expect.any(Number), losses: 1 });
    expect(days[0]).toEqual({ at: expect.any(Number), losses: 0 });
    const { body: samples } = await answer(`${poco}/samples?days=90`);
    expect(samples.at(-1)).toEqual({
      at: expect.any(Number),
      levelRatio: 0.81,
      temperatureCelsius: expect.any(Number),
    });
    expect((await answer(`${poco}/samples?days=91`)).status).toBe(400);
    expect((await answer('nobody/uptime')).status).toBe(404);
  });

  it('takes --since and --all', async () => {
    await running();
    for (const text of ['one', 'two', 'three']) await hostnodeHere('note', poco, text);
    expect((await why(poco, '--all')).timeline.length).toBeGreaterThan(3);
    expect((await why(poco, '--since', '0m')).timeline).toEqual([]);
    expect(await hostnodeHere('why', poco, '--since', 'yesterday')).toMatchObject({ code: 2, stdout: '' });
  });

  it('names the nearest, and those among which it cannot choose', async () => {
    await running();
    expect(await hostnodeHere('why', 'POCO F7')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'hostnode: nothing on this host has the name POCO F7; did you mean POCO F6?\n',
    });
    expect(await hostnodeHere('why', '')).toMatchObject({ code: 2 });
    const stderr = 'hostnode: the name is too long: no phone or place has such a long one\n';
    expect(await hostnodeHere('why', 'x'.repeat(20_000))).toEqual({ code: 1, stdout: '', stderr });
  });

  it('says how to start an agent where none runs', async () => {
    expect(await hostnodeHere('why', poco)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^hostnode: no agent answers at .*: is hostnode running\?/),
    });
  });
});

describe('maintenance', () => {
  it('hides the phone in the cloud until it ends, and both are in its timeline', async () => {
    await running({ HOSTNODE_MAINTENANCE_HIDES_FROM_CLOUD: 'true' });
    await hostnodeHere('maintenance', poco, '--until', '2h', '--reason', 'new battery');
    const hidden = await stored(cloud, ({ udid, isHidden }) => udid === poco && isHidden === true);
    expect(hidden.message).toMatch(/^In maintenance until [\d: -]+ [A-Z+\d:-]+: new battery$/);
    const during = await whyOnce(({ since }) => since !== undefined, poco);
    expect(during.now).toMatch(/^POCO F6 is in maintenance until [\d: -]+: new battery$/);
    await hostnodeHere('maintenance', poco, '--end');
    const shown = await stored(cloud, ({ udid, isHidden }) => udid === poco && isHidden === false);
    expect(shown.message).toBe('');
    const { timeline } = await whyOnce(
      (found) => found.timeline.some(({ kind }) => kind === 'maintenanceEnded'),
      poco,
    );
    expect(timeline.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['maintenance', 'maintenanceEnded']),
    );
  });
});

describeWhere('why at a terminal', { missing: without(['script']) }, () => {
  it.each([80, 100, 120])('fits into %i columns, and writes nothing that a terminal obeys', async (width) => {
    await running();
    await hostnodeHere('note', poco, `\x1b[31m\u202e测试 ${'a long word 🔧 '.repeat(30)}`);
    adb.unplug(poco);
    await stored(cloud, ({ udid, status }) => udid === poco && status === 'UNPLUGGED');
    const onTerminal = `script -qec "stty cols ${width} rows 40; $(printf "%q " "$@")" /dev/null </dev/null`;
    for (const name of [poco, 'rack 2, shelf 3']) {
      const { stdout } = await inBash(onTerminal, ['why', name], { ...env, NO_COLOR: '1' });
      const lines = stdout.replaceAll('\r', '').split('\n');
      expect(lines.filter((line) => stringWidth(line) > width)).toEqual([]);
      expect(lines[1]).toContain('  → adb does not list it: see that it is on');
      expect(lines.join('')).not.toMatch(/[\p{Cc}\u202e]/u);
      expect(lines.join('').replaceAll(/ +/g, ' ')).toContain('a long word 🔧 a long word');
    }
  });
});

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

  it('goes with a phone that is forgotten, and stays on its slot', async () => {
    await running();
    const slot = 'rack 2, shelf 3, bay 1';
    await hostnodeHere('note', poco, 'of the phone');
    await hostnodeHere('note', slot, 'of the slot');
    adb.unplug(poco);
    await stored(cloud, ({ udid, status }) => udid === poco && status === 'UNPLUGGED');
    expect(await hostnodeHere('forget', poco)).toMatchObject({ code: 0 });
    const { timeline } = await why(slot, '--all');
    expect(
      timeline.map(({ kind, text, udid }) => [kind === 'note' ? text.split(': ')[1] : kind, udid]),
    ).toEqual(expect.arrayContaining([['of the slot', undefined]]));
    expect(timeline.filter(({ udid }) => udid === poco)).toEqual([]);
    expect(await hostnodeHere('why', poco)).toMatchObject({ code: 1 });
  });

  it('says what is wrong with it, and of whom there is none', async () => {
    await running();
    for (const text of ['', ' ', 'x'.repeat(501)])
      expect(await hostnodeHere('note', poco, text)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('1 to 500 characters'),
      });
    expect(await hostnodeHere('note', poco, '🔧'.repeat(500))).toMatchObject({ code: 0 });
    expect(await hostnodeHere('note', 'rack 2, shelf 4', 'x')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'hostnode: nothing on this host has the name rack 2, shelf 4; did you mean rack 2, shelf 3?\n',
    });
  });
});
