/**
 * The table of faults. Each is done to a running agent (or a starting one), watched, and ended; then nothing may be
 * lost. What may never be, whatever the fault, `World` watches by itself: an attached phone told as unplugged, a
 * phone's facts under another's name, an empty list, a report against the contract, a secret in the log, an end of
 * the process.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { CloudFault } from '../../src/demo/cloud-fault.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import type { AgentProcess } from './agent-process.ts';
import { type Flaw, makeCertificates } from './certificates.ts';
import { ConnectProxy } from './connect-proxy.ts';
import { Front } from './front.ts';
import { killedAtRandom } from './kills.ts';
import { StrangeServer } from './strange-server.ts';
import * as surroundings from './surroundings.ts';
import { type Given, recordingOf, type World } from './world.ts';

export interface Fault {
  /** What is wrong. */
  name: string;
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
const unwritable = 'the roster cannot be written; a restart would forget phones';
const portTaken = 'the status page cannot be served: its port is taken; it will be tried again';
const wrongConfiguration = 'the new configuration is wrong; the old one stays in force';

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

/** What comes in masses is not kept: it has needed no more than this beyond what it needed before, MB. */
const MOST_AT_ONCE_MB = 80;
function staysLight({ swelling }: World): void {
  assert.ok(swelling < MOST_AT_ONCE_MB, `it needed ${Math.round(swelling)} MB more`);
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

/** Another phone of the same make. */
const another = (world: World, serial: string, devpath: string) =>
  world.add({ ...recordingOf(xiaomi), serial, devpath });

const many = (world: World, count: number) =>
  Array.from({ length: count }, (_, index) => another(world, `RACK${1000 + index}`, `3-${index + 1}`));

function pullMany(world: World): void {
  for (const phone of world.phones) if (phone.isAttached && phone.udid.startsWith('RACK')) phone.pull();
}

// ——— adb ———

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
    await world.stored(3, ({ devices }) => devices === undefined);
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
    await world.until(() => world.lines.some((line) => msg.test(line.msg)), `not said: ${msg}`);
  },
  async mend(world) {
    world.phone(poco).phone.heal();
    await world.asked(poco); // what hung until now has ended
  },
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
  },
  mend: (world) => world.adb.setState(poco, 'device'),
});

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
      await world.startAdb({ betweenPhonesMs: 500 });
    },
    observed: (world) => world.stored(3),
    mend: nothing,
    never: (world) => assert.deepEqual(world.said('phone gone'), []),
  },
  {
    name: "two tools' versions kill each other's server time and again",
    async fault(world) {
      for (let times = 0; times < 5; times += 1) {
        await world.stopAdb();
        await pause(300);
        await world.startAdb({ betweenPhonesMs: 200 });
      }
    },
    observed: (world) => world.stored(2),
    mend: nothing,
    never: (world) => assert.deepEqual(world.said('phone gone'), []),
  },
  {
    name: 'the adb server is replaced by one with another key',
    async fault(world) {
      for (const name of [poco, smartron, pixel]) world.phone(name).phone.state = 'unauthorized';
      await world.stopAdb();
      await world.startAdb();
    },
    observed: (world) => world.until(() => world.witness.differences().length === 0, 'it was not told'),
    mend: (world) => {
      for (const name of [poco, smartron, pixel]) world.adb.setState(name, 'device');
    },
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
  impostor('the adb server lists bytes that are no list', 'OKAY0005\x00\xff\x1b[2', { isOver: true }, /./),
  {
    name: 'the adb server drops all connections',
    fault: (world) => world.adb.dropConnections(),
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
      world.witness.guests.add(strange.serial);
      world.adb.plug(new SimulatedPhone(strange));
    },
    observed: (world) => othersAreTrue(world, ''),
    mend: (world) => world.adb.unplug('usb:1-9'),
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
  badPhone(
    'a phone hangs',
    (phone) => phone.disturb('*', { kind: 'stuck' }),
    /^the phone (broke off|could not be read)$/,
  ),
  {
    ...badPhone(
      'a phone floods 100 MB',
      (phone) => phone.disturb('battery.dump', { kind: 'flood', bytes: 100 * 1024 * 1024 }),
      /^(a section could not be read|the phone broke off)$/,
    ),
    never: staysLight,
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
  {
    ...badPhone(
      "a phone's system_server is dead: dumpsys hangs, getprop answers",
      (phone) => phone.disturb('battery', { kind: 'hang' }),
      /^a section could not be read$/,
    ),
    never: (world) => assert.deepEqual(world.said('phone gone'), []),
  },
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
    never: (world) => assert.ok(world.said('phone gone').length <= 3, 'it told of the phone each time'),
  },
  {
    name: 'the power of a hub goes and comes: 20 phones gone, back in 3 s',
    given: {
      before: async (world) => {
        for (const phone of many(world, 20)) phone.plug();
        await world.configure('report: { schedule: "0 0 1 1 *" }');
      },
    },
    async fault(world) {
      const hub = world.phones.filter(({ udid }) => udid.startsWith('RACK'));
      world.remember(world.cloud.requests.length);
      for (const phone of hub) await phone.pull();
      await pause(3000);
      for (const phone of hub) await phone.plug();
    },
    observed: (world) => world.until(() => world.witness.differences().length === 0, 'they are not back'),
    async mend(world) {
      const told = world.cloud.requests.slice(world.remembered).map(({ body }) => JSON.stringify(body));
      const gone = told.filter((body) => body.includes('"UNPLUGGED"'));
      assert.ok(gone.length <= 2, `their going was told in ${gone.length} reports`);
      assert.ok(told.length <= 6, `their coming and going was told in ${told.length} reports`);
      await world.configure('report: { schedule: "* * * * * *" }');
      world.agent.signal('SIGHUP');
      await world.says('round');
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
    observed: (world) => world.until(() => world.witness.differences().length === 0, 'it was not read'),
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

/** The cloud does not take reports: said once, tried again, and taken again. */
const cloudAway = (
  name: string,
  words: RegExp,
  row: Pick<Fault, 'fault' | 'mend'> & Partial<Pick<Fault, 'given' | 'needs' | 'never'>>,
): Fault => ({
  name,
  ...row,
  async observed(world) {
    await saysOf(world, notTaken, words);
    const before = performance.now();
    await world.agent.says('round', world.agent.mark);
    assert.ok(performance.now() - before < 60_000);
  },
  async mend(world) {
    await row.mend(world);
    await world.says(takenAgain);
  },
  async never(world) {
    saidOnceEach(world, notTaken);
    await row.never?.(world);
  },
});

const answers = (name: string, fault: CloudFault, words: RegExp): Fault =>
  cloudAway(`the cloud ${name}`, words, {
    fault: (world) => world.cloud.faults.always(fault),
    mend: (world) => world.cloud.faults.clear(),
    never: staysLight,
  });

const statuses: readonly [number, RegExp][] = [
  [400, /does not take this request/],
  [401, /check the user name and the API key/],
  [403, /may report devices/],
  [404, /check the base URL/],
  [405, /check the base URL/],
  [407, /the proxy wants a login/],
  [408, /not able to answer now/],
  [409, /does not take this request/],
  [410, /does not take this request/],
  [422, /does not take this request/],
  [429, /not able to answer now/],
  [500, /not able to answer now/],
  [502, /not able to answer now/],
  [503, /not able to answer now/],
  [504, /not able to answer now/],
];

const retryAfter = (said: string, header: () => string): Fault => ({
  name: `the cloud answers 503 with Retry-After ${said}`,
  fault: (world) =>
    world.cloud.faults.next({ kind: 'status', status: 503, headers: { 'retry-after': header() } }),
  async observed(world) {
    await world.says(notTaken);
    const saidAt = performance.now();
    await world.says(takenAgain);
    world.remember(performance.now() - saidAt);
  },
  mend: nothing,
});

const waited = (world: World, leastMs: number) =>
  assert.ok(world.remembered >= leastMs, `it waited ${Math.round(world.remembered)} ms and not ${leastMs}`);

/** A cloud over TLS, whose good certificate the agent trusts. */
function withCertificate(certificates: () => ReturnType<typeof makeCertificates>): Given {
  return {
    certificate: () => certificates().good,
    before: (world) => writeFile(join(world.folder, 'ca.pem'), certificates().trusted),
    env: (world) => ({ HOSTNODE_CLOUD_CA_FILE: join(world.folder, 'ca.pem') }),
  };
}

let made: ReturnType<typeof makeCertificates> | undefined;
const certificates = () => {
  made ??= makeCertificates();
  return made;
};

const flawed = (flaw: Flaw, words: RegExp): Fault =>
  cloudAway(`the cloud's certificate is ${flaw}`, words, {
    given: withCertificate(certificates),
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
  const given = withCertificate(certificates);
  return cloudAway(name, words, {
    given: {
      ...given,
      async before(world) {
        proxy = new ConnectProxy();
        await proxy.open();
        world.onClose(() => proxy.shut());
        await given.before?.(world);
      },
      env: (world) => ({ HOSTNODE_CLOUD_CA_FILE: join(world.folder, 'ca.pem'), HTTPS_PROXY: proxy.url }),
    },
    needs: 'openssl',
    fault: () => row.fault(proxy),
    mend: () => row.mend(proxy),
  });
}

const hosts = (world: World, address: string | undefined) =>
  writeFile(
    join(world.folder, 'hosts'),
    `127.0.0.1 localhost\n${address === undefined ? '' : `${address} cloud.test\n`}`,
  );

const byName: Given = {
  cloudHost: 'cloud.test',
  shell: surroundings.withOwnNames,
  async before(world) {
    await hosts(world, '127.0.0.1');
    await writeFile(
      join(world.folder, 'resolv.conf'),
      'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n',
    );
  },
  env: (world) => ({
    HOSTNODE_CLOUD_ALLOW_INSECURE: 'true',
    HOSTS: join(world.folder, 'hosts'),
    RESOLV: join(world.folder, 'resolv.conf'),
  }),
};

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
    observed: (world) => world.stored(3),
    mend: (world) => {
      world.front.manner = 'open';
    },
  },
  answers('hangs before its answer', { kind: 'hang' }, /no answer within 3 s/),
  answers('hangs in the body', { kind: 'hang-in-body' }, /no answer within 3 s/),
  answers('cuts its answer short', { kind: 'cut' }, /cut/),
  answers(
    'answers a page: a portal wants a login',
    { kind: 'not-json' },
    /the cloud answered something else/,
  ),
  answers('answers JSON of another shape', { kind: 'other-shape' }, /the cloud answered something else/),
  answers(
    'answers JSON that is none',
    { kind: 'answer', status: 200, body: '{"failedDevices":[' },
    /something else/,
  ),
  answers('answers 200 without a body', { kind: 'empty' }, /the cloud answered something else/),
  answers('answers 204', { kind: 'answer', status: 204 }, /the cloud answered something else/),
  answers('answers 100 MB', { kind: 'huge', bytes: 100 * 1024 * 1024 }, /over 1 MiB/),
  answers(
    'answers a gzip bomb',
    {
      kind: 'answer',
      status: 200,
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(100 * 1024 * 1024, ' ')),
    },
    /the cloud answered something else/,
  ),
  ...statuses.map(([status, words]) => answers(`answers ${status}`, { kind: 'status', status }, words)),
  {
    name: 'the cloud is slow',
    fault: (world) => world.cloud.faults.always({ kind: 'slow', ms: 1500 }),
    observed: (world) => world.stored(3),
    mend: (world) => world.cloud.faults.clear(),
    never: (world) => assert.deepEqual(world.said(notTaken), []),
  },
  { ...retryAfter('in seconds', () => '3'), never: (world) => waited(world, 2_900) },
  {
    ...retryAfter('as a date', () => new Date(Date.now() + 6_000).toUTCString()),
    never: (world) => waited(world, 2_900), // a date has whole seconds, and the next report is up to a second away
  },
  retryAfter('that says nothing', () => 'in a while, -5, 1e99'),
  {
    ...retryAfter('in a hundred years', () => 'Fri, 01 Jan 2100 00:00:00 GMT'),
    async observed(world) {
      await world.says(notTaken);
      const before = world.cloud.requests.length;
      await world.agent.says('round', world.agent.mark);
      await world.agent.says('round', world.agent.mark);
      assert.equal(world.cloud.requests.length, before, 'the cloud was not left alone');
    },
    async mend(world) {
      world.agent.signal('SIGHUP'); // an hour is the longest that is waited
      await world.says('reading the configuration again');
    },
  },
  {
    ...answers('redirects to another origin', { kind: 'hang' }, /not followed/),
    async fault(world) {
      const elsewhere = await Front.start({ to: 9 });
      world.onClose(async () => {
        await elsewhere.shut();
        assert.equal(elsewhere.connections, 0, 'the redirect was followed');
      });
      const location = `http://127.0.0.1:${elsewhere.port}/v1/devices`;
      world.cloud.faults.always({ kind: 'redirect', location });
    },
  },
  answers('redirects to itself', { kind: 'redirect', location: '/v1/devices' }, /sent on over 3 times/),
  flawed('expired', /the certificate has expired/),
  flawed('not yet valid', /the certificate is not valid yet/),
  flawed('of another host', /the certificate is for another host name/),
  flawed('of an unknown authority', /name its file in cloud\.caFile/),
  behindProxy('the proxy is down', /nothing listens there/, {
    fault: (proxy) => proxy.shut(),
    mend: (proxy) => proxy.open(),
  }),
  behindProxy('the proxy wants a login', /the proxy wants a login/, {
    fault(proxy) {
      proxy.wantsLogin = true;
      proxy.cut();
    },
    mend: (proxy) => {
      proxy.wantsLogin = false;
    },
  }),
  cloudAway('the name of the cloud cannot be looked up', /DNS of this host/, {
    given: byName,
    needs: 'mounts',
    async fault(world) {
      await hosts(world, undefined);
      world.front.cut();
    },
    mend: (world) => hosts(world, '127.0.0.1'),
  }),
  {
    name: 'the address behind the name of the cloud changes',
    given: byName,
    needs: 'mounts',
    async fault(world) {
      const { port } = world.front;
      await world.front.shut();
      const moved = await Front.start({ to: Number(new URL(world.cloud.url).port), host: '127.0.0.2', port });
      world.onClose(() => moved.shut());
      await hosts(world, '127.0.0.2');
    },
    observed: (world) => world.stored(2),
    mend: nothing,
  },
  {
    name: 'the cloud refuses all devices',
    fault: (world) => {
      for (const { udid } of world.phones) world.cloud.refuse(udid, 'no rack position');
    },
    async observed(world) {
      for (const { udid } of world.phones) {
        await world.says(refused, (line) => line.udid === udid);
        await world.says(
          'the cloud keeps refusing a device; each report carries it',
          (line) => line.udid === udid,
        );
      }
    },
    async mend(world) {
      for (const { udid } of world.phones) world.cloud.accept(udid);
      await world.says('the cloud stored a device that it had refused');
    },
    never: (world) => assert.equal(world.said(refused).length, world.phones.length),
  },
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
    mend(world) {
      world.cloud.bodyLimitBytes = 16 * 1024 * 1024;
      pullMany(world);
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

const ownDisk = (options: string): Given => ({
  shell: surroundings.onOwnDisk(options),
  before: surroundings.makeStateDir,
});

/** The disk takes nothing while it runs: said, the new phone is told all the same, and written when it can be. */
const badDisk = (name: string, given: Given, row: Pick<Fault, 'fault' | 'mend'>, words: RegExp): Fault => ({
  name,
  needs: 'mounts',
  given: {
    ...given,
    async before(world) {
      await given.before?.(world);
      world.add(recordingOf(xiaomi));
    },
  },
  async fault(world) {
    await row.fault(world);
    world.phone(xiaomi).plug();
  },
  async observed(world) {
    await saysOf(world, unwritable, words);
    await world.until(() => world.witness.differences().length === 0, 'the new phone was not told');
  },
  async mend(world) {
    await row.mend(world);
    await world.says('the roster can be written again');
    const text = await readFile(join(surroundings.stateOf(world), 'roster.json'), 'utf8');
    assert.ok(text.includes(xiaomi), 'the new phone was not written down');
  },
  never: (world) => saidOnce(world, unwritable),
});

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
  observed: (world) =>
    world.until(() => world.lines.some(({ msg, level }) => level === 'error' && words.test(msg)), 'not said'),
  mend: nothing,
});

const clockSet = (name: string, offset: string, atStart = '+0'): Fault => ({
  name,
  needs: 'clock',
  given: { before: (world) => surroundings.setClock(world, atStart), env: surroundings.withSetClock },
  fault: (world) => surroundings.setClock(world, offset),
  async observed(world) {
    const before = world.cloud.requests.length;
    await world.stored(3);
    await pause(1500);
    const reports = world.cloud.requests.length - before;
    assert.ok(reports <= 20, `${reports} reports in a few seconds`);
  },
  mend: (world) => surroundings.setClock(world, '+0'),
});

/** Whether it wakes with one round, and not with one for each that it has slept through. */
async function wakes(world: World, wake: () => Promise<void> | void): Promise<void> {
  const { agent } = world;
  agent.signal('SIGSTOP');
  await pause(12_000);
  await wake();
  const [reports, rounds] = [world.cloud.requests.length, agent.said('round').length];
  agent.signal('SIGCONT');
  await pause(1_500);
  const more = [world.cloud.requests.length - reports, agent.said('round').length - rounds];
  assert.ok(
    more.every((count) => count <= 4),
    `a burst of ${more.join(' reports, ')} rounds`,
  );
}

/** It ends with 0, or, before it has set itself up, by the signal. */
const endsWell = ({ code, signal }: Awaited<AgentProcess['ended']>): void =>
  assert.ok(code === 0 || (code === null && signal === 'SIGTERM'), `it ended with ${code ?? signal}`);

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
    observed: (world) => world.says(portTaken),
    async mend(world) {
      await holder?.shut();
      await world.says('status page');
    },
    never: (world) => saidOnce(world, portTaken),
  };
}

const host: Fault[] = [
  {
    name: 'the state directory is read-only',
    given: ownDisk('ro'),
    needs: 'mounts',
    fault: (world) => world.fromTheStart(),
    observed: (world) =>
      saysOf(
        world,
        'the state directory cannot be used: a restart will forget the unplugged phones',
        /read-only/,
      ),
    mend(world) {
      surroundings.remount(world, 'rw');
    },
  },
  badDisk(
    'the disk is remounted read-only',
    ownDisk('rw'),
    {
      fault: (world) => surroundings.remount(world, 'ro'),
      mend: (world) => surroundings.remount(world, 'rw'),
    },
    /read-only/,
  ),
  badDisk(
    'the disk is full',
    ownDisk('size=128k'),
    { fault: surroundings.fillDisk, mend: surroundings.freeDisk },
    /no space left/,
  ),
  badDisk(
    'the disk has no inodes left',
    ownDisk('nr_inodes=50'),
    { fault: surroundings.useUpInodes, mend: surroundings.freeDisk },
    /no space left/,
  ),
  badState(
    'the state is damaged',
    (file) => writeFile(file, '{"version":1,"devices":[{"ud'),
    /is damaged \(not JSON\)/,
  ),
  badState(
    'the state is of a newer version',
    (file) => writeFile(file, '{"version":99}'),
    /written by a newer hostnode/,
  ),
  {
    ...badState(
      "the state is another user's after a restore",
      async (file) => {
        const { chown } = await import('node:fs/promises');
        await chown(file, 65534, 65534);
      },
      /cannot be read .*permission denied/i,
      { shell: surroundings.withoutOverride },
    ),
    needs: 'mounts',
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
    async mend(world) {
      await rmdir(join(world.stateDir, 'roster.json'));
      await world.says('the roster can be written again');
    },
  },
  {
    name: 'a second agent is started on the same state',
    async fault(world) {
      await using second = world.launch();
      const { code } = await second.ended;
      world.remember(code ?? -1);
      assert.match(second.stderr, new RegExp(`another agent \\(process ${world.agent.pid}\\) is using `));
    },
    observed: (world) => world.stored(2),
    mend: nothing,
    never: (world) => assert.equal(world.remembered, 1),
  },
  statusPortTaken(),
  clockSet('the clock is set back a year', '-365d'),
  clockSet('the clock is set forward a year', '+365d'),
  clockSet('the clock is of 1970 at the start, and is set right', '+0', '-20000d'),
  {
    ...cloudAway("the clock is before the certificate's first day, and is set right", /not valid yet/, {
      given: {
        ...withCertificate(certificates),
        env: (world) => ({
          ...surroundings.withSetClock(world),
          HOSTNODE_CLOUD_CA_FILE: join(world.folder, 'ca.pem'),
        }),
        async before(world) {
          await writeFile(join(world.folder, 'ca.pem'), certificates().trusted);
          await surroundings.setClock(world, '-3d');
        },
      },
      needs: 'openssl',
      fault: (world) => world.fromTheStart(),
      mend: (world) => surroundings.setClock(world, '+0'),
    }),
  },
  {
    name: 'no file descriptors are left',
    needs: 'limits',
    fault: (world) => surroundings.limitDescriptors(world, 5),
    observed: (world) => world.says(adbLost),
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
      shell: 'exec > >(exec sleep 1000 >/dev/null 2>&1); head -c 65536 /dev/zero; exec "$@"',
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
    given: { before: (world) => surroundings.setClock(world, '+0'), env: surroundings.withSetClock },
    fault: (world) =>
      wakes(world, async () => {
        await surroundings.setClock(world, '+1h');
        world.adb.dropConnections();
        world.front.cut();
      }),
    observed: (world) => world.stored(1),
    mend: nothing,
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
    fault: (world) => {
      for (let times = 0; times < 10; times += 1) world.agent.signal('SIGHUP');
    },
    observed: (world) => world.says('hostnode starts'),
    mend: (world) => world.stored(1),
    never: (world) => assert.ok(world.said('hostnode starts').length <= 2, 'each was taken on its own'),
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
  {
    name: 'SIGTERM at any moment',
    restarts: true,
    async fault(world) {
      for (let times = 0; times < 12; times += 1) {
        endsWell(await world.agent.end());
        world.start();
        await pause(randomInt(0, 900));
      }
    },
    observed: (world) => world.stored(1),
    mend: nothing,
  },
  {
    name: 'SIGKILL at any moment, while phones come and go',
    restarts: true,
    given: { before: (world) => void world.add(recordingOf(xiaomi)) },
    fault: (world) => killedAtRandom(world, Number(process.env.HOSTNODE_FAULTS_KILLS ?? 60)),
    observed: (world) => world.startAgent(),
    mend: nothing,
  },
];

export const faults = { adb: [...adb, ...realAdb], cloud, host };
