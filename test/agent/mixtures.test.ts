import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.ts';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { HalfOpenWay } from '../support/half-open.ts';
import { Lab } from '../support/lab.ts';
import { bootId, clock, isMixture, MarkedPhone, mark, strange } from './marked-phone.ts';

let lab: Lab;
beforeEach(async () => {
  lab = await Lab.open();
});
afterEach(() => lab[Symbol.asyncDispose]());

const address = '192.168.1.7:5555';
const [a, b] = [mark(1), mark(2)];
const onUsb = (phone = a, devpath = '1-1', boot = clock(bootId(1), 5000)) =>
  new MarkedPhone(phone, { serial: phone.serialNumber, devpath }, boot);
const onNetwork = (phone = a, boot = clock(bootId(1), 5000), serial = address) =>
  new MarkedPhone(phone, { serial }, boot);

/** What was reported under this name. */
const told = (udid: string) =>
  lab.puts.flatMap(({ devices = [] }) => devices.filter((device) => device.udid === udid));

/** Nothing was ever reported under A's name that is not A's, nor a mixture under any. */
function expectNoMixture(marks = [a, b]): void {
  expect(told(a.serialNumber).map((info) => strange(info, a))).toEqual(told(a.serialNumber).map(() => ({})));
  const devices = lab.puts.flatMap(({ devices = [] }) => devices);
  expect(devices.filter((info) => isMixture(info, marks))).toEqual([]);
}

/** Another phone comes to the address. */
const takeOver = (newcomer: MarkedPhone) => {
  lab.adb.unplug(address);
  lab.adb.plug(newcomer);
};

describe('another phone at a network address', () => {
  it.each([
    ['tells no boot id, and started at the same time', clock(undefined, 5000), clock(undefined, 5010)],
    ['is a container of the same host', clock(bootId(1), 5000), clock(bootId(1), 5000)],
    ['is in a boot of its own', clock(bootId(1), 5000), clock(bootId(2), 300)],
  ])('that %s is told as itself, with nothing of the former', async (_, was, is) => {
    lab.adb.plug(onNetwork(a, was));
    const agent = await lab.running({ timing: { relistMs: 50 } });
    await lab.until(() => lab.stored(a.serialNumber)?.battery !== undefined);
    takeOver(onNetwork(b, is));
    await lab.until(() => lab.stored(b.serialNumber)?.battery !== undefined);
    for (let rounds = 0; rounds < 2; rounds += 1) await agent.round();
    expect(told(b.serialNumber).map((info) => strange(info, b))).toEqual(
      told(b.serialNumber).map(() => ({})),
    );
    expect(lab.stored(a.serialNumber)).toMatchObject({ status: 'UNPLUGGED', state: 'disconnected' });
    expectNoMixture();
  });

  it('with the same serial number, or none, is not reported with the facts of the former', async () => {
    const nameless = { serialNumber: 'unknown' };
    const [first, second] = [mark(1, nameless), mark(2, nameless)];
    lab.adb.plug(onNetwork(first));
    const agent = await lab.running();
    await lab.until(() => lab.stored(address)?.battery !== undefined);
    const newcomer = onNetwork(second);
    newcomer.disturb('name', { kind: 'rubbish' }); // what its owner calls it is not known
    takeOver(newcomer);
    await agent.round();
    await agent.round();
    expect(lab.stored(address)).toMatchObject({ modelName: second.model, deviceName: second.model });
    const devices = lab.puts.flatMap(({ devices = [] }) => devices);
    expect(devices.filter((info) => isMixture(info, [first, second]))).toEqual([]);
  });

  it('that breaks off before it has identified itself is reported without facts', async () => {
    lab.adb.plug(onNetwork());
    const agent = await lab.running();
    await lab.until(() => lab.stored(a.serialNumber)?.battery !== undefined);
    const newcomer = onNetwork(b, clock(bootId(2), 300));
    newcomer.disturb('identity', { kind: 'rubbish' });
    newcomer.disturb('storage', { kind: 'drop', afterBytes: 5 });
    const puts = lab.puts.length;
    takeOver(newcomer);
    await lab.until(() => lab.said('the phone broke off').length > 0);
    await agent.round();
    const since = lab.puts.slice(puts).flatMap(({ devices = [] }) => devices);
    expect(since.filter(({ battery, uptime }) => battery !== undefined || uptime !== undefined)).toEqual([]);
    newcomer.heal();
    for (let rounds = 0; rounds < 4; rounds += 1) await agent.round(); // what failed twice rests for two
    await lab.until(() => lab.stored(b.serialNumber)?.battery !== undefined);
    expectNoMixture();
  });

  it('is found also where a phone on USB was reached by it', async () => {
    lab.adb.plug(onUsb());
    lab.adb.plug(onNetwork());
    const agent = await lab.running();
    await agent.round();
    expect(lab.cloud.devices().map(({ info }) => [info.udid, info.status])).toEqual([
      [a.serialNumber, 'PLUGGED'],
    ]);
    takeOver(onNetwork(b, clock(bootId(1), 5000)));
    await lab.until(() => lab.stored(b.serialNumber)?.battery !== undefined);
    expect(lab.stored(a.serialNumber)).toMatchObject({ status: 'PLUGGED', battery: { percentage: '11' } });
    expectNoMixture();
  });
});

describe('a phone on the network that is listed again', () => {
  it('is the same, in one conversation, and facts of its boot are not collected again', async () => {
    const phone = onNetwork();
    lab.adb.plug(phone);
    const agent = await lab.running();
    takeOver(phone);
    await agent.round();
    lab.adb.requests.length = 0;
    await agent.round();
    const opened = lab.adb.requests.filter(({ serial }) => serial === address);
    expect(opened).toHaveLength(1);
    expect(opened[0]?.request).not.toContain('ro.product');
    expect(new Set(told(a.serialNumber).map(({ status }) => status))).toEqual(new Set(['PLUGGED']));
    expectNoMixture();
  });
});

describe('a phone on the network that claims the serial of one on USB', () => {
  const impostor = (boot = clock(bootId(2), 300)) => onNetwork({ ...b, serialNumber: a.serialNumber }, boot);
  const its = `${a.serialNumber}@${address}`;
  const unauthorized = () => {
    const phone = onUsb();
    phone.state = 'unauthorized';
    return phone;
  };

  /** Under the name of the one on USB nothing of the impostor was ever told, and now only adb's word is. */
  async function expectApart(agent: Agent, state: string, facts: object): Promise<void> {
    await lab.until(() => lab.stored(its)?.battery !== undefined);
    await agent.round();
    expect(lab.stored(its)).toMatchObject({ status: 'PLUGGED', modelName: b.model });
    expect(lab.stored(a.serialNumber)).toMatchObject({ status: 'PLUGGED', state, ...facts });
    const foreign = told(a.serialNumber).filter(({ modelName }) => modelName === b.model);
    expect(foreign).toEqual([]);
    expect(lab.stored(a.serialNumber)).not.toHaveProperty('battery.percentage', String(b.level));
  }

  it.each(['unauthorized', 'offline'])('is another phone while that one is %s', async (state) => {
    lab.adb.plug(onUsb());
    lab.adb.plug(impostor());
    const agent = await lab.running({ timing: { quietOfflineMs: 50 } });
    lab.adb.setState('usb:1-1', state);
    await lab.untilState(a.serialNumber, state);
    await expectApart(agent, state, { modelName: a.model });
    expect(lab.stored(a.serialNumber)).not.toHaveProperty('battery');
  });

  it('is another phone where that one never let anybody in', async () => {
    lab.adb.plug(unauthorized());
    const agent = await lab.running();
    lab.adb.plug(impostor());
    await expectApart(agent, 'unauthorized', {});
    expect(lab.stored(a.serialNumber)).not.toHaveProperty('modelName');
  });

  it('is another phone where that one never answers', async () => {
    const hung = onUsb();
    hung.disturb('*', { kind: 'drop', afterBytes: 0 });
    lab.adb.plug(hung);
    lab.adb.plug(impostor());
    const agent = await lab.running({ timing: { collectSoonMs: 60_000 } });
    await expectApart(agent, 'device', {});
    expect(lab.stored(a.serialNumber)).not.toHaveProperty('modelName');
  });

  it('is one with it once both have given the same facts', async () => {
    const cable = unauthorized();
    lab.adb.plug(cable);
    lab.adb.plug(onNetwork());
    const agent = await lab.running();
    await lab.until(() => lab.stored(its)?.battery !== undefined);
    lab.adb.setState('usb:1-1', 'device');
    await lab.until(() => lab.stored(a.serialNumber)?.battery !== undefined);
    await lab.untilState(its, 'disconnected');
    await agent.round();
    lab.adb.setState('usb:1-1', 'unauthorized');
    await lab.untilState(a.serialNumber, 'unauthorized');
    await agent.round();
    expect(lab.stored(a.serialNumber)).not.toHaveProperty('battery');
    expect(lab.puts.at(-1)?.devices?.map(({ udid }) => udid)).toEqual([a.serialNumber]);
  });
});

describe('the owner’s own phone, on USB and on the network', () => {
  const onlyItself = () =>
    expect(
      new Set(lab.puts.flatMap(({ devices = [] }) => devices.map(({ udid, status }) => `${udid} ${status}`))),
    ).toEqual(new Set([`${a.serialNumber} PLUGGED`]));

  it('keeps its one name through a restart of the agent, of the phone and of the adb server', async () => {
    const [cable, wifi] = [onUsb(), onNetwork()];
    const phones = [cable, wifi];
    for (const phone of phones) lab.adb.plug(phone);
    const before = await lab.running();
    await before.stop();
    const agent = await lab.running();
    for (const phone of phones) phone.clock = clock(bootId(3), 10);
    takeOver(wifi);
    lab.adb.unplug('usb:1-1');
    lab.adb.plug(cable);
    await lab.until(() => told(a.serialNumber).some(({ uptime = 0 }) => uptime > 0 && uptime < 60_000));
    await lab.stopAdb();
    await lab.startAdb(phones.toReversed());
    await agent.round();
    await agent.round();
    onlyItself();
    expectNoMixture();
  });
});

describe('a remote adb server that is replaced while its list seems to be followed', () => {
  /** Two phones, whose numbers are swapped on the server that comes. */
  const phones = () => [onUsb(a, '1-1'), onUsb(b, '1-2', clock(bootId(2), 300))];

  it.each([
    ['whose phones have swapped their numbers', (some: MarkedPhone[]) => some, false],
    [
      'whose phones have swapped their numbers and are containers of one host',
      (some: MarkedPhone[]) => some,
      true,
    ],
  ])('by one %s has none of them told with the facts of the other', async (_, order, areContainers) => {
    await using way = await HalfOpenWay.start(lab.adb.port);
    const attached = order(phones());
    for (const phone of attached) {
      if (areContainers) phone.clock = clock(bootId(1), 5000);
      lab.adb.plug(phone);
    }
    const agent = await lab.running({ env: { HOSTNODE_ADB_PORT: String(way.port) } });
    await agent.round();
    const next = await SimulatedAdbServer.start();
    for (const phone of attached.toReversed()) next.plug(phone);
    way.lead(next.port);
    for (let rounds = 0; rounds < 3; rounds += 1) await agent.round();
    expectNoMixture();
    for (const { serialNumber, level } of [a, b])
      expect(lab.stored(serialNumber)).toMatchObject({
        state: 'device',
        battery: { percentage: String(level) },
      });
    expect(next.requests.filter(({ request }) => request === 'host:track-devices')).not.toEqual([]);
    await next.stop();
  });

  it('of another version has its phones identify themselves again', async () => {
    await using way = await HalfOpenWay.start(lab.adb.port);
    lab.adb.plug(onNetwork(a));
    const agent = await lab.running({ env: { HOSTNODE_ADB_PORT: String(way.port) } });
    await agent.round();
    const next = await SimulatedAdbServer.start({ version: 40 });
    next.plug(onNetwork(b)); // at the same address, by the same number, of the same boot
    way.lead(next.port);
    for (let rounds = 0; rounds < 3; rounds += 1) await agent.round();
    expectNoMixture();
    expect(lab.stored(b.serialNumber)).toMatchObject({ state: 'device', battery: { percentage: '12' } });
    await next.stop();
  });
});
