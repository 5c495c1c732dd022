/**
 * The table of faults. Each is done to a running agent (or a starting one), watched, and ended; then nothing may be
 * lost. What may never be, whatever the fault, `World` watches by itself: an attached phone told as unplugged, a
 * phone's facts under another's name, an empty list, a report against the contract, a secret in the log, an end of
 * the process.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { safeIdentifier } from '../../src/base/identifier.ts';
import type { DeviceInfo, DevicesBody } from '../../src/cloud/contract.ts';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import type { CloudFault } from '../../src/demo/cloud-fault.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { readRoster } from '../../src/roster/store.ts';
import { HalfOpenWay } from '../agent/half-open.ts';
import { makeUnreadable } from '../host/unreadable.ts';
import type { AgentProcess } from './agent-process.ts';
import { callers } from './callers.ts';
import type { Flaw } from './certificates.ts';
import { ConnectProxy } from './connect-proxy.ts';
import { Front } from './front.ts';
import { killedAtRandom } from './kills.ts';
import type { LabPhone } from './lab-phone.ts';
import { certificates, combine, nameCloud, type Place } from './places.ts';
import { StrangeServer } from './strange-server.ts';
import * as surroundings from './surroundings.ts';
import { Systemd } from './systemd.ts';
import { type Given, recordingOf, type World } from './world.ts';

export interface Fault {
  /** What is wrong. */
  name: string;
  /** Where it can happen, beside other faults. */
  in?: readonly Place[];
  /** What it alone needs: no other fault can follow it. */
  given?: Given;
  needs?: surroundings.Need;
  /** Makes it happen. */
  fault(world: World): Promise<unknown> | unknown;
  /** What must be seen while it lasts. */
  observed(world: World): Promise<unknown> | unknown;
  /** Ends it. */
  mend(world: World): Promise<unknown> | unknown;
  /** What must never be, besides what never may be; looked at when it is over. */
  never?(world: World): Promise<unknown> | unknown;
  /** The process ends by it, and another one goes on. */
  restarts?: true;
  /** It cannot be ended: no other fault can follow it. */
  isFinal?: true;
}

/** POCO F6 (Android 15), Smartron t.phone (8.1), Pixel 5 (11): plugged in from the start. */
const [poco, smartron, pixel] = ['f12a8ec9', 'RE47644423', '44424FDD7335M7'];
/** Not plugged in from the start. */
const [xiaomi, samsung] = ['50dc3516', 'R52T40SYNTH'];

const adbLost = 'the adb server cannot be asked';
const adbBack = 'the adb server answers again';
const notTaken = 'the cloud did not take the report';
const takenAgain = 'the cloud takes reports again';
const refused = 'the cloud refused a device; it will be sent again';
const keepsRefusing = 'the cloud keeps refusing a device; each report carries it';
const unwritable = 'the roster cannot be written; a restart would forget phones';
const portTaken = 'cannot serve the status page: its port is taken; will try again';
const wrongConfiguration = 'the new configuration is wrong; the old one stays in force';

const forgedLine = 'a line of adb’s list is not taken: adb does not confirm it, a phone may have written it';

const everySecond = 'report: { schedule: "* * * * * *" }';
const manyStars = `devices: [{ match: { model: "${'*M'.repeat(60)}*Pro" }, isHidden: true }]`;

const nothing = () => {};
const messageOf = (line: Record<string, unknown>): string => {
  const { err } = line as { err?: { message?: string } };
  return err?.message ?? '';
};

/** The message is said, with an error that says this. */
const saysOf = (world: World, msg: string, words: RegExp) =>
  world.says(msg, (line) => words.test(messageOf(line)));

/** It said this once and not in every round. */
const saidOnce = (world: World, msg: string) => assert.equal(world.said(msg).length, 1, msg);

/** Each trouble of this kind was said once, and not in every round. */
function saidOnceEach(world: World, msg: string): void {
  const troubles = world.said(msg).map(messageOf);
  assert.deepEqual(troubles, [...new Set(troubles)], 'it was said time and again');
}

/** All phones but this one are true in the cloud, within the time of a round. */
async function othersAreTrue(world: World, udid: string): Promise<void> {
  for (const phone of world.phones) if (phone.isAttached && phone.udid !== udid) await phone.charge();
  const wrong = () => world.witness.differences().filter((difference) => !difference.startsWith(`${udid}:`));
  await world.until(
    () => wrong().length === 0,
    () => `others suffer: ${wrong().join('\n')}`,
  );
}

const TERMS = 20;

/** Where phones come to that are not the lab's. */
const strangeAddress = '192.168.1.66:5555';
/** What the containers of one host print of its boot. */
const SHARED_CLOCK = '0b2c1d7e-5b6a-4c8f-9a53-0d2f5e8b1c47\n86400.00 100.00\n';

/** Another phone of the same make. */
const another = (world: World, serial: string, devpath: string) =>
  world.add({ ...recordingOf(xiaomi), serial, devpath });

const many = (world: World, count: number) =>
  Array.from({ length: count }, (_, index) => another(world, `RACK${1000 + index}`, `3-${index + 1}`));

function pullMany(world: World): void {
  for (const phone of world.phones) if (phone.isAttached && phone.udid.startsWith('RACK')) phone.pull();
}

// ——— adb ———

const isHostAlone = ({ devices }: DevicesBody): boolean => devices === undefined;

/** adb cannot be asked: said once, the host still reports, without a word about phones; and it comes back. */
const adbAway = (
  name: string,
  row: Pick<Fault, 'fault' | 'mend'> & { words: RegExp; given?: Given },
): Fault => ({
  name,
  ...(row.given && { given: row.given }),
  fault: row.fault,
  async observed(world) {
    await saysOf(world, adbLost, row.words);
    await world.stored(1, isHostAlone);
    const before = world.witness.told.length;
    await world.stored(3, isHostAlone);
    assert.ok(world.witness.told.slice(before).every(isHostAlone), 'it told of phones that nobody could see');
  },
  async mend(world) {
    await row.mend(world);
    await world.says(adbBack);
  },
  never(world) {
    saidOnce(world, adbBack);
    saidOnceEach(world, adbLost);
  },
});

/** In place of the adb server something else listens. */
function impostor(name: string, answer: string, options: { isOver: boolean }, words: RegExp): Fault {
  let strange: StrangeServer | undefined;
  return adbAway(name, {
    words,
    async fault(world) {
      await world.stopAdb();
      strange = await StrangeServer.start(world.adbPort, answer, options);
    },
    async mend(world) {
      await strange?.stop();
      await world.startAdb();
    },
  });
}

/** A phone misbehaves in its answers: it is said, and the others do not suffer. */
const badPhone = (name: string, disturb: (phone: SimulatedPhone) => void, msg: RegExp): Fault => ({
  name,
  fault: (world) => disturb(world.phone(poco).phone),
  async observed(world) {
    await othersAreTrue(world, poco);
    await world.until(
      () => world.lines.some((line) => msg.test(line.msg) && line.udid === poco),
      `not said: ${msg}`,
    );
    await world.stored(2, ({ devices = [] }) => devices.some(({ udid }) => udid === poco));
    const complaints = world.lines.filter(({ msg, level }) => msg !== 'round' && level === 'warn');
    assert.ok(
      complaints.every(({ udid }) => udid === poco),
      'another phone suffers',
    );
  },
  async mend(world) {
    world.phone(poco).phone.heal();
    await world.asked(poco); // what hung until now has ended
  },
  never: (world) => assert.deepEqual(world.said('phone gone'), []),
});

/** What the phone says about its start is another thing. */
const starting = (name: string, change: (properties: string) => string, told: RegExp): Fault => ({
  name,
  fault: (world) => world.phone(poco).phone.alter('boot.properties', change),
  observed: (world) => world.holds(({ udid, message = '' }) => udid === poco && told.test(message)),
  mend: (world) => world.phone(poco).phone.alter('boot.properties', (text) => text),
});

const word = (state: string): Fault => ({
  name: `a phone is listed as "${state}"`,
  fault: (world) => world.adb.setState(poco, state),
  async observed(world) {
    await world.until(() => world.witness.differences().length === 0, 'the state was not told');
    await world.holds(({ udid, message }) => udid === poco && message !== '');
    const before = world.adb.requests.length;
    await world.stored(2);
    const asked = world.adb.requests.slice(before).filter(({ serial }) => serial === poco);
    assert.deepEqual(asked, [], 'it was asked in a state in which nobody can answer');
  },
  mend: (world) => world.adb.setState(poco, 'device'),
});

/** The way to the adb server of a world whose server is on another host. */
const halfOpen = new WeakMap<World, HalfOpenWay>();

const adb: Fault[] = [
  adbAway('no adb server when the agent starts', {
    given: { before: (world) => world.stopAdb() },
    fault: (world) => world.fromTheStart(),
    words: /no adb server at 127\.0\.0\.1/,
    mend: (world) => world.startAdb(),
  }),
  {
    name: 'no adb server, and no program to start one',
    given: {
      env: { HOSTNODE_ADB_START: 'true', HOSTNODE_ADB_BIN: '/nowhere/adb' },
      before: (world) => world.stopAdb(),
    },
    fault: (world) => world.fromTheStart(),
    observed: (world) => saysOf(world, 'no adb server could be started', /no program "\/nowhere\/adb"/),
    mend: (world) => world.startAdb(),
  },
  adbAway('the adb server is killed', {
    fault: (world) => world.stopAdb(),
    words: /no adb server at 127\.0\.0\.1/,
    mend: (world) => world.startAdb(),
  }),
  {
    name: 'the adb server is restarted, and lists its phones one by one',
    async fault(world) {
      await world.stopAdb();
      await Promise.all([world.startAdb({ betweenPhonesMs: 500 }), world.followed()]);
    },
    observed: (world) => world.stored(3),
    mend: nothing,
    never: (world) => assert.deepEqual(world.said('phone gone'), []),
  },
  {
    name: 'the adb server is restarted, and counts its phones in another order',
    async fault(world) {
      for (let times = 0; times < 2; times += 1) {
        await world.stopAdb();
        await pause(100);
        const starting = world.startAdb({ betweenPhonesMs: 400, isReversed: times % 2 === 0 });
        await Promise.all([starting, world.followed()]);
      }
    },
    observed: (world) => world.stored(3),
    mend: nothing,
    never: (world) => assert.deepEqual(world.said('phone gone'), []),
  },
  {
    name: 'the adb server is replaced by one of another version',
    async fault(world) {
      assert.equal((await world.page()).adb.version, 41);
      await world.stopAdb();
      await world.startAdb({ version: 32 });
    },
    observed: (world) =>
      world.until(async () => (await world.page()).adb.version === 32, 'the version is not seen'),
    async mend(world) {
      await world.stopAdb();
      await world.startAdb();
      await world.until(async () => (await world.page()).adb.version === 41, 'the version is not seen');
    },
    never: (world) => assert.deepEqual(world.said('phone gone'), []),
  },
  {
    name: 'a remote adb server is replaced by one that counts its phones in another order, and nobody hears of it',
    given: {
      async before(world) {
        const way = await HalfOpenWay.start(world.adbPort);
        world.onClose(() => way[Symbol.asyncDispose]());
        halfOpen.set(world, way);
      },
      env: (world) => ({ HOSTNODE_ADB_PORT: String(halfOpen.get(world)?.port) }),
    },
    async fault(world) {
      await world.stored(1);
      const next = await SimulatedAdbServer.start();
      world.onClose(() => next.stop());
      const attached = world.phones.filter((phone) => phone.isAttached).map(({ udid }) => world.phone(udid));
      for (const { phone } of attached.toReversed()) next.plug(phone);
      halfOpen.get(world)?.lead(next.port);
      await once(next, 'request', { signal: AbortSignal.timeout(10_000) });
    },
    observed: (world) => world.stored(3),
    mend: nothing,
    never: (world) => assert.deepEqual(world.said('phone gone'), []),
    isFinal: true,
  },
  {
    name: "two tools' versions kill each other's server time and again",
    async fault(world) {
      for (let times = 0; times < 5; times += 1) {
        await world.stopAdb();
        await pause(300);
        await Promise.all([
          world.startAdb({ betweenPhonesMs: 200, version: times % 2 ? 41 : 40 }),
          world.followed(),
        ]);
      }
    },
    observed: (world) => world.stored(2),
    async mend(world) {
      await world.stopAdb();
      await world.startAdb(); // the usual one has won
    },
    never: (world) => assert.deepEqual(world.said('phone gone'), []),
  },
  {
    name: 'the adb server is replaced by one with another key',
    async fault(world) {
      for (const name of [poco, smartron, pixel]) world.phone(name).phone.state = 'unauthorized';
      await world.stopAdb();
      await world.startAdb();
    },
    async observed(world) {
      await world.until(() => world.witness.differences().length === 0, 'it was not told');
      const unauthorized = ({ status, state }: DeviceInfo) =>
        status === 'PLUGGED' && state === 'unauthorized';
      const told = world.cloud.devices().filter(({ info }) => unauthorized(info));
      assert.ok(told.length >= 3, 'they were told to be something else');
    },
    mend: (world) => {
      for (const name of [poco, smartron, pixel]) world.adb.setState(name, 'device');
    },
    never: (world) => assert.deepEqual(world.said('phone gone'), []),
  },
  adbAway('the adb server is wedged: it accepts and answers nothing', {
    fault(world) {
      world.adb.faults.silent = true;
      world.adb.dropConnections();
    },
    words: /did not answer within 2 s/,
    mend: (world) => {
      world.adb.faults.silent = false;
    },
  }),
  impostor(
    'the adb server answers garbage',
    'HTTP/1.1 400 Bad Request\r\n\r\n',
    { isOver: true },
    /not an adb server/,
  ),
  impostor(
    'the adb server answers half and hangs up',
    'OKAY00ff half of',
    { isOver: true },
    /closed the connection/,
  ),
  impostor(
    'the adb server answers half and hangs',
    'OKAY00ff half of',
    { isOver: false },
    /did not answer within/,
  ),
  impostor(
    'the adb server lists bytes that are no list',
    'OKAY0005\x00\xff\x1b[2',
    { isOver: true },
    /does not answer like adb/,
  ),
  {
    name: 'the adb server drops all connections',
    async fault(world) {
      const followed = world.followed();
      world.adb.dropConnections();
      await followed;
    },
    observed: (world) => world.stored(3),
    mend: nothing,
    never: (world) => assert.deepEqual(world.said('phone gone'), []),
  },
  ...[
    'offline',
    'unauthorized',
    'authorizing',
    'recovery',
    'sideload',
    'bootloader',
    'no permissions (user in plugdev group; are your udev rules wrong?); see [http://developer.android.com/tools/device.html]',
    'half-asleep',
  ].map(word),
  {
    name: 'the list names a phone in bytes that a terminal would obey',
    fault: (world) => {
      const strange = {
        ...recordingOf('9c2ad7e1'),
        serial: '\x1b[2J\x07ÿ',
        devpath: '1-9',
        model: '\x1b]0;t\x07',
      };
      world.witness.guests.add(safeIdentifier(strange.serial));
      world.adb.plug(new SimulatedPhone(strange));
    },
    async observed(world) {
      await othersAreTrue(world, '');
      await world.says('phone attached', ({ udid }) => /^sha256-[0-9a-f]{32}$/.test(String(udid)));
    },
    mend: (world) => world.adb.unplug('usb:1-9'),
  },
  {
    name: 'a phone tells of 10,000 other phones in its banner',
    fault: (world) => {
      const lines = `foo\rEVILGHOST device 1-7\r${poco} device usb:1-9 transport_id:9\r`;
      const { devpath: _, ...unplugged } = recordingOf('9c2ad7e1');
      const hostile = {
        ...unplugged,
        serial: '10.0.0.66:5555',
        state: 'offline',
        product: lines.repeat(5_000),
      };
      world.witness.guests.add(hostile.serial);
      world.adb.plug(new SimulatedPhone(hostile));
    },
    async observed(world) {
      await world.holds(({ udid }) => udid === '10.0.0.66:5555');
      await othersAreTrue(world, '10.0.0.66:5555');
    },
    mend: (world) => world.adb.unplug('10.0.0.66:5555'),
    never(world) {
      const bytes = world.witness.told.map((body) => JSON.stringify(body).length);
      assert.ok(Math.max(...bytes) < 30_000, `the cloud was told of it in ${Math.max(...bytes)} bytes`);
      const told = world.witness.told.flatMap(({ devices = [] }) => devices);
      assert.deepEqual(
        told.filter(({ udid, adbTunnelInfo }) => /GHOST/.test(udid) || adbTunnelInfo?.devpath === '1-9'),
        [],
      );
    },
  },
  {
    name: 'the serial number of a phone holds lines of other phones',
    fault: (world) => {
      const ghost = 'GHOST                  device usb:1-7 product:p transport_id:99';
      const serial = `x\nGHOST\tdevice\n${ghost}\n${poco}\tdevice\n${poco}`;
      world.adb.plug(new SimulatedPhone({ ...recordingOf('9c2ad7e1'), serial, devpath: '1-9' }));
    },
    async observed(world) {
      await world.says(forgedLine);
      await othersAreTrue(world, '');
    },
    mend: (world) => world.adb.unplug('usb:1-9'),
    never(world) {
      const lines = world.said(forgedLine).map(({ line }) => line);
      assert.deepEqual(lines, [...new Set(lines)], 'it was said time and again');
      const told = world.witness.told.flatMap(({ devices = [] }) => devices);
      assert.deepEqual(
        told.filter(({ udid }) => udid.includes('GHOST')),
        [],
      );
    },
  },
  {
    name: 'a phone has neither serial number nor USB path',
    fault: (world) => {
      const { devpath: _, ...nameless } = { ...recordingOf('9c2ad7e1'), serial: '' };
      world.remember(world.adb.plug(new SimulatedPhone(nameless)));
    },
    observed: (world) =>
      world.says('adb lists devices without serial number and USB path: they cannot be reported'),
    mend: (world) => world.adb.unplug(world.remembered),
  },
  {
    name: 'a phone tells of a serial number of 900 KB that a terminal would obey',
    fault: (world) => {
      const twin = world.phone(poco).overNetwork('10.0.0.7:5555');
      const serial = `\u001b[2J\n${'A'.repeat(900_000)}`;
      twin.alter('identity.properties', (text) =>
        text.replace(/^(\[ro\.serialno\]: \[).*\]$/m, (_, start) => `${start}${serial}]`),
      );
      twin.alter('boot.clock', (text) => text.replace(/^[0-9a-f]{8}/, '00000000'));
      world.witness.guests.add('10.0.0.7:5555').add(safeIdentifier(serial));
      world.adb.plug(twin);
    },
    observed: (world) => world.holds(({ udid }) => /^sha256-[0-9a-f]{32}$/.test(udid)),
    mend: (world) => world.adb.unplug('10.0.0.7:5555'),
    async never(world) {
      const bytes = world.witness.told.map((body) => JSON.stringify(body).length);
      assert.ok(Math.max(...bytes) < 30_000, `the cloud was told of it in ${Math.max(...bytes)} bytes`);
      const roster = await readFile(join(surroundings.stateOf(world), 'roster.json'), 'utf8');
      assert.ok(roster.length < 30_000, `the roster has ${roster.length} bytes`);
      assert.doesNotMatch(roster, /\\u001b/);
    },
  },
  {
    name: 'a phone tells of a model of 50 KB, and a rule has many stars',
    given: { before: (world) => world.configure(`${everySecond}\n${manyStars}`) },
    fault(world) {
      const phone = new SimulatedPhone({ ...recordingOf(xiaomi), serial: 'STARRY', devpath: '3-1' });
      phone.alter('identity.properties', (text) =>
        text.replace(/^(\[ro\.product\.model\]: \[).*\]$/m, (_, start) => `${start}${'M'.repeat(50_000)}]`),
      );
      world.witness.guests.add('STARRY');
      world.adb.plug(phone);
    },
    async observed(world) {
      await world.holds(({ udid, modelName }) => udid === 'STARRY' && modelName === 'M'.repeat(256));
      await othersAreTrue(world, '');
    },
    mend: (world) => world.adb.unplug('STARRY'),
  },
  {
    name: 'serials come once and never again, more than are remembered',
    given: { env: { HOSTNODE_ROSTER_MAX_PHONES: '40' } },
    async fault(world) {
      for (let batch = 0; batch < 50; batch += 1) {
        const phones = Array.from({ length: 30 }, (_, port) => ({
          ...recordingOf('9c2ad7e1'),
          serial: `GHOST${batch}-${port}`,
          devpath: `9-${port + 1}`,
        }));
        for (const phone of phones) {
          world.witness.guests.add(phone.serial);
          world.adb.plug(new SimulatedPhone(phone));
        }
        await pause(120);
        for (const { devpath } of phones) world.adb.unplug(`usb:${devpath}`);
      }
    },
    async observed(world) {
      await world.says(
        'more phones than roster.maxPhones: unplugged ones are forgotten before their time, further ones not taken',
      );
      await othersAreTrue(world, '');
    },
    mend: (world) => world.stored(2),
    async never(world) {
      saidOnce(
        world,
        'more phones than roster.maxPhones: unplugged ones are forgotten before their time, further ones not taken',
      );
      const most = Math.max(...world.witness.told.map(({ devices = [] }) => devices.length));
      assert.ok(most <= 40, `${most} phones were told of in one report`);
      const { value } = await readRoster(surroundings.stateOf(world), { mayRename: false });
      assert.ok((value?.devices.length ?? 0) <= 40, `${value?.devices.length} are remembered`);
    },
  },
  badPhone(
    'a phone hangs',
    (phone) => phone.disturb('*', { kind: 'stuck' }),
    /^the phone (broke off|could not be read)$/,
  ),
  badPhone(
    'a phone floods 100 MB',
    (phone) => phone.disturb('battery.dump', { kind: 'flood', bytes: 100 * 1024 * 1024 }),
    /^(a section could not be read|the phone broke off)$/,
  ),
  {
    name: 'a phone has a name of 512 KiB that takes a parser long',
    fault(world) {
      const phone = world.add({ ...recordingOf(xiaomi), serial: 'LONGNAME' });
      phone.phone.alter('name.settings', () => `${'settings: '.repeat(52_428)}\n`);
      phone.plug();
    },
    async observed(world) {
      await world.says(
        'a section could not be read',
        ({ udid, section, kind }) => udid === 'LONGNAME' && section === 'name' && kind === 'flooded',
      );
      await othersAreTrue(world, 'LONGNAME');
      await world.stored(2, ({ devices = [] }) => devices.some(({ udid }) => udid === 'LONGNAME'));
    },
    mend: (world) => world.phone('LONGNAME').pull(),
  },
  badPhone(
    'a phone dribbles one byte a second',
    (phone) => phone.disturb('battery.dump', { kind: 'dribble', everyMs: 1000 }),
    /^(a section could not be read|the phone broke off)$/,
  ),
  badPhone(
    'a phone drops in the middle of its answer',
    (phone) => phone.disturb('battery.dump', { kind: 'drop', afterBytes: 40 }),
    /^the phone broke off$/,
  ),
  badPhone(
    'a phone says rubbish',
    (phone) => phone.disturb('*', { kind: 'rubbish' }),
    /^a section could not be read$/,
  ),
  badPhone(
    "a phone's system_server is dead: dumpsys hangs, getprop answers",
    (phone) => phone.disturb('battery', { kind: 'hang' }),
    /^a section could not be read$/,
  ),
  starting(
    'a phone is listed and has not booted',
    (text) => text.replace(/^.*sys\.boot_completed.*\n/m, ''),
    /^Starting up/,
  ),
  starting(
    "a phone's /data is locked",
    (text) => `${text}[vold.decrypt]: [trigger_restart_min_framework]\n`,
    /^Locked since it started/,
  ),
  {
    name: 'a phone reboots',
    async fault(world) {
      const { phone } = world.phone(poco);
      world.phone(poco).pull();
      world.phone(poco).reboot();
      phone.alter('boot.properties', (text) => text.replace(/^.*sys\.boot_completed.*\n/m, ''));
      await pause(700);
      world.phone(poco).plug();
    },
    observed: (world) =>
      world.holds(({ udid, message }) => udid === poco && /^Starting up/.test(message ?? '')),
    mend: (world) => world.phone(poco).phone.alter('boot.properties', (text) => text),
  },
  {
    name: 'a phone flaps ten times a second',
    async fault(world) {
      for (let times = 0; times < 30; times += 1) {
        world.phone(poco).pull();
        await pause(50);
        world.phone(poco).plug();
        await pause(50);
      }
    },
    observed: (world) => world.stored(2),
    mend: nothing,
    never(world) {
      assert.ok(world.said('phone gone').length <= 3, 'it told of the phone each time');
      const seconds = world.elapsedSeconds;
      assert.ok(world.knocks <= 2 * seconds + 4, `${world.knocks} reports in ${Math.round(seconds)} s`);
    },
  },
  {
    name: 'the power of a hub goes and comes: 20 phones gone, back in 3 s',
    async fault(world) {
      const hub = many(world, 20);
      for (const phone of hub) phone.plug();
      await world.reschedule('0 0 1 1 *');
      await world.until(() => world.witness.differences().length === 0, 'they were not told');
      world.remember(world.witness.told.length);
      for (const phone of hub) phone.pull();
      await pause(3000);
      for (const phone of hub) phone.plug();
    },
    observed: (world) => world.until(() => world.witness.differences().length === 0, 'they are not back'),
    async mend(world) {
      const told = world.witness.told.slice(world.remembered);
      const devices = told.map(({ devices = [] }) => devices.filter(({ udid }) => udid.startsWith('RACK')));
      const gone = devices.filter((some) => some.some(({ status }) => status === 'UNPLUGGED'));
      assert.equal(gone.flat().length, 20, 'their going was not told, or more than once');
      assert.ok(gone.length <= 2, `their going was told in ${gone.length} reports`);
      assert.ok(told.length <= 6, `their coming and going was told in ${told.length} reports`);
      pullMany(world);
      await world.reschedule('* * * * * *');
    },
  },
  {
    name: '200 phones are plugged in at once',
    fault: (world) => {
      for (const phone of many(world, 200)) phone.plug();
    },
    observed: (world) => world.until(() => world.witness.differences().length === 0, 'not all were told'),
    mend: pullMany,
    never: (world) => assert.equal(world.adb.aborted, undefined),
  },
  {
    name: 'a phone is swapped for another in the same slot',
    fault(world) {
      world.phone(poco).pull();
      world.add({ ...recordingOf(samsung), devpath: '1-1.2' }).plug();
    },
    observed: (world) => world.until(() => world.witness.differences().length === 0, 'it was not told'),
    mend(world) {
      world.phone(samsung).pull();
      world.phone(poco).plug();
    },
  },
  {
    name: 'a phone changes its serial',
    fault(world) {
      world.phone(poco).pull();
      world.add({ ...recordingOf(poco), serial: 'f1a5hed0' }).plug();
    },
    observed: (world) => world.until(() => world.witness.differences().length === 0, 'it was not told'),
    mend(world) {
      world.phone('f1a5hed0').pull();
      world.phone(poco).plug();
    },
  },
  {
    name: 'a phone is attached twice, over USB and over the network',
    fault: (world) => world.adb.plug(world.phone(poco).overNetwork('192.168.1.7:5555')),
    async observed(world) {
      await world.asked('192.168.1.7:5555');
      await world.stored(2);
      await world.until(() => world.witness.differences().length === 0, 'it was told as two');
    },
    mend: (world) => world.adb.unplug('192.168.1.7:5555'),
  },
  {
    name: 'a phone on the network claims the serial of one on USB that lets nobody in',
    async fault(world) {
      // of another make, and with readings of its own
      const impostor = world.phone(smartron).overNetwork(strangeAddress);
      impostor.alter('identity.properties', (text) => text.replaceAll(smartron, poco));
      world.witness.guests.add(`${poco}@${strangeAddress}`);
      world.adb.setState('usb:1-1.2', 'unauthorized');
      await world.holds(({ udid, state }) => udid === poco && state === 'unauthorized');
      world.adb.plug(impostor);
      await world.holds(({ udid, battery }) => udid === `${poco}@${strangeAddress}` && battery !== undefined);
    },
    async observed(world) {
      await world.until(() => world.witness.differences().length === 0, 'the state was not told');
      await world.stored(2);
      const told = world.cloud.devices().find(({ info }) => info.udid === poco)?.info;
      assert.equal(told?.battery, undefined, 'it was told with what another phone said');
    },
    async mend(world) {
      world.adb.unplug(strangeAddress);
      world.adb.setState(poco, 'device');
      await world.holds(({ udid, status }) => udid === `${poco}@${strangeAddress}` && status === 'UNPLUGGED');
    },
  },
  {
    name: 'a container of the same host takes the network address of another',
    async fault(world) {
      const [one, other] = [world.phone(smartron), world.phone(pixel)].map((phone, index) => {
        const container = phone.overNetwork(strangeAddress);
        container.alter('boot.clock', () => SHARED_CLOCK);
        container.alter('identity.properties', (text) => text.replaceAll(phone.udid, `CONTAINER${index}`));
        world.witness.guests.add(`CONTAINER${index}`);
        return container;
      });
      if (one === undefined || other === undefined) throw new Error('there are two');
      world.adb.plug(one);
      await world.holds(({ udid, battery }) => udid === 'CONTAINER0' && battery !== undefined);
      world.adb.unplug(strangeAddress);
      world.adb.plug(other);
    },
    async observed(world) {
      const release = world.phone(pixel).truth.platformVersion;
      await world.holds(({ udid, platformVersion }) => udid === 'CONTAINER1' && platformVersion === release);
      await world.holds(({ udid, status }) => udid === 'CONTAINER0' && status === 'UNPLUGGED');
      const models = world.witness.told.flatMap(({ devices = [] }) =>
        devices.filter(({ udid }) => udid === 'CONTAINER0').map(({ modelName }) => modelName),
      );
      assert.deepEqual([...new Set(models)], [world.phone(smartron).model], 'it was told to be the other');
    },
    async mend(world) {
      world.adb.unplug(strangeAddress);
      await world.holds(({ udid, status }) => udid === 'CONTAINER1' && status === 'UNPLUGGED');
    },
  },
  {
    name: 'a phone is cloned: two of one serial',
    fault(world) {
      world.add(recordingOf(xiaomi), `${xiaomi}@1-2.1`).plug();
      world.add({ ...recordingOf(xiaomi), devpath: '1-7' }, `${xiaomi}@1-7`).plug();
    },
    observed: (world) =>
      world.until(() => world.witness.differences().length === 0, 'they were not told apart'),
    mend(world) {
      world.phone(`${xiaomi}@1-2.1`).pull();
      world.phone(`${xiaomi}@1-7`).pull();
    },
  },
  {
    name: 'a phone announces packets of 4096 bytes at most',
    fault(world) {
      world.phone(poco).pull();
      world.phone(poco).phone.maxDataBytes = 4096;
      world.phone(poco).plug();
    },
    async observed(world) {
      await world.asked(poco);
      await world.until(() => world.witness.differences().length === 0, 'it was not read');
    },
    mend: nothing,
    never: (world) => assert.equal(world.adb.aborted, undefined),
  },
];

/** The same with a real adb server. */
const realPhones = ['xiaomi-poco-f6-15', 'smartron-t5911-8.1'];
const realAdb: Fault[] = [
  {
    ...adbAway('the real adb server is killed', {
      given: { rig: realPhones },
      fault: (world) => world.rig.adb.kill(),
      words: /no adb server at 127\.0\.0\.1/,
      async mend(world) {
        await world.rig.adb.restart();
        for (const phone of world.phones) await phone.plug();
      },
    }),
    needs: 'rig',
  },
  {
    ...adbAway('somebody sends the real adb server a kill-server', {
      given: { rig: realPhones },
      fault: (world) => world.rig.adb.ask('host:kill').catch(nothing),
      words: /no adb server at 127\.0\.0\.1/,
      async mend(world) {
        await world.rig.adb.restart();
        for (const phone of world.phones) await phone.plug();
      },
    }),
    needs: 'rig',
  },
  {
    name: 'a grandchild on a real phone holds the stream open',
    given: { rig: realPhones },
    needs: 'rig',
    fault: (world) =>
      world.rigPhone().phone.shell.record({ command: 'dumpsys battery', stdout: '', hangs: true }),
    async observed(world) {
      await othersAreTrue(world, world.rigPhone().udid);
      await world.says('a section could not be read');
    },
    async mend(world) {
      await world.rigPhone().charge();
      await world.stored(2);
    },
    async never(world) {
      await world.agent.end();
      const left = () => world.phones.flatMap((_, index) => world.rigPhone(index).phone.shell.pids());
      await world.until(() => left().length === 0, 'processes are left on the phones');
      await world.startAgent();
    },
    restarts: true,
  },
  {
    name: 'the connection of a real phone drops in the middle of an answer',
    given: { rig: realPhones },
    needs: 'rig',
    fault: (world) => world.rigPhone().phone.adbd.dropAfter(500),
    observed: (world) => othersAreTrue(world, world.rigPhone().udid),
    mend: nothing,
  },
];

// ——— the cloud ———

/** The cloud rejects our reports: said once, tried again, and taken again. */
const cloudAway = (
  name: string,
  words: RegExp,
  {
    mostKnocks = MOST_KNOCKS,
    ...row
  }: Pick<Fault, 'fault' | 'mend'> & Partial<Pick<Fault, 'in' | 'given' | 'needs'>> & { mostKnocks?: number },
): Fault => ({
  name,
  ...row,
  async observed(world) {
    await saysOf(world, notTaken, words);
    const before = world.knocks;
    for (let rounds = 0; rounds < ROUNDS_AWAY; rounds += 1) await world.agent.says('round', world.agent.mark);
    const knocks = world.knocks - before;
    assert.ok(knocks <= ROUNDS_AWAY * mostKnocks, `the cloud was asked ${knocks} times in a few rounds`);
    assert.deepEqual(world.said(takenAgain), []);
  },
  async mend(world) {
    await row.mend(world);
    await world.says(takenAgain);
  },
  never: (world) => saidOnceEach(world, notTaken),
});

/** For so many rounds the cloud is away, … */
const ROUNDS_AWAY = 2;
/** … and asked so often in each: once, and again after a growing while; or, where that cannot help, … */
const MOST_KNOCKS = 6;
/** … once, and by the one that was on its way. */
const ONE_KNOCK = 1.5;

const answers = (name: string, fault: CloudFault, words: RegExp, mostKnocks = ONE_KNOCK): Fault =>
  cloudAway(`the cloud ${name}`, words, {
    fault: (world) => world.cloud.faults.always(fault),
    mend: (world) => world.cloud.faults.clear(),
    mostKnocks,
  });

/** Each with the words that go with it. */
const statuses: readonly [number, RegExp][] = [
  [400, /the cloud rejects this request/],
  [401, /check the user name and the API key/],
  [403, /may report devices/],
  [404, /check the base URL/],
  [405, /check the base URL/],
  [407, /the proxy requires a login/],
  [408, /not able to answer now/],
  [409, /the cloud rejects this request/],
  [410, /the cloud rejects this request/],
  [422, /the cloud rejects this request/],
  [418, /the cloud rejects this request/],
  [429, /not able to answer now/],
  [500, /not able to answer now/],
  [502, /not able to answer now/],
  [503, /not able to answer now/],
  [504, /not able to answer now/],
  [599, /not able to answer now/],
];
/** Only then it is tried again before the next report. */
const mayBeGoneSoon = (status: number) => status === 408 || status === 429 || status >= 500;

const retryAfter = (said: string, header: () => string): Fault => ({
  name: `the cloud answers 503 with Retry-After ${said}`,
  fault: (world) =>
    world.cloud.faults.next({ kind: 'status', status: 503, headers: { 'retry-after': header() } }),
  async observed(world) {
    await saysOf(world, notTaken, /: 503 /);
    const [saidAt, { knocks }] = [performance.now(), world];
    await world.says(takenAgain);
    world.remember(performance.now() - saidAt);
    assert.ok(world.knocks - knocks <= 2, `it asked ${world.knocks - knocks} times`);
  },
  mend: nothing,
  never: (world) => saidOnce(world, notTaken),
});

const waited = (world: World, leastMs: number) =>
  assert.ok(world.remembered >= leastMs, `it waited ${Math.round(world.remembered)} ms and not ${leastMs}`);

/** Taken for an hour, the longest that is waited: in the meantime the cloud is left alone. */
const absurdRetryAfter = (said: string, header: string): Fault => ({
  ...retryAfter(said, () => header),
  async observed(world) {
    await saysOf(world, notTaken, /: 503 /);
    const before = world.knocks;
    for (let rounds = 0; rounds < 3; rounds += 1)
      await world.agent.says('round', world.agent.mark, ({ report }) => report === 'postponed');
    assert.equal(world.knocks, before, 'the cloud was not left alone');
    assert.equal((await world.page()).adb.state, 'listed'); // it goes on with the rest of its work
  },
  async mend(world) {
    world.agent.signal('SIGHUP'); // a person who does not want to wait
    await world.says('reading the configuration again');
  },
});

/** The credentials and the report may be for this origin alone. */
function redirectElsewhere(): Fault {
  let elsewhere: Front | undefined;
  return cloudAway('the cloud redirects to another origin', /not followed: redirects to /, {
    async fault(world) {
      elsewhere = await Front.start({ to: 9 });
      const location = `http://127.0.0.1:${elsewhere.port}/v1/devices`;
      world.cloud.faults.always({ kind: 'redirect', location });
    },
    async mend(world) {
      world.cloud.faults.clear();
      await elsewhere?.shut();
      assert.equal(elsewhere?.connections, 0, 'the redirect was followed');
    },
    mostKnocks: ONE_KNOCK,
  });
}

const flawed = (flaw: Flaw, words: RegExp): Fault =>
  cloudAway(`the cloud's certificate is ${flaw}`, words, {
    in: ['tls'],
    needs: 'openssl',
    fault: (world) => world.front.show(certificates().flawed[flaw]),
    mend: (world) => world.front.show(certificates().good),
  });

/** The way to the cloud leads through a proxy. */
function behindProxy(
  name: string,
  words: RegExp,
  row: { fault(proxy: ConnectProxy): unknown; mend(proxy: ConnectProxy): unknown },
) {
  let proxy = new ConnectProxy();
  return cloudAway(name, words, {
    in: ['tls'],
    given: {
      async before(world) {
        proxy = new ConnectProxy();
        await proxy.open();
        world.onClose(() => proxy.shut());
      },
      env: () => ({ HTTPS_PROXY: proxy.url }),
    },
    needs: 'openssl',
    fault: () => row.fault(proxy),
    mend: () => row.mend(proxy),
  });
}

/** The phones that it tells of. */
const known = ({ phones }: World) => phones.filter(({ isAttached, wasPulled }) => isAttached || wasPulled);

/** Each is said to be refused, sent again on its own, and in the end given up. */
async function isEachRefused(world: World): Promise<void> {
  for (const { udid } of known(world)) {
    await world.says(refused, (line) => line.udid === udid);
    await world.says(keepsRefusing, (line) => line.udid === udid);
  }
}

async function isEachTaken(world: World): Promise<void> {
  for (const { udid } of known(world))
    await world.says('the cloud stored a device that it had refused', (line) => line.udid === udid);
}

function movedCloud(): Fault {
  let moved: Front | undefined;
  return {
    name: 'the address behind the name of the cloud changes',
    in: ['named'],
    needs: 'mounts',
    async fault(world) {
      const { port, shown } = world.front;
      await world.front.shut();
      const to = Number(new URL(world.cloud.url).port);
      moved = await Front.start({ to, host: '127.0.0.2', port, ...(shown && { certificate: shown }) });
      await nameCloud(world, '127.0.0.2');
    },
    async observed(world) {
      await world.stored(2);
      assert.ok((moved?.connections ?? 0) > 0, 'it asked elsewhere');
    },
    async mend(world) {
      await moved?.shut();
      await world.front.open();
      await nameCloud(world, '127.0.0.1');
      await world.stored(1);
    },
  };
}

const failing = (
  name: string,
  failedDevices: { udid: string; message: string }[],
  row: Pick<Fault, 'observed' | 'never'>,
) => ({
  name,
  fault: (world: World) =>
    world.cloud.faults.always({ kind: 'answer', status: 200, body: JSON.stringify({ failedDevices }) }),
  mend: (world: World) => world.cloud.faults.clear(),
  ...row,
});

const cloud: Fault[] = [
  cloudAway('the cloud refuses connections', /nothing listens there/, {
    fault: (world) => world.front.shut(),
    mend: (world) => world.front.open(),
  }),
  cloudAway('the cloud resets connections', /the connection was cut/, {
    fault(world) {
      world.front.manner = 'reset';
      world.front.cut();
    },
    mend: (world) => {
      world.front.manner = 'open';
    },
  }),
  cloudAway('the cloud takes connections and says nothing', /no answer within 3 s/, {
    fault(world) {
      world.front.manner = 'silent';
      world.front.cut();
    },
    mend(world) {
      world.front.manner = 'open';
      world.front.cut();
    },
  }),
  {
    name: 'the cloud closes each kept connection as it is used again',
    fault: (world) => {
      world.front.manner = 'no reuse';
    },
    async observed(world) {
      const { disappointed } = world.front;
      await world.until(() => world.front.disappointed - disappointed >= 2, 'no connection was used again');
      await world.stored(3);
    },
    mend: (world) => {
      world.front.manner = 'open';
    },
  },
  answers('hangs before its answer', { kind: 'hang' }, /no answer within 3 s/, MOST_KNOCKS),
  answers('hangs in the body', { kind: 'hang-in-body' }, /no answer within 3 s/, MOST_KNOCKS),
  answers('cuts its answer short', { kind: 'cut' }, /cut/, MOST_KNOCKS),
  answers(
    'answers a page: a portal requires a login',
    { kind: 'not-json' },
    /the answer is not one of this API/,
  ),
  answers('answers JSON of another shape', { kind: 'other-shape' }, /the answer is not one of this API/),
  answers(
    'answers JSON that is none',
    { kind: 'answer', status: 200, body: '{"failedDevices":[' },
    /not one of this API/,
  ),
  answers('answers 200 without a body', { kind: 'empty' }, /the answer is not one of this API/),
  answers('answers 204', { kind: 'answer', status: 204 }, /the answer is not one of this API/),
  answers('answers 100 MB', { kind: 'huge', bytes: 100 * 1024 * 1024 }, /over 1 MiB/),
  answers(
    'answers a gzip bomb',
    {
      kind: 'answer',
      status: 200,
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(100 * 1024 * 1024, ' ')),
    },
    /the answer is not one of this API/,
  ),
  ...statuses.map(([status, words]) =>
    answers(
      `answers ${status}`,
      { kind: 'status', status },
      status === 407 ? words : new RegExp(`: ${status} .*${words.source}`),
      mayBeGoneSoon(status) ? MOST_KNOCKS : ONE_KNOCK,
    ),
  ),
  {
    name: 'the cloud is slow',
    fault: (world) => world.cloud.faults.always({ kind: 'slow', ms: 1500 }),
    async observed(world) {
      await world.stored(3);
      await world.says('round', ({ durationMs }) => Number(durationMs) >= 1500);
    },
    mend: (world) => world.cloud.faults.clear(),
    never: (world) => assert.deepEqual(world.said(notTaken), []),
  },
  { ...retryAfter('in seconds', () => '3'), never: (world) => waited(world, 2_900) },
  {
    ...retryAfter('as a date', () => new Date(Date.now() + 6_000).toUTCString()),
    never: (world) => waited(world, 2_900), // a date has whole seconds, and the next report is up to a second away
  },
  retryAfter('that says nothing', () => 'in a while, -5, 1e99'),
  absurdRetryAfter('in a hundred years', 'Fri, 01 Jan 2100 00:00:00 GMT'),
  absurdRetryAfter('of 10^30 seconds', `1${'0'.repeat(30)}`),
  redirectElsewhere(),
  answers(
    'redirects to itself',
    { kind: 'redirect', location: '/v1/devices' },
    /redirected more than 3 times/,
    6,
  ),
  answers(
    'redirects to nowhere',
    { kind: 'answer', status: 302 },
    /302, not followed: redirects to no address/,
  ),
  answers(
    'redirects in a way that makes another request of it',
    { kind: 'answer', status: 303, headers: { location: '/v1/devices' } },
    /303, not followed: redirects to /,
  ),
  flawed('expired', /the certificate has expired/),
  flawed('not yet valid', /the certificate is not valid yet/),
  flawed('of another host', /the certificate is for another host name/),
  flawed('of an unknown authority', /name its file in cloud\.caFile/),
  behindProxy('the proxy is down', /nothing listens there/, {
    fault: (proxy) => proxy.shut(),
    mend: (proxy) => proxy.open(),
  }),
  behindProxy('the proxy requires a login', /the proxy requires a login/, {
    fault(proxy) {
      proxy.wantsLogin = true;
      proxy.cut();
    },
    mend: (proxy) => {
      proxy.wantsLogin = false;
    },
  }),
  cloudAway('the name of the cloud cannot be looked up', /DNS of this host/, {
    in: ['named'],
    needs: 'mounts',
    async fault(world) {
      await nameCloud(world);
      world.front.cut();
    },
    mend: (world) => nameCloud(world, '127.0.0.1'),
  }),
  movedCloud(),
  {
    name: 'the cloud refuses a device and quotes the API key in all kinds of writing',
    fault(world) {
      const key = world.apiKeys.at(-1) ?? '';
      const percent = [...key].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join('');
      const html = [...key].map((sign) => `&#${sign.charCodeAt(0)};`).join('');
      const [base64, hex] = [`x:${key}`, key].map((text, at) =>
        Buffer.from(text).toString(at ? 'hex' : 'base64'),
      );
      world.cloud.refuse(poco, [key, percent, html, base64, hex, `${'.'.repeat(900)}${key}`].join(' '));
    },
    async observed(world) {
      const { message } = await world.says(refused, ({ udid }) => udid === poco);
      const [key = ''] = world.apiKeys.at(-1)?.split('-') ?? [];
      const numbers = [...key].map((sign) => sign.charCodeAt(0));
      const pieces = [key, numbers.map((code) => `%${code.toString(16)}`).join(''), numbers.join(';&#')];
      for (const piece of [...pieces, Buffer.from(key).toString('hex')])
        assert.ok(!String(message).includes(piece), `it shows ${piece}`);
      assert.equal(String(message).split('[redacted]').length, 7);
    },
    mend: (world) => world.cloud.accept(poco),
  },
  {
    name: 'the cloud refuses all devices',
    fault: (world) => {
      for (const { udid } of known(world)) world.cloud.refuse(udid, 'no rack position');
    },
    observed: isEachRefused,
    async mend(world) {
      for (const { udid } of known(world)) world.cloud.accept(udid);
      await isEachTaken(world);
    },
    never(world) {
      assert.equal(world.said(refused).length, known(world).length);
      assert.equal(world.said(keepsRefusing).length, known(world).length);
    },
  },
  answers('answers 413, however little is sent', { kind: 'status', status: 413 }, /: 413 .*too large/, 12),
  failing('the cloud refuses strangers', [{ udid: 'stranger', message: 'who is that?' }], {
    async observed(world) {
      await world.says('the cloud refused a device that was not sent', (line) => line.udid === 'stranger');
      await world.received(2);
    },
    never: (world) => saidOnce(world, 'the cloud refused a device that was not sent'),
  }),
  failing(
    'the cloud refuses one device twice',
    [
      { udid: poco, message: 'first' },
      { udid: poco, message: 'second' },
    ],
    {
      observed: (world) => world.says(refused, (line) => line.udid === poco && line.message === 'first'),
      never: (world) => saidOnce(world, refused),
    },
  ),
  {
    name: 'the cloud takes no body over 100 KB',
    fault(world) {
      for (const phone of many(world, 100)) phone.plug();
      world.cloud.bodyLimitBytes = 100 * 1024;
    },
    async observed(world) {
      await world.until(
        () => world.cloud.requests.some(({ status }) => status === 413),
        'no body was too long',
      );
      for (const phone of world.phones) if (phone.isAttached) await phone.charge();
      await world.until(() => world.witness.differences().length === 0, 'the parts are not the whole');
    },
    async mend(world) {
      world.cloud.bodyLimitBytes = 16 * 1024 * 1024;
      pullMany(world);
      world.agent.signal('SIGHUP'); // the size that worked is remembered: other faults count reports in one part
      await world.says('hostnode starts');
    },
    never: (world) => assert.deepEqual(world.said(notTaken), []),
  },
  {
    name: 'the API key is rotated',
    fault: (world) => world.rotateKey(),
    observed: (world) => saysOf(world, notTaken, /check the user name and the API key/),
    async mend(world) {
      await world.writeKey();
      world.agent.signal('SIGHUP');
      await world.says('reading the configuration again');
    },
    never: (world) => saidOnce(world, notTaken),
  },
];

// ——— the host ———

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

/** What it has told while nothing could be written is not forgotten when it is killed. */
const killedUnwritten = (
  name: string,
  { given = {}, spoil = nothing, atRestart = nothing, mend }: Unwritten,
): Fault => ({
  name: `${name}: phones come, SIGKILL, two go`,
  needs: 'mounts',
  given: combine([{ before: surroundings.withDisk }, given]),
  restarts: true,
  async fault(world) {
    await spoil(world);
    for (const [index, serial] of late.entries()) another(world, serial, `1-8.${index + 1}`).plug();
    await world.until(() => world.witness.differences().length === 0, 'the new phones were not told');
    assert.ok(!(await isWritten(world, world.phone('LATE1'))), 'the disk took it');
    await world.agent.end('SIGKILL');
    for (const serial of late.slice(1)) world.phone(serial).pull();
    await atRestart(world);
    await world.startAgent();
  },
  async observed(world) {
    for (const serial of late.slice(1))
      await world.holds(({ udid, status }) => udid === serial && status === 'UNPLUGGED');
  },
  async mend(world) {
    await mend(world);
    for (const serial of late)
      await world.until(() => isWritten(world, world.phone(serial)), `${serial} was not written down`);
  },
});

interface Unwritten {
  given?: Given;
  spoil?(world: World): Promise<unknown> | unknown;
  /** While no agent runs. */
  atRestart?(world: World): Promise<unknown> | unknown;
  mend(world: World): Promise<unknown> | unknown;
}

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
    node: ['--import', new URL('stuck-disk.ts', import.meta.url).href],
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

const host: Fault[] = [
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
  killedUnwritten('the disk is full, and stays so', {
    spoil: surroundings.fillDisk,
    mend: surroundings.freeDisk,
  }),
  killedUnwritten('the disk is full, and has room at the next start', {
    spoil: surroundings.fillDisk,
    atRestart: ({ stateDir }) => rm(join(stateDir, 'filler')),
    mend: nothing,
  }),
  killedUnwritten('the disk is full from the start', {
    given: {
      before: ({ stateDir }) =>
        assert.rejects(writeFile(join(stateDir, 'filler'), Buffer.alloc(8 * 1024 * 1024)), /ENOSPC/),
    },
    mend: surroundings.freeDisk,
  }),
  killedUnwritten('the disk is read-only, and can be written at the next start', {
    given: { env: ({ folder }) => ({ RUNTIME_DIRECTORY: folder }) },
    spoil: (world) => surroundings.remount(world, 'ro'),
    atRestart: ({ stateDir }) => surroundings.remountHere(stateDir, 'rw'),
    mend: nothing,
  }),
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
    never: (world) => assert.deepEqual(world.said('phone gone'), []),
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
    name: 'SIGKILL at any moment, while phones come and go',
    restarts: true,
    given: { before: (world) => void world.add(recordingOf(xiaomi)) },
    fault: (world) => killedAtRandom(world, Number(process.env.HOSTNODE_FAULTS_KILLS ?? 60)),
    observed: (world) => world.startAgent(),
    mend: nothing,
  },
];

export const faults = { adb: [...adb, ...realAdb], cloud, host: [...host, ...callers] };
