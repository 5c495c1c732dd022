import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Agent } from '../../../src/agent/agent.ts';
import type { SimulatedPhone } from '../../../src/demo/phone.ts';
import type { Checkpoint } from '../../../src/history/events/checkpoint.ts';
import { bootId, clock, MarkedPhone, mark } from '../../agent/marked-phone.ts';
import { EventsLog } from '../../support/events-log.ts';
import { Lab, type LabOptions, networkPoco, poco, pocos } from '../../support/lab.ts';

let lab: Lab;
let log: EventsLog;
beforeEach(async () => {
  lab = await Lab.open();
  log = new EventsLog();
});
afterEach(() => lab[Symbol.asyncDispose]());

const running = (options: LabOptions = {}): Promise<Agent> => lab.running({ observer: log, ...options });

/** The phone starts again, for this reason. */
function reboot(phone: SimulatedPhone, number: number, reason = 'reboot,userrequested'): void {
  phone.alter('boot.clock', () => clock(bootId(number), 30));
  phone.alter('boot.properties', (text) => `${text}\n[sys.boot.reason]: [${reason}]\n`);
}

/** No passing state lasts for long enough to be told. */
const patient: LabOptions = { timing: { passingMs: 600_000 } };

/** What the next run of the program is told. */
async function stopped(agent: Agent): Promise<Checkpoint> {
  await agent.stop();
  return agent.carried.checkpoint;
}

describe('a phone that is plugged in', () => {
  it('is told of once, with where it sits and who it is', async () => {
    await running();
    lab.adb.plug(poco('POCO', '1-4.2'));
    await log.until('stored');
    expect(log.events).toEqual([
      { kind: 'attached', state: 'device', udid: 'POCO', where, at: expect.any(Number) },
      { kind: 'identity', model: '24069PC21I', brand: 'POCO', udid: 'POCO', where, at: expect.any(Number) },
      { kind: 'stored', udid: 'POCO', where, at: expect.any(Number) },
    ]);
  });
  const where = { devpath: '1-4.2', usbPath: '1-4.2', hub: '1-4' };

  it('has its slot', async () => {
    await running({ env: { HOSTNODE_SLOTS: '[{"name":"bay 4","paths":["1-4.2"]}]' } });
    lab.adb.plug(poco('POCO', '1-4.2'));
    await log.until('attached');
    expect(log.of('attached')).toMatchObject([{ where: { slot: 'bay 4' } }]);
  });

  it('makes no events of the states that pass: offline, authorizing', async () => {
    const phone = poco();
    phone.state = 'offline';
    await running(patient);
    lab.adb.plug(phone);
    await lab.untilState('POCO', 'offline');
    lab.adb.setState('POCO', 'authorizing');
    await lab.untilState('POCO', 'authorizing');
    lab.adb.setState('POCO', 'device');
    await log.until('attached');
    lab.adb.setState('POCO', 'authorizing');
    await lab.untilState('POCO', 'authorizing');
    lab.adb.setState('POCO', 'device');
    await lab.untilState('POCO', 'device');
    expect(log.told).toEqual(['POCO attached device']);
  });

  it('is told of as authorizing where that lasts', async () => {
    const phone = poco();
    phone.state = 'authorizing';
    await running({ timing: { passingMs: 1, relistMs: 20 } });
    lab.adb.plug(phone);
    await log.until('attached');
    expect(log.told).toEqual(['POCO attached authorizing']);
  });

  it('and unplugged before its state has settled is still told of, and lost', async () => {
    const phone = poco();
    phone.state = 'authorizing';
    await running(patient);
    lab.adb.plug(phone);
    await lab.untilState('POCO', 'authorizing');
    lab.adb.unplug('POCO');
    await log.until('detached');
    expect(log.told).toEqual(['POCO attached authorizing', 'POCO detached']);
  });
});

describe('a phone that is lost', () => {
  it('is told of at once, each time', async () => {
    const phone = poco();
    lab.adb.plug(phone);
    await running();
    for (let times = 1; times <= 3; times += 1) {
      lab.adb.unplug('POCO');
      await log.until('detached', times);
      lab.adb.plug(phone);
      await log.until('attached', times + 1);
    }
    expect(log.told).toEqual([
      'POCO attached device',
      ...['POCO detached', 'POCO attached device'],
      ...['POCO detached', 'POCO attached device'],
      ...['POCO detached', 'POCO attached device'],
    ]);
  });

  it('for so short a time that no list lacks it is told of as lost too', async () => {
    const phone = poco();
    lab.adb.plug(phone);
    await running();
    lab.adb.unplug('POCO');
    lab.adb.plug(phone);
    await log.until('attached', 2);
    expect(log.told).toEqual(['POCO attached device', 'POCO detached', 'POCO attached device']);
  });

  it('is told of alone, though it made the list too long for the numbers of the others', async () => {
    lab.adb.plug(poco());
    await running();
    lab.adb.plug(Object.assign(poco('WORDY', '1-2'), { product: 'x'.repeat(1024 ** 2) }));
    await log.until('attached', 2);
    lab.adb.unplug('WORDY');
    await log.until('detached');
    expect(log.told).toEqual(['POCO attached device', 'WORDY attached device', 'WORDY detached']);
  });

  it('is told of with what adb says while it stays attached', async () => {
    lab.adb.plug(poco());
    await running();
    lab.adb.setState('POCO', 'offline');
    await log.until('state');
    lab.adb.setState('POCO', 'device');
    await log.until('state', 2);
    expect(log.told).toEqual(['POCO attached device', 'POCO state offline', 'POCO state device']);
  });
});

describe('a phone that restarts', () => {
  it('is told of with the reason, and not where only its cable was pulled', async () => {
    const phone = poco();
    lab.adb.plug(phone);
    const agent = await running();
    for (const happens of [() => {}, () => reboot(phone, 2, 'kernel_panic')]) {
      lab.adb.unplug('POCO');
      await log.until('detached', log.of('detached').length + 1);
      happens();
      lab.adb.plug(phone);
      await log.until('attached', log.of('attached').length + 1);
      await agent.round();
    }
    expect(log.of('rebooted')).toMatchObject([
      { udid: 'POCO', reason: 'kernel_panic', uptimeSeconds: 30, where: { devpath: '1-1' } },
    ]);
  });

  it('while the agent did not run is told of when it starts again, once', async () => {
    const phone = poco();
    lab.adb.plug(phone);
    const checkpoint = await stopped(await running());
    log.clear();
    reboot(phone, 2);
    const next = await running({ checkpoint });
    await next.round();
    expect(log.texts()).toEqual(['POCO rebooted']);
    await running({ checkpoint: await stopped(next) });
    expect(log.texts()).toEqual(['POCO rebooted']);
  });

  it('with its container host is not told of: the host did', async () => {
    const containers = [1, 2].map(
      (number) => new MarkedPhone(mark(number), { serial: `10.0.0.${number}:5555` }, clock(bootId(1), 5000)),
    );
    for (const container of containers) lab.adb.plug(container);
    const agent = await running();
    for (const container of containers) container.clock = clock(bootId(7), 60);
    for (const { serial } of containers) lab.adb.unplug(serial);
    await log.until('detached', 2);
    for (const container of containers) lab.adb.plug(container);
    await log.until('attached', 4);
    await agent.round();
    await agent.round();
    expect(log.of('rebooted')).toEqual([]);
  });
});

describe('another phone at a network address', () => {
  it('is another phone, and nobody has restarted or was updated', async () => {
    const address = '192.168.1.7:5555';
    const [one, other] = [mark(1, { serialNumber: 'unknown' }), mark(2, { serialNumber: 'unknown' })];
    lab.adb.plug(new MarkedPhone(one, { serial: address }, clock(bootId(1), 5000)));
    const agent = await running();
    lab.adb.unplug(address);
    await log.until('detached');
    lab.adb.plug(new MarkedPhone(other, { serial: address }, clock(bootId(2), 300)));
    await log.until('identity', 2);
    await agent.round();
    expect(log.of('identity')).toMatchObject([{ model: 'Model 1' }, { model: 'Model 2' }]);
    expect(log.of('rebooted').concat(log.of('os'))).toEqual([]);
  });
});

describe('a phone whose serial becomes known', () => {
  it('takes its past with it, and is not told of as attached again', async () => {
    const { phone, serialNumber } = networkPoco();
    const agent = await running();
    lab.adb.plug(phone);
    await log.until('stored');
    await agent.round();
    expect(log.names).toEqual([`${phone.serial} → ${serialNumber}`]);
    expect(log.told).toEqual([`${phone.serial} attached device`]);
  });
});

describe('a new start or a reload', () => {
  it('tells nothing of phones that are as they were', async () => {
    for (const phone of [...pocos(2), networkPoco().phone]) lab.adb.plug(phone);
    const first = await running();
    await first.round();
    log.clear();
    const checkpoint = await stopped(first);
    const second = await running({ checkpoint });
    await second.round();
    expect(log.texts()).toEqual([]);
  });

  it('tells of phones that went and came meanwhile', async () => {
    for (const phone of pocos(2)) lab.adb.plug(phone);
    const checkpoint = await stopped(await running());
    log.clear();
    lab.adb.unplug('POCO-1');
    lab.adb.plug(poco('NEW', '1-9'));
    await running({ checkpoint });
    expect(log.told.toSorted()).toEqual(['NEW attached device', 'POCO-1 detached']);
  });

  it('trusts the history where the roster is older: a kill may have come between the two', async () => {
    lab.adb.plug(poco());
    const agent = await running();
    await agent.stop();
    log.clear();
    lab.adb.unplug('POCO');
    const connections = new Map([['POCO', { attached: false, state: 'disconnected' }]]);
    await running({ checkpoint: { connections, isAdbLost: false, isCloudLost: false } });
    expect(log.texts()).toEqual([]);
  });
});

describe('an empty history', () => {
  it('is told of the phones that are attached, though the roster knows them', async () => {
    lab.adb.plug(poco());
    await (await running()).stop();
    log.clear();
    await running({ checkpoint: { connections: new Map(), isAdbLost: false, isCloudLost: false } });
    expect(log.texts()).toEqual(['POCO attached device']);
  });
});

describe('the adb server', () => {
  it('is lost and back, and its phones that come back with it were not', async () => {
    const phones = pocos(3);
    for (const phone of phones) lab.adb.plug(phone);
    await running();
    await lab.stopAdb();
    await log.until('adbLost');
    await lab.startAdb(phones);
    await log.until('adbBack');
    expect(log.of('adbLost')).toMatchObject([{ failureKind: 'absent' }]);
    expect(log.told).toEqual([
      ...phones.map(({ serial }) => `${serial} attached device`),
      'adbLost',
      'adbBack',
    ]);
  });

  it('is lost for an earlier run too: only its return is told', async () => {
    await lab.stopAdb();
    const checkpoint = await stopped(await running());
    expect(log.texts()).toEqual(['adbLost']);
    await running({ checkpoint });
    await lab.startAdb([]);
    await log.until('adbBack');
    expect(log.texts()).toEqual(['adbLost', 'adbBack']);
  });

  it('was replaced where all its connections ended and one answers at once', async () => {
    lab.adb.plug(poco());
    await running();
    lab.adb.dropConnections();
    await log.until('adbReplaced');
    expect(log.told).toEqual(['POCO attached device', 'adbReplaced']);
  });

  it('was replaced once, though its list and its stream both show that', async () => {
    const [first, second] = pocos(2) as [SimulatedPhone, SimulatedPhone];
    lab.adb.plug(first);
    await running();
    const { promise: isOpen, resolve } = Promise.withResolvers<void>();
    lab.adb.dropConnections();
    lab.adb.on('request', ({ request }) => request.includes('track-devices') && resolve());
    await isOpen;
    lab.adb.plug(second);
    await expect.poll(() => log.of('attached')).toHaveLength(2);
    expect(log.of('adbReplaced')).toHaveLength(1);
  });
});

describe('the cloud', () => {
  it('is lost and back', async () => {
    lab.adb.plug(poco());
    const agent = await running();
    lab.cloud.faults.next({ kind: 'status', status: 503 });
    const random = vi.spyOn(Math, 'random').mockReturnValue(0); // the report is tried again at once
    onTestFinished(() => random.mockRestore());
    await agent.round();
    await log.until('cloudBack');
    expect(log.told).toEqual(['POCO attached device', 'cloudLost', 'cloudBack']);
    expect(log.of('cloudLost')).toMatchObject([{ code: expect.stringMatching(/^CLOUD_/) }]);
  });

  it('rejects a phone and stores it again: both are told once, without the identifiers it repeats', async () => {
    lab.adb.plug(poco());
    lab.cloud.refuse('POCO', 'imei 356938035643809 is blocked');
    const agent = await running({ env: { HOSTNODE_CLOUD_REFUSED_RETRIES: '0' } });
    await agent.round();
    await agent.round();
    lab.cloud.accept('POCO');
    await agent.round();
    await agent.round();
    const answers = log.events.filter(({ kind }) => kind === 'refused' || kind === 'stored');
    expect(answers).toMatchObject([
      { kind: 'refused', said: 'imei [number] is blocked' },
      { kind: 'stored' },
    ]);
  });
});

describe('an ignored phone', () => {
  it('is not told of, also where a rule ignores its model', async () => {
    const rules = '[{"match":{"model":"24069PC21I"},"ignore":true}]';
    const agent = await running({ env: { HOSTNODE_DEVICES: rules } });
    lab.adb.plug(poco());
    await agent.round();
    await agent.round();
    lab.adb.unplug('POCO');
    await agent.round();
    expect(log.texts()).toEqual([]);
    expect(log.samples).toEqual([]);
  });
});

describe('a phone that is forgotten', () => {
  it('is named, so that its past is erased', async () => {
    lab.adb.plug(poco());
    const agent = await running();
    lab.adb.unplug('POCO');
    await lab.untilState('POCO', 'disconnected');
    await agent.forget('POCO');
    expect(log.names).toEqual(['POCO forgotten']);
    expect(agent.whereOf('POCO')).toBeUndefined();
  });

  it('to make room keeps its past', async () => {
    await running({ env: { HOSTNODE_ROSTER_MAX_PHONES: '1' } });
    lab.adb.plug(poco('FIRST', '1-1'));
    await lab.untilState('FIRST', 'device');
    lab.adb.unplug('FIRST');
    await lab.untilState('FIRST', 'disconnected');
    lab.adb.plug(poco('SECOND', '1-2'));
    await log.until('attached', 2);
    expect(lab.said('phone dropped from the full roster')).toMatchObject([{ udid: 'FIRST' }]);
    expect(log.names).toEqual([]);
  });
});

describe('readings', () => {
  it('are kept once in five minutes, from the facts of the round', async () => {
    lab.adb.plug(poco());
    const agent = await running();
    for (let rounds = 0; rounds < 3; rounds += 1) await agent.round();
    expect(log.samples.length).toBeLessThanOrEqual(2); // the five minutes may end meanwhile
    expect(log.samples[0]).toEqual({
      udid: 'POCO',
      at: expect.any(Number),
      levelPercent: 81,
      temperatureDecicelsius: 312,
      isFull: false,
      storageUsedBytes: expect.any(Number),
    });
  });

  it('that are worse are kept too: emptier, or warmer by a degree', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-04T10:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const phone = poco();
    lab.adb.plug(phone);
    const agent = await running();
    const reads = async (level: number, decicelsius: number): Promise<void> => {
      phone.alter('battery.dump', (text) =>
        text
          .replace(/\blevel: \d+/, `level: ${level}`)
          .replace(/temperature: \d+/, `temperature: ${decicelsius}`),
      );
      await agent.round();
    };
    await reads(81, 319);
    await reads(81, 610);
    await reads(90, 300);
    await reads(3, 300);
    expect(log.samples.map((each) => [each.levelPercent, each.temperatureDecicelsius])).toEqual([
      [81, 312],
      [81, 610],
      [3, 300],
    ]);
  });
});

describe('SIM and battery', () => {
  it('are told when they change', async () => {
    const phone = poco();
    lab.adb.plug(phone);
    const agent = await running();
    phone.alter('boot.properties', (text) => text.replace('[LOADED,LOADED]', '[ABSENT,LOADED]'));
    phone.alter('battery.dump', (text) => text.replace(/health: \d/, 'health: 3'));
    await agent.round();
    expect(log.of('sim')).toMatchObject([{ state: 'ABSENT,LOADED', before: 'LOADED,LOADED' }]);
    expect(log.of('batteryHealth')).toMatchObject([{ health: 'OVERHEAT', before: 'GOOD' }]);
    await running({ checkpoint: await stopped(agent) });
    expect([...log.of('sim'), ...log.of('batteryHealth')]).toHaveLength(2);
  });
});

describe('the clock of the host', () => {
  it('that was set is told, and no phone has rebooted for it', async () => {
    const hidden = new MarkedPhone(mark(1), { serial: 'S', devpath: '1-1' }, clock(undefined, 5000));
    lab.adb.plug(hidden);
    const agent = await running();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7_200_000 });
    onTestFinished(() => void vi.useRealTimers());
    await agent.round();
    await agent.round();
    expect(log.of('clockStepped')).toMatchObject([{ byMs: expect.closeTo(7_200_000, -4) }]);
    expect(log.of('rebooted')).toEqual([]);
  });
});
