import { describe, expect, it } from 'vitest';
import { type AffectedPhone, causesOf, type HostCondition } from '../../src/status/causes.ts';

const NOW = 1_800_000_000_000;

const hostKind = { hasSystemd: true, units: ['hostnode', 'hostnode-adb'], inContainer: false };

const host: HostCondition = {
  adbAt: { host: '127.0.0.1', port: 5037, hostKind },
  adb: { address: '127.0.0.1:5037', state: 'listed', since: NOW - 3_600_000 },
  reports: { storedAt: NOW - 12_000, nextAt: NOW + 48_000 },
  attached: 10,
  now: NOW,
};

const gone = (udid: string, devpath: string, agoMs: number): AffectedPhone => ({
  udid,
  name: `Pixel ${udid}`,
  kind: 'unplugged',
  sign: 'unplugged',
  remedy: 'Not plugged in: plug the phone in again',
  since: NOW - agoMs,
  connection: 'usb',
  devpath,
});

const unauthorized = (udid: string): AffectedPhone => ({
  udid,
  name: `Pixel ${udid}`,
  kind: 'unauthorized',
  sign: 'unauthorized',
  remedy: 'Accept the USB debugging prompt on the phone',
  since: NOW - 60_000,
  connection: 'usb',
});

describe('causesOf', () => {
  it('finds nothing on a host where all is well', () => {
    expect(causesOf([], host)).toEqual([]);
  });

  it('makes one cause of phones that left a hub together, and another of one that left it later', () => {
    const causes = causesOf(
      [
        gone('A', '1-3.1', 60_000),
        gone('B', '1-3.2', 57_000),
        gone('C', '1-3.4.1', 60_000),
        gone('D', '1-3.3', 9_000),
      ],
      host,
    );
    expect(causes.map(({ title, udids, since }) => ({ title, udids, since }))).toEqual([
      { title: 'Pixel D is unplugged', udids: ['D'], since: NOW - 9_000 },
      { title: '2 phones behind hub 1-3 are unplugged', udids: ['A', 'B'], since: NOW - 60_000 },
      { title: 'Pixel C is unplugged', udids: ['C'], since: NOW - 60_000 },
    ]);
    expect(causes[1]?.remedy).toBe('Check the power and the cable of the hub at USB port 1-3');
  });

  it('keeps the key of a cause while phones are added to it', () => {
    const [before] = causesOf([gone('A', '1-3.1', 60_000), gone('B', '1-3.2', 57_000)], host);
    const [after] = causesOf(
      [gone('A', '1-3.1', 60_000), gone('B', '1-3.2', 57_000), gone('E', '1-3.3', 55_000)],
      host,
    );
    expect(after?.key).toBe(before?.key);
  });

  it('lists those of the host first, then a hot battery, then phones that nobody can use', () => {
    const hot = { ...unauthorized('H'), kind: 'hot', sign: 'hot', remedy: 'Let it cool down' } as const;
    const full = {
      ...hot,
      kind: 'storage',
      sign: 'storage full',
      remedy: 'Free storage',
      since: NOW,
    } as const;
    const reports = { failure: '503', failingSince: NOW - 3_600_000 };
    const causes = causesOf([full, gone('A', '1-3', 30_000), unauthorized('B'), hot], { ...host, reports });
    expect(causes.map(({ kind }) => kind)).toEqual(['cloud', 'hot', 'unplugged', 'unauthorized', 'storage']);
  });

  it('groups phones that the same helps for', () => {
    const [cause, ...others] = causesOf([unauthorized('A'), unauthorized('B')], host);
    expect(others).toEqual([]);
    expect(cause).toMatchObject({
      kind: 'unauthorized',
      title: '2 phones wait for the USB debugging prompt',
      remedy: 'Accept the USB debugging prompt on the phone',
      udids: ['A', 'B'],
    });
  });

  it('takes all phones unauthorized at once for another key of the adb server', () => {
    const [cause] = causesOf(['A', 'B', 'C'].map(unauthorized), { ...host, attached: 3 });
    expect(cause).toMatchObject({
      title: 'All 3 phones are unauthorized',
      command: 'hostnode doctor',
      udids: ['A', 'B', 'C'],
    });
  });

  it.each([
    ['absent', 'systemctl start hostnode-adb'],
    ['silent', 'systemctl restart hostnode-adb'],
    ['closed', 'hostnode doctor'],
  ] as const)('has for an adb server that is %s the command that helps', (failureKind, command) => {
    const adb = {
      ...host.adb,
      state: 'unreachable',
      failure: 'it fails',
      failureKind,
      since: NOW - 20_000,
    } as const;
    expect(causesOf([], { ...host, adb }).map((cause) => cause.command)).toEqual([command]);
  });

  it('says why the host cannot ask adb or report, but not at the first hiccup', () => {
    const failure = 'no adb server at 127.0.0.1:5037';
    const lost = { ...host.adb, state: 'unreachable', failure, failureKind: 'absent' } as const;
    const failing = {
      ...host.reports,
      failure: '401 Unauthorized',
      said: 'no such user',
      remedy: 'Check the API key',
      isRejected: true as const,
    };
    const causes = (sinceMs: number) =>
      causesOf([], {
        ...host,
        adb: { ...lost, since: NOW - sinceMs },
        reports: { ...failing, failingSince: NOW - sinceMs },
      });
    expect(causes(5_000)).toEqual([]);
    expect(causes(20_000).map(({ kind, title, said, remedy }) => ({ kind, title, said, remedy }))).toEqual([
      {
        kind: 'adb',
        title: 'Cannot reach adb: no adb server at 127.0.0.1:5037',
        remedy: 'Start the lab’s server (systemctl start hostnode-adb), or check adb.host and adb.port',
      },
      {
        kind: 'cloud',
        title: 'The cloud rejects our reports: 401 Unauthorized',
        said: 'no such user',
        remedy: 'Check the API key',
      },
    ]);
  });

  it('does not say that a cloud which nobody reached rejects anything', () => {
    const failure = 'PUT https://c.d/v1/devices: nothing listens there (ECONNREFUSED)';
    const [cause] = causesOf([], { ...host, reports: { failure, failingSince: NOW - 20_000 } });
    expect(cause?.title).toBe(`Cannot report to the cloud: ${failure}`);
  });

  it('takes a missing key for a cause, and a host without a cloud for none', () => {
    const kinds = (notReporting: string) => causesOf([], { ...host, reports: { notReporting } });
    expect(kinds('no cloud configured')).toEqual([]);
    expect(kinds('the API key is missing')).toMatchObject([
      { title: 'Not reporting: the API key is missing' },
    ]);
  });
});
