import { describe, expect, it } from 'vitest';
import { type CloudReader, standardTiming } from '../../src/agent/options.ts';
import { differenceOf, ReadBack } from '../../src/agent/read-back.ts';
import type { DeviceInfo } from '../../src/cloud/contract/report.ts';
import { CloudAnswerTooLongError, CloudForbiddenError, CloudNotFoundError } from '../../src/cloud/errors.ts';
import { isToReport } from '../../src/roster/device-changes.ts';
import { Roster } from '../../src/roster/roster.ts';
import { keptLog } from '../support/log.ts';
import { reportOf } from '../support/manual-host.ts';

const listed = (serial: string, devpath: string) => ({ serial, state: 'device', devpath, transportId: 1 });
const both = [listed('FIRST', '1-1'), listed('SECOND', '1-2')];
const { signal } = new AbortController();
const about = { request: 'GET /devices' };
const tooLong = () => new CloudAnswerTooLongError('too long', about);

/** A host with two phones, both stored, and what the cloud answers to each request. */
function scene(answer: (udid: string | undefined) => Record<string, string | undefined>) {
  const roster = new Roster({ nodeId: 'rack-1', offlineNetworkMs: 0 });
  roster.observe(both, Date.now());
  roster.phones.announced(['FIRST', 'SECOND']);
  roster.phones.stored([
    { udid: 'FIRST', status: 'PLUGGED' },
    { udid: 'SECOND', status: 'PLUGGED' },
  ]);
  const asked: (string | undefined)[] = [];
  const reader: CloudReader = {
    pluggedIn: async (udid) => {
      asked.push(udid);
      return new Map(Object.entries(answer(udid)));
    },
  };
  const { log, lines } = keptLog();
  const hostReport = reportOf({ roster, phones: { facts: () => ({}), isSilent: () => false } });
  const readBack = new ReadBack({
    nodeId: 'rack-1',
    roster,
    hostReport,
    reader,
    isStateLost: true,
    timing: { ...standardTiming, firstReadBackMs: 0 },
    observer: { changed() {} } as never,
    log,
  });
  return { roster, readBack, asked, lines };
}

describe('reading back', () => {
  it('finds nothing where both agree, and is not due for an hour', async () => {
    const { readBack, roster } = scene(() => ({ FIRST: 'rack-1', SECOND: undefined }));
    expect(readBack.isDue).toBe(true);
    await readBack.run(signal);
    expect(readBack.isDue).toBe(false);
    expect(roster.devices.map(({ inCloud }) => inCloud)).toEqual([undefined, undefined]);
  });

  it('is sure of what differs twice in a row, and reads at most twice more in an hour', async () => {
    const { readBack, roster } = scene(() => ({ FIRST: 'rack-1' }));
    const inCloud = () => roster.get('SECOND')?.inCloud;
    await readBack.run(signal);
    expect(inCloud()).toEqual({ there: 'unplugged', since: expect.any(Number) });
    expect(readBack.isDue).toBe(true);
    await readBack.run(signal);
    expect(inCloud()).toEqual({ there: 'unplugged', since: expect.any(Number), isConfirmed: true });
    expect(readBack.isDue).toBe(true);
    await readBack.run(signal);
    expect(readBack.isDue).toBe(false);
  });

  it('is not kept busy by a cloud that says something new each time', async () => {
    let times = 0;
    const { readBack } = scene(() => {
      times += 1;
      return { FIRST: `rack-${times + 1}`, SECOND: undefined };
    });
    for (let readings = 0; readings < 3; readings += 1) {
      expect(readBack.isDue).toBe(true);
      await readBack.run(signal);
    }
    expect(readBack.isDue).toBe(false);
  });

  it('asks for each phone where the list is too long', async () => {
    const { readBack, roster, asked } = scene((udid) => {
      if (udid === undefined) throw tooLong();
      return udid === 'FIRST' ? { FIRST: 'rack-1', STRANGER: 'rack-1' } : {};
    });
    await readBack.run(signal);
    await readBack.run(signal);
    expect(asked).toEqual([undefined, 'FIRST', 'SECOND', undefined, 'FIRST', 'SECOND']);
    expect(roster.devices.map(({ udid, inCloud }) => [udid, inCloud?.there])).toEqual([
      ['FIRST', undefined],
      ['SECOND', 'unplugged'],
    ]);
  });

  it.each([
    ['403', new CloudForbiddenError('403', { ...about, status: 403 })],
    ['404', new CloudNotFoundError('404', { ...about, status: 404 })],
    ['too long an answer for one phone too', tooLong()],
  ])('turns itself off by %s, which the log says once', async (_, error) => {
    const { readBack, lines } = scene(() => {
      throw error;
    });
    await readBack.run(signal);
    expect(readBack.isDue).toBe(false);
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      ['warn', 'the cloud does not let hostnode read its phones back'],
    ]);
  });

  it('leaves no phone to another host once it cannot read any more', async () => {
    let isOff = false;
    const { readBack, roster } = scene(() => {
      if (isOff) throw new CloudForbiddenError('403', { ...about, status: 403 });
      return { FIRST: 'rack-2', SECOND: 'rack-2' };
    });
    await readBack.run(signal);
    isOff = true;
    await readBack.run(signal);
    expect(roster.devices.map(({ inCloud }) => inCloud)).toEqual([undefined, undefined]);
  });

  it('does not begin again while it reads', async () => {
    const { readBack } = scene(() => ({ FIRST: 'rack-1' }));
    const reading = readBack.run(signal);
    expect(readBack.isDue).toBe(false);
    await reading;
    expect(readBack.isDue).toBe(true);
  });

  it('takes phones that only the cloud knows of this host after a start alone, some hundred at most', async () => {
    const strangers = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`S${at}`, 'rack-1']));
    const { readBack, roster } = scene(() => ({
      FIRST: 'rack-1',
      SECOND: 'rack-1',
      OTHER: 'rack-2',
      ...strangers,
    }));
    await readBack.run(signal);
    expect(roster.devices).toHaveLength(2);
    await readBack.run(signal);
    expect(roster.devices).toHaveLength(302);
    expect(roster.get('S0')).toMatchObject({ attached: false, reported: true });
    expect(roster.get('OTHER')).toBeUndefined();
    for (let readings = 0; readings < 60; readings += 1) await readBack.run(signal);
    expect(roster.devices, 'another host of this name').toHaveLength(302);
    expect(roster.get('FIRST')?.attached).toBe(true);
  });

  it('goes on reporting phones by cable, also where the cloud has all of them at another host', async () => {
    const { readBack, roster } = scene(() => ({ FIRST: 'rack-9', SECOND: 'rack-9' }));
    await readBack.run(signal);
    await readBack.run(signal);
    expect(roster.devices.map(({ attached, inCloud }) => [attached, inCloud?.host])).toEqual([
      [true, 'rack-9'],
      [true, 'rack-9'],
    ]);
  });

  it.each([
    ['goes on reporting', 'where the cloud writes the name of this host otherwise', 'RACK-1', true],
    ['leaves to the other', 'where the cloud has this host by its name', 'rack-1', false],
  ])('%s a phone over the network %s', async (_, __, named, isReported) => {
    const host = named === 'rack-1' ? 'rack-9' : named;
    const { readBack, roster } = scene(() => ({ FIRST: named, SECOND: named, '10.0.0.7:5555': host }));
    const overNetwork = { serial: '10.0.0.7:5555', state: 'device', transportId: 3 };
    roster.observe([...both, overNetwork], Date.now());
    roster.learn(overNetwork, { identity: { isEmulator: false } }, Date.now());
    roster.phones.stored([{ udid: '10.0.0.7:5555', status: 'PLUGGED' }]);
    for (let readings = 0; readings < 3; readings += 1) await readBack.run(signal);
    const device = roster.get('10.0.0.7:5555');
    expect(device && isToReport(device)).toBe(isReported);
  });

  it('ignores what changed while the cloud was read', async () => {
    const { readBack, roster } = scene(() => {
      roster.observe(both.slice(0, 1), Date.now());
      return { FIRST: 'rack-1' };
    });
    await readBack.run(signal);
    expect(roster.get('SECOND')?.inCloud).toBeUndefined();
  });
});

describe('what the cloud has of a phone', () => {
  const device = {
    udid: 'X',
    attached: true,
    connection: 'usb',
    cloudAnswer: 'stored',
    reported: true,
  } as never;
  const gone = { udid: 'X', attached: false, reported: true, isGoneStored: true };
  const info = (status: string, also = {}) =>
    ({ status, addedToCloud: true, isHidden: false, ...also }) as DeviceInfo;
  const there = (host: string | undefined) => new Map([['X', host]]);
  const none = new Map<string, string>();

  it.each([
    ['nothing of one that is plugged in', device, info('PLUGGED'), none, { there: 'unplugged' }],
    ['the same of a hidden one', device, info('PLUGGED', { isHidden: true }), none, undefined],
    [
      'the same of one that is not in the cloud',
      device,
      info('PLUGGED', { addedToCloud: false }),
      none,
      undefined,
    ],
    ['it, without a host', device, info('PLUGGED'), there(undefined), undefined],
    ['it at another host', device, info('PLUGGED'), there('b'), { there: 'elsewhere', host: 'b' }],
    ['an unplugged one as such', gone, info('UNPLUGGED'), none, undefined],
    ['an unplugged one here', gone, info('UNPLUGGED'), there('a'), { there: 'here' }],
    ['an unplugged one, without a host', gone, info('UNPLUGGED'), there(undefined), { there: 'elsewhere' }],
    [
      'an ignored one here',
      { ...gone, attached: true, reported: false },
      undefined,
      there('a'),
      { there: 'here' },
    ],
  ] as const)('is %s', (_, phone, reported, plugged, difference) => {
    expect(differenceOf(phone as never, reported, plugged, 'a')).toEqual(difference);
  });
});
