/** Faults of adb and of the phones. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { safeIdentifier } from '../../../src/base/printable.ts';
import { DeviceInfo, type DevicesBody } from '../../../src/cloud/contract/report.ts';
import { SimulatedAdbServer } from '../../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../../src/demo/phone.ts';
import { readRoster } from '../../../src/roster/store.ts';
import { HalfOpenWay } from '../../support/half-open.ts';
import { RawServer } from '../../support/raw-server.ts';
import type { Fault } from '../fault.ts';
import * as surroundings from '../surroundings.ts';
import { type Given, recordingOf, type World } from '../world.ts';
import {
  adbBack,
  adbLost,
  many,
  nothing,
  othersAreTrue,
  pixel,
  poco,
  pullMany,
  saidOnce,
  saidOnceEach,
  samsung,
  saysOf,
  smartron,
  xiaomi,
} from './common.ts';

const forgedLine = 'ignored a line of adb’s list: adb does not confirm it, a phone may have written it';
const everySecond = 'report: { schedule: "* * * * * *" }';
const manyStars = `devices: [{ match: { model: "${'*M'.repeat(60)}*Pro" }, isHidden: true }]`;

/** Where phones come to that are not the lab's. */
const strangeAddress = '192.168.1.66:5555';

/** What the containers of one host print of its boot. */
const SHARED_CLOCK = '0b2c1d7e-5b6a-4c8f-9a53-0d2f5e8b1c47\n86400.00 100.00\n';

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

/** In place of the adb server something else listens; `isOver`: it hangs up after its answer. */
function impostor(name: string, answer: string, { isOver }: { isOver: boolean }, words: RegExp): Fault {
  let strange: RawServer | undefined;
  return adbAway(name, {
    words,
    async fault(world) {
      await world.stopAdb();
      strange = await RawServer.start(
        (socket) => socket.once('data', () => (isOver ? socket.end(answer) : socket.write(answer))),
        world.adbPort,
      );
    },
    async mend(world) {
      await strange?.[Symbol.asyncDispose]();
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
  never: (world) => assert.deepEqual(world.said('phone unplugged'), []),
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

export const adb: Fault[] = [
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
    observed: (world) => saysOf(world, 'cannot start an adb server', /no program "\/nowhere\/adb"/),
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
    never: (world) => assert.deepEqual(world.said('phone unplugged'), []),
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
    never: (world) => assert.deepEqual(world.said('phone unplugged'), []),
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
    never: (world) => assert.deepEqual(world.said('phone unplugged'), []),
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
    never: (world) => assert.deepEqual(world.said('phone unplugged'), []),
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
    never: (world) => assert.deepEqual(world.said('phone unplugged'), []),
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
      const told = world.cloud.devices().filter(({ info }) => unauthorized(DeviceInfo.parse(info)));
      assert.ok(told.length >= 3, 'they were told to be something else');
    },
    mend: (world) => {
      for (const name of [poco, smartron, pixel]) world.adb.setState(name, 'device');
    },
    never: (world) => assert.deepEqual(world.said('phone unplugged'), []),
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
    never: (world) => assert.deepEqual(world.said('phone unplugged'), []),
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
    name: 'a phone writes into its banner what the short list says of all others',
    fault: (world) => {
      const lines = world.phones.map(({ udid, truth }) => `${udid}\t${truth.state}\n`);
      const hostile = { ...recordingOf('9c2ad7e1'), serial: '0EVIL', devpath: '1-9' };
      world.witness.guests.add(hostile.serial);
      world.adb.plug(new SimulatedPhone({ ...hostile, product: `p\n${lines.join('')}x` }));
    },
    async observed(world) {
      await world.says(forgedLine);
      await othersAreTrue(world, '0EVIL');
    },
    mend: (world) => world.adb.unplug('usb:1-9'),
    never(world) {
      assert.deepEqual(
        world.said('phone unplugged').filter(({ udid }) => udid !== '0EVIL'),
        [],
      );
      const told = world.witness.told.flatMap(({ devices = [] }) => devices);
      assert.deepEqual(
        told.filter(({ udid, adbTunnelInfo }) => udid === poco && adbTunnelInfo?.devpath === undefined),
        [],
        'it lost its USB port',
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
    name: 'a phone tells of a serial number of 200 KB that a terminal would obey',
    fault: (world) => {
      const twin = world.phone(poco).overNetwork('10.0.0.7:5555');
      const serial = `\u001b[2J\n${'A'.repeat(200_000)}`;
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
        'more phones than roster.maxPhones: unplugged ones expire before their time, further ones are ignored',
      );
      await othersAreTrue(world, '');
    },
    mend: (world) => world.stored(2),
    async never(world) {
      saidOnce(
        world,
        'more phones than roster.maxPhones: unplugged ones expire before their time, further ones are ignored',
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
      assert.ok(world.said('phone unplugged').length <= 3, 'it told of the phone each time');
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

export const realAdb: Fault[] = [
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
