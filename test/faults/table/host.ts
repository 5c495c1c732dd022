/** Faults of the host: its disk, its files, its clock, its signals, its memory. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chown, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readRoster } from '../../../src/roster/store.ts';
import { makeUnreadable } from '../../support/unreadable.ts';
import type { AgentProcess } from '../agent-process.ts';
import type { Fault } from '../fault.ts';
import { Front } from '../front.ts';
import { killedAtRandom } from '../kills.ts';
import type { LabPhone } from '../lab-phone.ts';
import * as surroundings from '../surroundings.ts';
import { Systemd } from '../systemd.ts';
import { type Given, recordingOf, type World } from '../world.ts';
import { cloudAway } from './cloud.ts';
import {
  adbBack,
  adbLost,
  another,
  nothing,
  notTaken,
  othersAreTrue,
  poco,
  saidOnce,
  saysOf,
  xiaomi,
} from './common.ts';

const unwritable = 'the roster cannot be written; a restart would forget phones';
const portTaken = 'cannot serve the status page: its port is taken; will try again';
const wrongConfiguration = 'the new configuration is wrong; the old one stays in force';
const TERMS = 20;

/** Is it written down whether this phone is attached, and so for a restart? */
async function isWritten(world: World, { udid, isAttached }: LabPhone): Promise<boolean> {
  const { value } = await readRoster(surroundings.stateOf(world), { mayRename: false });
  return value?.devices.some((device) => device.udid === udid && device.attached === isAttached) === true;
}

/** The disk takes nothing while it runs: said, the new phone is told all the same, and written when it can be. */
const badDisk = (name: string, row: Pick<Fault, 'fault' | 'mend'>, words: RegExp): Fault => ({
  name,
  needs: 'mounts',
  in: ['disk'],
  async fault(world) {
    await row.fault(world);
    world.add({ ...recordingOf(xiaomi), serial: 'DISK1' }).plug();
  },
  async observed(world) {
    await saysOf(world, unwritable, words);
    await world.until(() => world.witness.differences().length === 0, 'the new phone was not told');
    assert.ok(!(await isWritten(world, world.phone('DISK1'))), 'the disk took it');
  },
  async mend(world) {
    await row.mend(world);
    await world.says('the roster can be written again');
    assert.ok(await isWritten(world, world.phone('DISK1')), 'the new phone was not written down');
    world.phone('DISK1').pull();
  },
  async never(world) {
    saidOnce(world, unwritable);
    await world.until(() => isWritten(world, world.phone('DISK1')), 'its going was not written down');
  },
});

/** A phone that was written before is known to the next agent, which reports what became of it meanwhile. */
const killedOnFullDisk: Fault = {
  name: 'a full disk loses no more than the last save, and says so once: phones come, SIGKILL, one goes',
  needs: 'mounts',
  given: { before: surroundings.withDisk },
  restarts: true,
  async fault(world) {
    await world.until(() => isWritten(world, world.phone(poco)), 'it was not written down');
    await surroundings.fillDisk(world);
    for (const [index, serial] of late.entries()) another(world, serial, `1-8.${index + 1}`).plug();
    await world.until(() => world.witness.differences().length === 0, 'the new phones were not told');
    await saysOf(world, unwritable, /no space left/);
    await world.stored(2);
    assert.equal(world.agent.said(unwritable).length, 1, 'it was said more than once');
    assert.ok(!(await isWritten(world, world.phone('LATE1'))), 'the disk took it');
    await world.agent.end('SIGKILL');
    world.phone(poco).pull();
    await world.startAgent();
  },
  async observed(world) {
    await world.holds(({ udid, status }) => udid === poco && status === 'UNPLUGGED');
    await world.until(() => world.witness.differences().length === 0, 'it reports what is not so');
  },
  async mend(world) {
    await surroundings.freeDisk(world); // what the killed agent left may have freed room for a roster before
    for (const serial of [...late, poco])
      await world.until(() => isWritten(world, world.phone(serial)), `${serial} was not written down`);
  },
};

const late = ['LATE1', 'LATE2', 'LATE3'];

const stuckAt = (world: World) => join(world.folder, 'stuck');

/** What the agent of each world has told systemd. */
const toSystemd = new WeakMap<World, Systemd>();

const toldSystemd = (world: World, what: RegExp): number =>
  toSystemd.get(world)?.told.filter((line) => what.test(line)).length ?? 0;

/** Whatever the agent does on its disk hangs, in the kernel: it goes on reporting, and systemd hears of it in time. */
const stuckDisk: Fault = {
  name: 'the disk hangs, under a watchdog',
  given: {
    node: ['--import', new URL('../stuck-disk.ts', import.meta.url).href],
    async before(world) {
      const systemd = await Systemd.start();
      toSystemd.set(world, systemd);
      world.onClose(() => systemd.stop());
    },
    env: (world) => ({
      STUCK: stuckAt(world),
      WATCHDOG_USEC: '6000000',
      NOTIFY_PORT: String(toSystemd.get(world)?.port),
    }),
    shells: ['exec 9<>/dev/tcp/127.0.0.1/$NOTIFY_PORT; HOSTNODE_NOTIFY_FD=9 exec "$@"'],
  },
  fault(world) {
    execFileSync('mkfifo', [stuckAt(world)]);
    world.add({ ...recordingOf(xiaomi), serial: 'DISK1' }).plug();
  },
  async observed(world) {
    await saysOf(world, unwritable, /the disk has not answered/);
    await world.until(() => world.witness.differences().length === 0, 'the new phone was not told');
    const before = toldSystemd(world, /^WATCHDOG=1$/);
    await world.until(() => toldSystemd(world, /^WATCHDOG=1$/) >= before + 4, 'the watchdog was not fed');
    await world.phone(poco).charge();
    await world.stored(3);
    await world.until(() => world.witness.differences().length === 0, 'it reports old facts');
  },
  async mend(world) {
    const pipe = await open(stuckAt(world), 'r+'); // lets all go on that wait
    await rm(stuckAt(world));
    await world.says('the roster can be written again');
    await pipe.close();
    assert.ok(await isWritten(world, world.phone('DISK1')), 'the new phone was not written down');
    world.phone('DISK1').pull();
  },
  never(world) {
    saidOnce(world, unwritable);
    assert.equal(toldSystemd(world, /^STATUS=hangs/), 0, 'it told systemd that it hangs');
  },
};

/** What the agent finds at its next start: said, and nothing is lost. */
const badState = (
  name: string,
  spoil: (file: string) => Promise<unknown>,
  words: RegExp,
  given: Given = {},
): Fault => ({
  name,
  given,
  restarts: true,
  async fault(world) {
    await world.agent.end();
    await spoil(join(world.stateDir, 'roster.json'));
    await world.startAgent();
  },
  async observed(world) {
    const said = world.lines.filter(({ msg, level }) => level === 'error' && words.test(msg));
    assert.equal(said.length, 1, 'it was not said, or more than once');
  },
  mend: nothing,
});

const readableAgain = 'a state file can be read again';

/** The disk fails at the start, and a phone was pulled before that: nothing of what was kept is written over. */
function unreadableState(): Fault {
  let mend = async () => {};
  return {
    name: 'the disk cannot read the state at the start, and can later',
    restarts: true,
    async fault(world) {
      const phone = world.add({ ...recordingOf(xiaomi), serial: 'DISK2' });
      phone.plug();
      await world.until(() => isWritten(world, phone), 'it was not written down');
      await world.until(() => world.witness.differences().length === 0, 'the cloud was not told of it');
      await world.agent.end();
      phone.pull();
      mend = await makeUnreadable(join(world.stateDir, 'roster.json'));
      await world.startAgent();
    },
    async observed(world) {
      await othersAreTrue(world, 'DISK2');
      await world.stored(2);
      const said = world.lines.filter(({ msg }) => /roster\.json cannot be read \(EIO/.test(msg));
      assert.equal(said.length, 1, 'it was not said, or more than once');
      await assert.rejects(
        readFile(join(world.stateDir, 'roster.json')),
        { code: 'EIO' },
        'it was written over',
      );
    },
    async mend(world) {
      await mend();
      await world.says(readableAgain);
    },
    async never(world) {
      for (const phone of world.phones) assert.ok(await isWritten(world, phone), 'it was not written down');
    },
  };
}

/** A file that cannot be read is kept for a person to look at, and another one written in its place. */
const setAside = (word: string, text: string) => async (world: World) => {
  const names = await readdir(world.stateDir);
  const kept = names.find((name) => name.startsWith(`roster.json.${word}-`));
  assert.equal(await readFile(join(world.stateDir, kept ?? 'nothing was kept'), 'utf8'), text);
  for (const phone of world.phones) assert.ok(await isWritten(world, phone), 'it was not written anew');
};

const torn = '{"version":1,"devices":[{"ud';
const newer = '{"version":99}';
const DAY_MS = 86_400_000;

const clockSet = (name: string, days: number, daysAtStart = 0): Fault => ({
  name,
  needs: 'clock',
  in: ['clock'],
  ...(daysAtStart !== 0 && {
    given: { before: (world) => surroundings.setClock(world, `${daysAtStart}d`) },
  }),
  async fault(world) {
    assert.ok(Math.abs(clockOf(world) - (Date.now() + daysAtStart * DAY_MS)) < DAY_MS, 'its clock is right');
    await surroundings.setClock(world, `${days < 0 ? '' : '+'}${days}d`);
  },
  async observed(world) {
    const [before, since] = [world.knocks, performance.now()];
    await world.stored(3);
    await world.agent.says('round', world.agent.mark);
    await world.agent.says('round', world.agent.mark);
    const [reports, seconds] = [world.knocks - before, (performance.now() - since) / 1000];
    assert.ok(reports <= 2 * seconds + 4, `${reports} reports in ${Math.round(seconds)} s`);
    assert.ok(Math.abs(clockOf(world) - (Date.now() + days * DAY_MS)) < DAY_MS, 'its clock was not set');
  },
  mend: (world) => surroundings.setClock(world, '+0'),
});

/** Killed by a wrong clock and started by a right one, and the other way round: no phone is forgotten. */
const clockDead = (year: number): Fault => ({
  name: `the clock is of ${year} at a start, and right at the next: SIGKILL before each`,
  needs: 'clock',
  in: ['clock'],
  restarts: true,
  async fault(world) {
    const restart = async (offset: string) => {
      await world.agent.end('SIGKILL');
      await surroundings.setClock(world, offset);
      await world.startAgent();
    };
    const pulled = async (udid: string) => {
      const phone = world.phone(udid);
      phone.pull();
      await world.until(() => isWritten(world, phone), 'its going was not written down');
    };
    await pulled(poco);
    const days = Math.round((Date.UTC(year, 0, 2) - Date.now()) / DAY_MS);
    await restart(`${days < 0 ? '' : '+'}${days}d`);
    assert.equal(new Date(clockOf(world)).getUTCFullYear(), year, 'its clock is another one');
    await pulled('44424FDD7335M7');
    await restart('+0');
  },
  async observed(world) {
    const { agent } = world;
    await agent.says('round', agent.mark);
    await agent.says('round', agent.mark);
    for (const udid of [poco, '44424FDD7335M7'])
      assert.ok(await isWritten(world, world.phone(udid)), `${udid} was forgotten`);
    assert.deepEqual(
      world.lines.filter(({ msg }) => msg === 'phone forgotten'),
      [],
    );
  },
  mend: nothing,
});

/** The time of its last line, ms since the epoch. */
const clockOf = ({ agent }: World): number => Date.parse(String(agent.lines.at(-1)?.time));

/** Of the agents that reloads have made, one is at work: rounds come as often as they should. */
async function isOneAgent({ agent }: World): Promise<void> {
  const { mark } = agent;
  await pause(4_000);
  const rounds = agent.said('round', mark).length;
  assert.ok(rounds >= 2 && rounds <= 6, `${rounds} rounds in 4 s`);
}

/** As many as in ten minutes of the usual schedule, and more. */
const PERIODS_ASLEEP = 12;

/** Whether it wakes with one round, and not with one for each that it has slept through. */
async function wakes(world: World, wake: () => Promise<void> | void): Promise<void> {
  const { agent } = world;
  agent.signal('SIGSTOP');
  await pause(500); // what was on its way has come
  const [reports, { mark }] = [world.knocks, agent];
  await pause(PERIODS_ASLEEP * 1000);
  assert.deepEqual([world.knocks, agent.mark], [reports, mark], 'it did not sleep');
  await wake();
  agent.signal('SIGCONT');
  await agent.says('round', mark);
  await pause(1_500);
  const more = [world.knocks - reports, agent.said('round', mark).length];
  assert.ok(
    more.every((count) => count <= 4),
    `a burst of ${more.join(' reports, ')} rounds`,
  );
}

function statusPortTaken(): Fault {
  let holder: Front | undefined;
  return {
    name: 'the status port is taken, and comes free',
    given: {
      async before(world) {
        holder = await Front.start({ to: 9 });
        world.onClose(async () => holder?.shut());
      },
      env: () => ({ HOSTNODE_STATUS_PORT: String(holder?.port) }),
    },
    fault: (world) => world.fromTheStart(),
    observed: (world) => world.says(portTaken, ({ by }) => String(by).endsWith(`(process ${process.pid})`)),
    async mend(world) {
      await holder?.shut();
      await world.says('status page');
    },
    never: (world) => saidOnce(world, portTaken),
  };
}

/** The package and the container both run: each with a state of its own, for one status port and by one name. */
function besideAnother(): Fault {
  let other: AgentProcess | undefined;
  let port = 0;
  return {
    name: 'package and container both run, each with a state of its own',
    given: {
      async before() {
        const free = await Front.start({ to: 9 });
        ({ port } = free);
        await free.shut();
      },
      env: () => ({ HOSTNODE_STATUS_PORT: String(port) }),
    },
    async fault(world) {
      other = world.launchBeside({ HOSTNODE_STATE_DIR: join(world.folder, 'other-state') });
      world.onClose(async () => other?.[Symbol.asyncDispose]());
      await other.says('round');
    },
    async observed(world) {
      await other?.says(portTaken, 0, ({ by }) => String(by).endsWith(`(process ${world.agent.pid})`));
      await world.stored(4);
    },
    async mend() {
      assert.equal((await other?.end())?.code, 0);
    },
    never: (world) =>
      assert.deepEqual(
        world.lines.filter(({ level }) => level === 'error'),
        [],
      ),
  };
}

/** What the process does at its end, told at some moment. */
interface Ending {
  /** Brings it to that moment; the world's agent is the one to be ended. */
  at(world: World): Promise<unknown> | unknown;
  /** Makes good again what was brought about for that. */
  after?(world: World): Promise<unknown> | unknown;
  mostMs: number;
}

/** It is told to end: it does so, well and in time, and the next one finds all. */
const ends = (name: string, { at, after = nothing, mostMs }: Ending): Fault => ({
  name: `SIGTERM ${name}`,
  restarts: true,
  // it does not end because what it waits for would have ended anyway
  given: { env: { HOSTNODE_PROBE_DEADLINE_SECONDS: '60', HOSTNODE_CLOUD_REQUEST_TIMEOUT_SECONDS: '60' } },
  async fault(world) {
    await at(world);
    const { code, signal, tookMs } = await world.agent.end();
    assert.deepEqual({ code, signal }, { code: 0, signal: null });
    assert.ok(tookMs < mostMs, `it took ${Math.round(tookMs)} ms`);
    assert.equal(world.agent.said('stopped').length, 1);
  },
  async observed(world) {
    await after(world);
    await world.startAgent();
  },
  mend: nothing,
});

/** The round in hand may end: the agent has ten seconds. */
const LONGEST_END_MS = 10_000;
const AT_ONCE_MS = 1_500;

const endings: Fault[] = [
  ends('between two rounds', {
    at: (world) => world.agent.says('round', world.agent.mark),
    mostMs: AT_ONCE_MS,
  }),
  ends('in its first lines', {
    async at(world) {
      await world.agent.end();
      await world.start().hasBegun();
    },
    mostMs: LONGEST_END_MS,
  }),
  ends('as it starts', {
    async at(world) {
      await world.agent.end();
      await world.start().says('hostnode starts');
    },
    mostMs: LONGEST_END_MS,
  }),
  ends('in a round, while a phone hangs', {
    async at(world) {
      world.phone(poco).phone.disturb('*', { kind: 'stuck' });
      await world.asked(poco);
    },
    after: (world) => world.phone(poco).phone.heal(),
    mostMs: LONGEST_END_MS,
  }),
  ends('in a report that gets no answer', {
    async at(world) {
      world.cloud.faults.always({ kind: 'hang' });
      await world.received(1);
    },
    after: (world) => world.cloud.faults.clear(),
    mostMs: LONGEST_END_MS,
  }),
  ends('while it waits to try a report again', {
    async at(world) {
      await world.reschedule('0 0 1 1 *');
      world.cloud.faults.always({ kind: 'status', status: 503, headers: { 'retry-after': '60' } });
      world.phone(poco).pull();
      await world.says(notTaken);
    },
    async after(world) {
      world.cloud.faults.clear();
      world.phone(poco).plug();
      await world.configure('report: { schedule: "* * * * * *" }');
    },
    mostMs: AT_ONCE_MS,
  }),
  ends('while there is no adb server', {
    async at(world) {
      await world.stopAdb();
      await world.says(adbLost);
    },
    after: (world) => world.startAdb(),
    mostMs: AT_ONCE_MS,
  }),
  ends('in a reload', {
    async at(world) {
      world.agent.signal('SIGHUP');
      await world.says('reading the configuration again');
    },
    mostMs: LONGEST_END_MS,
  }),
  {
    name: 'SIGTERM twice: at once, whatever is under way',
    restarts: true,
    async fault(world) {
      world.phone(poco).phone.disturb('*', { kind: 'stuck' });
      world.cloud.faults.always({ kind: 'hang' });
      await Promise.all([world.asked(poco), world.received(1)]);
      world.agent.signal('SIGTERM');
      await world.says('stopping');
      const { code, tookMs } = await world.agent.end();
      assert.equal(code, 1);
      assert.ok(tookMs < 500, `it took ${Math.round(tookMs)} ms`);
      world.cloud.faults.clear();
      world.phone(poco).phone.heal();
    },
    observed: (world) => world.startAgent(),
    mend: nothing,
  },
  {
    name: 'SIGTERM at any moment',
    restarts: true,
    async fault(world) {
      for (let times = 0; times < TERMS; times += 1) {
        const { code, signal, tookMs } = await world.agent.end();
        assert.deepEqual({ code, signal }, { code: 0, signal: null });
        assert.ok(tookMs < LONGEST_END_MS, `it took ${Math.round(tookMs)} ms`);
        await world.start().hasBegun();
        await pause(randomInt(0, 900));
      }
    },
    observed: (world) => world.stored(1),
    mend: nothing,
  },
];

export const host: Fault[] = [
  {
    name: 'the state directory is read-only',
    given: { shells: [surroundings.onOwnDisk('ro')], before: surroundings.makeStateDir },
    needs: 'mounts',
    fault: (world) => world.fromTheStart(),
    observed: (world) =>
      saysOf(
        world,
        'the state directory cannot be used: a restart will forget the unplugged phones',
        /read-only/,
      ),
    async mend(world) {
      surroundings.remount(world, 'rw');
      await world.says('the roster can be written again');
      for (const phone of world.phones) assert.ok(await isWritten(world, phone), 'it was not written down');
    },
    never: (world) => saidOnce(world, unwritable),
  },
  {
    name: 'a file stands in the place of the state directory',
    given: { before: (world) => writeFile(world.stateDir, '') },
    fault: (world) => world.fromTheStart(),
    observed: (world) =>
      saysOf(
        world,
        'the state directory cannot be used: a restart will forget the unplugged phones',
        /a file is in its place/,
      ),
    async mend(world) {
      await rm(world.stateDir);
      await surroundings.makeStateDir(world);
      await world.says('the roster can be written again');
      for (const phone of world.phones) assert.ok(await isWritten(world, phone), 'it was not written down');
    },
    never: (world) => saidOnce(world, unwritable),
  },
  badDisk(
    'the disk is remounted read-only',
    {
      fault: (world) => surroundings.remount(world, 'ro'),
      mend: (world) => surroundings.remount(world, 'rw'),
    },
    /read-only/,
  ),
  badDisk(
    'SIGHUP while the disk is read-only',
    {
      async fault(world) {
        surroundings.remount(world, 'ro');
        world.agent.signal('SIGHUP');
        await world.says('hostnode starts');
      },
      mend: (world) => surroundings.remount(world, 'rw'),
    },
    /read-only/,
  ),
  badDisk('the disk is full', { fault: surroundings.fillDisk, mend: surroundings.freeDisk }, /no space left/),
  badDisk(
    'the disk has no inodes left',
    { fault: surroundings.useUpInodes, mend: surroundings.freeDisk },
    /no space left/,
  ),
  stuckDisk,
  {
    ...badState('the state is damaged', (file) => writeFile(file, torn), /is damaged \(not JSON\)/),
    never: setAside('damaged', torn),
  },
  {
    ...badState(
      'the state is of a newer version',
      (file) => writeFile(file, newer),
      /written by a newer hostnode/,
    ),
    never: setAside('newer', newer),
  },
  {
    ...badState(
      'the disk image was cloned to a second host',
      async (file) => {
        const markFile = join(dirname(file), 'host-mark.json');
        const mark = JSON.parse(await readFile(markFile, 'utf8'));
        await writeFile(markFile, JSON.stringify({ ...mark, signs: ['00000'] }));
      },
      /comes from another host with the same name: two hosts may report as one/,
    ),
    needs: 'signs',
  },
  {
    ...badState(
      "the state is another user's after a restore",
      async (file) => {
        await chown(file, 65534, 65534);
      },
      /cannot be read .*permission denied/i,
      { shells: [surroundings.withoutOverride] },
    ),
    async mend(world) {
      await chown(join(world.stateDir, 'roster.json'), 0, 0);
      await world.says(readableAgain);
    },
    needs: 'mounts',
  },
  unreadableState(),
  {
    name: "the state directory is another user's, and the agent runs as root",
    needs: 'mounts',
    restarts: true,
    async fault(world) {
      await world.agent.end();
      await chown(world.stateDir, 65534, 65534);
    },
    async observed(world) {
      const agent = world.start();
      assert.equal((await agent.ended).code, 78);
      assert.match(agent.stderr, /belongs to user 65534, and this agent runs as root; run it as that user/);
    },
    async mend(world) {
      await chown(world.stateDir, 0, 0);
      await world.startAgent();
    },
  },
  {
    ...badState(
      'a directory stands in the place of the state',
      async (file) => {
        await rm(file);
        await mkdir(file);
      },
      /cannot be read .*EISDIR/,
    ),
    async never(world) {
      for (const phone of world.phones) assert.ok(await isWritten(world, phone), 'it was not written anew');
    },
  },
  {
    name: 'a second agent is started on the same state',
    async fault(world) {
      await using second = world.launchBeside();
      const worksOn = second.says('round').then(() => assert.fail('it works beside the first'));
      const { code } = await Promise.race([second.ended, worksOn]);
      world.remember(code ?? -1);
      assert.match(second.stderr, new RegExp(`another agent \\(process ${world.agent.pid}\\) is using `));
    },
    observed: (world) => world.stored(2),
    mend: nothing,
    never: (world) => assert.equal(world.remembered, 1),
  },
  besideAnother(),
  statusPortTaken(),
  killedOnFullDisk,
  clockSet('the clock is set back a year', -365),
  clockSet('the clock is set forward a year', 365),
  clockSet('the clock is of 1970 at the start, and is set right', 0, -20_000),
  clockDead(1970),
  clockDead(2038),
  clockDead(2099),
  {
    ...cloudAway("the clock is before the certificate's first day, and is set right", /not valid yet/, {
      in: ['tls', 'clock'],
      given: { before: (world) => surroundings.setClock(world, '-900d') },
      needs: 'openssl',
      fault: (world) => world.fromTheStart(),
      mend: (world) => surroundings.setClock(world, '+0'),
    }),
  },
  {
    name: 'no file descriptors are left',
    needs: 'limits',
    fault: (world) => surroundings.limitDescriptors(world, 5),
    observed: (world) => saysOf(world, adbLost, /EMFILE/),
    async mend(world) {
      surroundings.limitDescriptors(world, 1024);
      await world.says(adbBack);
    },
    never: (world) => assert.deepEqual(world.said('phone unplugged'), []),
  },
  {
    name: 'stdout is closed',
    isFinal: true,
    fault: (world) => world.agent.closeStdout(),
    observed: (world) => world.stored(4),
    mend: nothing,
  },
  {
    name: 'the reader of stdout has stopped, and the pipe is full',
    given: {
      isMute: true,
      shells: ['exec > >(exec sleep 1000 >/dev/null 2>&1); head -c 65536 /dev/zero; exec "$@"'],
      env: { HOSTNODE_LOG_LEVEL: 'trace' },
    },
    fault: nothing,
    observed: (world) => world.stored(4),
    mend: nothing,
  },
  {
    name: 'SIGSTOP for twelve periods, then SIGCONT',
    fault: (world) => wakes(world, nothing),
    observed: (world) => world.stored(1),
    mend: nothing,
  },
  {
    name: 'the host sleeps an hour and wakes: clock on, connections gone',
    needs: 'clock',
    in: ['clock'],
    fault: (world) =>
      wakes(world, async () => {
        await surroundings.setClock(world, '+1h');
        world.adb.dropConnections();
        world.front.cut();
      }),
    observed: (world) => world.stored(1),
    mend: (world) => surroundings.setClock(world, '+0'),
  },
  {
    name: 'a reload in the middle of a round that hangs',
    async fault(world) {
      world.phone(poco).phone.disturb('*', { kind: 'stuck' });
      await world.asked(poco);
      world.agent.signal('SIGHUP');
    },
    observed: (world) => world.says('hostnode starts'),
    async mend(world) {
      world.phone(poco).phone.heal();
      await world.asked(poco);
    },
  },
  {
    name: 'ten reloads at once',
    async fault(world) {
      world.phone(poco).phone.disturb('*', { kind: 'stuck' }); // the first waits for it
      await world.asked(poco);
      world.agent.signal('SIGHUP');
      await world.says('reading the configuration again');
      for (let times = 0; times < 9; times += 1) world.agent.signal('SIGHUP');
    },
    observed: (world) => world.says('hostnode starts'),
    async mend(world) {
      world.phone(poco).phone.heal();
      await world.until(() => world.said('hostnode starts').length > 1, 'it has not read the newest file');
      await world.stored(1);
    },
    async never(world) {
      assert.equal(world.said('hostnode starts').length, 2, 'each was taken on its own');
      await isOneAgent(world);
    },
  },
  {
    name: 'ten reloads, each while the former is under way',
    async fault(world) {
      for (let times = 0; times < 10; times += 1) {
        world.agent.signal('SIGHUP');
        await pause(randomInt(5, 150));
      }
    },
    observed: (world) => world.says('hostnode starts'),
    mend: (world) => world.stored(1),
    never: isOneAgent,
  },
  {
    name: 'the configuration is half written at a reload',
    async fault(world) {
      await world.configure('report: { schedule: "* * * * *');
      world.agent.signal('SIGHUP');
    },
    async observed(world) {
      await world.says(wrongConfiguration);
      await world.stored(2);
    },
    async mend(world) {
      await world.configure('report: { schedule: "* * * * * *" }');
      world.agent.signal('SIGHUP');
      await world.says('reading the configuration again');
    },
    never: (world) => saidOnce(world, wrongConfiguration),
  },
  {
    name: 'the credential is missing, and comes',
    given: {
      shells: ['SYSTEMD_EXEC_PID=$$ exec "$@"'],
      env: (world) => ({
        INVOCATION_ID: 'a service',
        CREDENTIALS_DIRECTORY: join(world.folder, 'credentials'),
        HOSTNODE_CLOUD_API_KEY_FILE: undefined,
      }),
    },
    fault: (world) => world.fromTheStart(),
    observed: (world) => world.says('not reporting: the API key is missing'),
    async mend(world) {
      await mkdir(join(world.folder, 'credentials'));
      await world.writeKey(join(world.folder, 'credentials', 'cloud-api-key'));
      world.agent.signal('SIGHUP');
      await world.says('reading the configuration again');
    },
  },
  {
    name: 'an upgrade, while a round hangs',
    restarts: true,
    async fault(world) {
      world.phone(poco).phone.disturb('*', { kind: 'stuck' });
      await world.asked(poco);
      const ended = await world.agent.end();
      assert.equal(ended.code, 0);
      assert.ok(ended.tookMs < 10_000, `the end took ${Math.round(ended.tookMs)} ms`);
      world.phone(poco).phone.heal();
    },
    observed: (world) => world.startAgent(),
    mend: nothing,
  },
  ...endings,
  {
    name: 'SIGKILL at any moment, while phones come and go, notes and reloads go on, and the roster is full',
    restarts: true,
    given: {
      env: { HOSTNODE_ROSTER_MAX_PHONES: '20' },
      before: (world) => void world.add(recordingOf(xiaomi)),
    },
    fault: (world) => killedAtRandom(world, Number(process.env.HOSTNODE_FAULTS_KILLS ?? 60)),
    observed: (world) => world.startAgent(),
    mend: nothing,
  },
];
