import { once } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { HostStatus } from '../../src/status/host-status.ts';
import { describeWhere, without } from '../support/machine-needs.ts';
import { Daemon, type Environment, hostnode, Program, programFile } from '../support/program.ts';
import { phoneOf, poco, smartron, startHost, stored } from '../support/program-lab.ts';
import { Terminal } from '../support/terminal.ts';

let adb: SimulatedAdbServer;
let cloud: Sandbox;
let env: Environment;

beforeEach(async () => {
  ({ adb, cloud, env } = await startHost(phoneOf(poco), phoneOf(smartron)));
  env.SUDO_USER = 'anna';
});

async function running(more: Environment = {}): Promise<Daemon> {
  const daemon = new Daemon({ ...env, ...more });
  await daemon.says('round');
  await stored(cloud, ({ udid }) => udid === smartron);
  return daemon;
}

const hostnodeHere = (...args: string[]) => hostnode(args, env);
const drainHere = (...args: string[]) =>
  new Program([process.execPath, programFile(), 'drain', ...args], env);
const isHidden = (wanted: boolean) =>
  stored(cloud, ({ udid, isHidden: is }) => udid === poco && is === wanted);
const statusNow = async (): Promise<HostStatus> =>
  JSON.parse((await hostnodeHere('status', '--json')).stdout);

/** Waits until it has written this. */
async function says(program: Program, text: string): Promise<void> {
  while (!`${program.stdout}${program.stderr}`.includes(text)) {
    const outputs = [program.child.stdout, program.child.stderr].flatMap((out) => out ?? []);
    await Promise.race([...outputs.map((out) => once(out, 'data')), program.ended]);
    if (program.child.exitCode !== null) break;
  }
  expect(`${program.stdout}${program.stderr}`).toContain(text);
}

describe('hostnode drain', () => {
  it('hides the phones, waits for who uses one, through a restart of the agent, and says what may be done', async () => {
    const daemon = await running();
    cloud.book(poco, undefined, 600);
    const waiting = drainHere('host', '--for', '2h', '--reason', 'new hub', '--wait');
    await says(waiting, `booked: POCO F6 (${poco})`);
    await isHidden(true);
    await daemon.end();
    await says(waiting, 'no agent answers');
    await running();
    cloud.setNow(cloud.now() + 601_000);
    expect(await waiting.ended).toBe(0);
    expect(waiting.stdout).toMatch(
      /^2 phones are drained until [\d -]{10} [\d:]{5} \S+\nUDID .*\n.*anna.*new hub\n/,
    );
    expect(waiting.stdout).toMatch(
      /^None of these 2 phones is booked\. Until \S+ [\d:]{5} \S+ you can unplug them, .*\n {2}→ No alerts .*\n {2}→ .* hostnode drain --end -- host\n$/m,
    );
    const { phones } = await statusNow();
    expect(phones.map(({ condition, drain }) => [condition, drain?.by, drain?.reason])).toEqual([
      ['fine', 'anna', 'new hub'],
      ['fine', 'anna', 'new hub'],
    ]);
    expect((await hostnodeHere('status', '--all')).stdout).toMatch(
      /2 drained[\s\S]*drained .*Drained until .* by anna: new hub/,
    );
    expect((await hostnodeHere('why', poco)).stdout).toMatch(
      /^POCO F6 is fine, and is drained until [\s\S]*by anna: new hub/,
    );
    expect(JSON.parse((await hostnodeHere('drain', '--json')).stdout)).toHaveLength(2);

    env.SUDO_USER = 'bert';
    expect(await hostnodeHere('drain', poco)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/ is drained by anna, bert until .*\n {2}→ Wait until none is booked: /),
    });
    expect((await hostnodeHere('drain', poco, '--wait')).stdout).toMatch(
      /^POCO F6 \(\w+\) is not booked\. Until .* you can unplug it\n {2}→ To switch off a hub or the host, drain that: others may be booked$/m,
    );
    expect((await hostnodeHere('drain', 'host', '--wait')).stdout).toMatch(
      /^None of these 2 phones is booked\. Until .* you can unplug them, switch off their hubs or reboot the host$/m,
    );
    expect(await hostnodeHere('drain', 'host', '--end')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^hostnode: anna drained .*: new hub\. Ask first; --yes ends it for all\n$/,
      ),
    });
    expect(await hostnodeHere('drain', 'host', '--end', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^2 phones are no longer drained\n/),
    });
    await isHidden(false);
    expect((await hostnodeHere('drain')).stdout).toBe('No phone is drained\n');
  });

  it('leaves the drain in force at Ctrl-C and at --timeout, and ends where the drain does', async () => {
    await running();
    cloud.book(poco);
    const waiting = drainHere(poco, '--wait', '--timeout', '5w');
    await says(waiting, 'booked: ');
    waiting.signal('SIGINT');
    expect(await waiting.ended).toBe(1);
    expect(waiting.stderr).toMatch(
      /stopped waiting; last: booked: POCO F6 \(\w+\)\n(hostnode: )?They stay drained\. Wait again: hostnode drain --wait -- \w+\. End it: /,
    );
    await isHidden(true);
    const again = drainHere(poco, '--wait', '--json');
    await says(again, 'booked: ');
    expect((await hostnodeHere('drain', poco, '--end')).code).toBe(0);
    expect([await again.ended, again.stderr]).toEqual([
      1,
      expect.stringContaining('has ended: it may be booked again'),
    ]);
  });

  it('says that the cloud is away, and goes on when it is back; what it refuses ends the wait with 3', async () => {
    await running();
    const away = { kind: 'status', status: 503 } as const;
    cloud.faults.always(away, 'devices.status');
    const waiting = drainHere(poco, '--wait');
    await says(waiting, 'the cloud does not answer: ');
    cloud.faults.clear();
    expect(await waiting.ended).toBe(0);
    cloud.faults.always(away, 'devices.status');
    const stopped = drainHere(poco, '--wait');
    await says(stopped, 'the cloud does not answer: ');
    expect(await stopped.end('SIGTERM')).toEqual({ code: 3 });
    cloud.faults.clear();
    cloud.faults.always(away, 'devices.report');
    const unstored = drainHere(smartron, '--wait', '--timeout', '1m');
    await says(unstored, ' (the cloud takes no report: PUT ');
    expect(await unstored.end('SIGTERM')).toEqual({ code: 3 });
    cloud.faults.clear();
    cloud.faults.always({ kind: 'status', status: 403 }, 'devices.status');
    expect(await hostnodeHere('drain', poco, '--wait')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /^hostnode: the cloud does not say who has booked them: GET .*403[\s\S]*They stay drained/,
      ),
    });
  });

  it.each([
    [['--for', '2h'], 'name the phone or the place'],
    [['host', '--for', 'long'], '--for long: must be 30m, 2h, 3d or 1w (up to 9999w)'],
    [['host', '--timeout', '5'], '--timeout 5: must be 30m, 2h, 3d or 1w (up to 9999w)'],
    [['host', '--terminate'], '--terminate asks on a terminal; without one, add --yes'],
  ])('refuses %j', async (args, sentence) => {
    expect(await hostnodeHere('drain', ...args)).toEqual({
      code: 2,
      stdout: '',
      stderr: `hostnode: ${sentence}${sentence.startsWith('name') ? ': udid, serial, slot, shelf, USB port, hub, name, model or host' : ''}\n`,
    });
  });

  it('ends reservations only where the lab has set how, and is told to', async () => {
    await running({ HOSTNODE_CLOUD_RESERVATION_UDIDS: 'device_udids' });
    cloud.book(poco);
    const { code, stderr } = await hostnodeHere('drain', poco, '--terminate', '--yes');
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('asked the cloud to end the reservations of POCO F6'),
    ]);
    expect((await hostnodeHere('why', poco)).stdout).toContain(
      'note by anna: ended its reservation, to drain it',
    );
  });

  it('makes a phone that is lost while it is booked worse than one that is not', async () => {
    await running({ HOSTNODE_CLOUD_READ_BACK: 'true' });
    cloud.book(poco);
    adb.unplug(poco);
    adb.unplug(smartron);
    const seen = async () => (await statusNow()).causes.map(({ kind, title }) => [kind, title]);
    await expect.poll(seen, { timeout: 40_000, interval: 500 }).toEqual([
      ['booked', 'POCO F6 was lost while it was booked'],
      ['unplugged', expect.stringMatching(/ is unplugged$/)],
    ]);
  });
});

describeWhere('drain at a terminal', { missing: without(['script']) }, () => {
  it('asks before it ends a reservation, and waits on where the answer is no', async () => {
    await running({ HOSTNODE_CLOUD_RESERVATION_UDIDS: 'device_udids' });
    cloud.book(poco);
    const terminal = new Terminal(`hostnode drain ${poco} --terminate`, env);
    await terminal.shows(`End the reservations of POCO F6 (${poco})?`);
    terminal.type('n');
    await terminal.shows('Waiting (Ctrl-C stops). booked: POCO F6');
    terminal.type('\x03');
    await terminal.shows('They stay drained.');
    expect(await terminal.ended).toBe(1);
    const { isBooked } = cloud.change((state) => ({
      isBooked: state.reservationOf(state.device(poco)?.id ?? 0),
    }));
    expect(isBooked).toBeDefined();
  });
});
