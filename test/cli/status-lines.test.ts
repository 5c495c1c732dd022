import { describe, expect, it } from 'vitest';
import { spansOf, textOf } from '../../src/base/styled-text.ts';
import { statusLines as styledLines } from '../../src/cli/status-lines.ts';
import type { Cause, HostStatus } from '../../src/status/host-status.ts';
import { host, NOW, phone } from '../support/sample-status.ts';

const counts = { phones: 3, fine: 1, needsAttention: 1, maintenance: 1, unknown: 0 };
const phones = [
  phone({ udid: 'C', name: 'Pixel', slot: 'shelf 1, bay 3' }),
  phone({
    udid: 'A',
    name: 'Galaxy',
    condition: 'maintenance',
    maintenance: { until: NOW, reason: 'new battery' },
  }),
  phone({
    udid: 'B',
    name: 'Xiaomi',
    android: '12',
    condition: 'needsAttention',
    sign: 'hot',
    message: 'Cool it',
    battery: { levelRatio: 0.634, isCharging: true, temperatureCelsius: 46 },
    storage: { totalBytes: 64 * 1024 ** 3, usedBytes: 32 * 1024 ** 3 },
    network: 'REACHABLE',
  }),
];
const bands = [
  { name: 'shelf 1', bays: [{ name: 'bay 2' }, { name: 'bay 3', slot: 'shelf 1, bay 3', udid: 'C' }] },
  { name: '', bays: ['A', 'B'].map((udid) => ({ name: udid, udid })) },
];
const cause = {
  key: 'hot B',
  kind: 'hot' as const,
  title: 'Xiaomi is hot',
  remedy: 'Cool it',
  command: 'adb -s B shell reboot -p',
  since: NOW - 300_000,
  udids: ['B'],
};

const statusLines = (...args: Parameters<typeof styledLines>) => styledLines(...args).map(textOf);

describe('statusLines', () => {
  it('name the page, and how to leave', () => {
    const pageUrl = 'http://127.0.0.1:9477/';
    const second = (...args: Parameters<typeof statusLines>) => statusLines(...args)[1];
    expect(second(host(phones, { pageUrl }))).toBe(`page: ${pageUrl}`);
    expect(second(host(phones, { pageProblem: 'port 9477 is taken' }))).toBe(
      'page: not served, port 9477 is taken',
    );
    expect(second(host(phones, { pageUrl }), { width: 140, hint: 'q ends' })).toBe(
      `page: ${pageUrl} · q ends`,
    );
    expect(second(host(phones), { width: 140, hint: 'q ends' })).toBe('q ends');
    expect(second(host([phone()]))).toBe('');
  });

  it('tell of all in one line, of what needs attention and where, and with --all of the phones as they stand', () => {
    const status = host(phones, { counts, bands, causes: [cause] });
    const lines = statusLines(status, { view: 'all' });
    expect(lines.slice(0, 8)).toEqual([
      'lab-07: 1 problem with 1 phone · 1 phone fine · 1 in maintenance · cloud: reported 12 s ago, next in 48 s · adb 41, up for 1 h',
      '',
      'Needs attention',
      ' ! Xiaomi is hot  (for 5 min)',
      '     R58M1',
      '   → Cool it',
      '     adb -s B shell reboot -p',
      '',
    ]);
    expect(statusLines(status).slice(7)).toEqual(['', '3 phones in all: hostnode status --all lists them']);
    expect(statusLines(status, { width: 40 }).at(-2)).toBe('3 phones in all: hostnode status --all');
    const table = lines.slice(8).map((line) => line.replace(/ {2,}/g, '  '));
    expect(
      table.map((line) => line.replace(/until \d{4}-\d\d-\d\d \d\d:\d\d [\w+:-]+?(?=: )/, 'until then')),
    ).toEqual([
      'UDID  SLOT  NAME  ANDROID  STATE  BATTERY  TEMP  STORAGE  NETWORK  WHAT TO DO',
      'C  shelf 1, bay 3  Pixel  fine',
      'A  Galaxy  maintenance  In maintenance until then: new battery',
      'B  Xiaomi  12  hot  + 63 %  46.0 °C  32.0 / 64.0 GiB  reachable  Cool it',
    ]);
  });

  it('say where: place and serial, the names of few, and how many are left out', () => {
    const many = Array.from({ length: 11 }, (_, index) =>
      phone({
        udid: `U${index}`,
        serial: `S${index}`,
        name: 'Kiosk "north"',
        slot: `rack 1, shelf ${index < 6 ? 1 : 2}, bay ${index}`,
      }),
    );
    const whereOf = (...some: typeof phones) =>
      statusLines(host(some, { causes: [{ ...cause, udids: some.map(({ udid }) => udid) }] }))
        .find((line) => /^ {5}(?!adb)/.test(line))
        ?.trim();
    expect(whereOf(...many.slice(0, 1))).toBe('rack 1, shelf 1: bay 0 (S0)');
    expect(whereOf(...many.slice(5, 7))).toBe(
      'rack 1, shelf 1: bay 5 (S5, Kiosk "north"); rack 1, shelf 2: bay 6 (S6, Kiosk "north")',
    );
    expect(whereOf(...many)).toBe(
      'rack 1, shelf 1: bay 0 (S0), bay 1 (S1), bay 2 (S2), bay 3 (S3), bay 4 (S4), bay 5 (S5); rack 1, shelf 2: bay 6 (S6), bay 7 (S7) and 3 more',
    );
    const { slot: _, ...bare } = many[0] as (typeof many)[number];
    expect(
      whereOf({ ...bare, devpath: '1-4.2' }, phone({ udid: 'T', serial: '10.0.0.7:5555', name: 'Pixel' })),
    ).toBe('USB port 1-4.2 (S0, Kiosk "north"), 10.0.0.7:5555, Pixel');
  });

  it.each([
    [80, 24],
    [200, 50],
  ])('fit a screen of %i columns and %i rows with --problems, however many there are', (width, rows) => {
    const sixty = Array.from({ length: 60 }, (_, index) =>
      phone({
        udid: `U${index}`,
        serial: `SERIAL-${index}`,
        slot: `rack 1, shelf ${index % 6}, bay ${index}`,
      }),
    );
    const causes = sixty.map(({ udid }, index) => ({
      ...cause,
      key: udid,
      udids: sixty.slice(index).map((each) => each.udid),
    }));
    const lines = (count: number) =>
      statusLines(host(sixty, { causes: causes.slice(0, count) }), { width, rows, view: 'problems' });
    expect(lines(60).length).toBeLessThan(rows);
    expect(lines(60).length).toBeGreaterThan(rows - 9);
    expect(
      lines(60).filter((line) => line.startsWith(' ! ')).length +
        Number(/\d+/.exec(lines(60).at(-1) ?? '')?.[0]),
    ).toBe(60);
    expect(lines(60).at(-1)).toMatch(/^… \d+ more problems: hostnode status$/);
    expect(lines(2).join()).not.toContain('more problem');
    expect(lines(60).filter((line) => line.length > width)).toEqual([]);
  });

  it('look with --problems at no more of them than the screen shows: phones that lie can have very many', () => {
    let looks = 0;
    const causes = Array.from({ length: 2_000 }, (_, index) => ({
      ...cause,
      key: String(index),
      get title() {
        looks += 1;
        return 'trouble';
      },
    }));
    const lines = statusLines(host([], { causes }), { width: 80, rows: 24, view: 'problems' });
    expect(lines.at(-1)).toMatch(/^… 19\d\d more problems: hostnode status$/);
    expect(looks).toBeLessThan(48);
  });

  it('say of phones whose state adb cannot say that it is unknown, without old readings', () => {
    const battery = { levelRatio: 1, temperatureCelsius: 28 };
    const text = statusLines(host([phone({ condition: 'unknown', battery, network: 'REACHABLE' })], {}), {
      view: 'all',
    }).join();
    expect(text).toContain('unknown');
    expect(text).not.toMatch(/device|100 %|28|reachable/);
  });

  it('name the code of a finding and how sure it is, and set minor ones apart', () => {
    const finding: Cause = {
      kind: 'finding',
      code: 'PORT_UNSTABLE',
      severity: 'major',
      certainty: 'likely',
      subject: 'port',
      key: 'port',
      title: 'Bay 4 lost 3 phones',
      remedy: 'Replace the cable',
      udids: ['B'],
      since: NOW - 300_000,
    };
    const minor: Cause = {
      ...finding,
      key: 'slow',
      code: 'USB_SLOW',
      severity: 'minor',
      certainty: 'certain',
      title: 'Slow USB',
    };
    expect(statusLines(host(phones, { causes: [finding], notices: [minor] })).slice(1, 9)).toEqual([
      '',
      'Needs attention',
      ' ! Bay 4 lost 3 phones  (PORT_UNSTABLE, likely, for 5 min)',
      '     R58M1',
      '   → Replace the cable',
      '',
      'Notices',
      ' · Slow USB  (USB_SLOW, for 5 min)',
    ]);
  });

  it('put a finding about the host with its problems', () => {
    const power: Cause = {
      kind: 'finding',
      code: 'POWER_CUT',
      severity: 'critical',
      certainty: 'likely',
      subject: 'room',
      key: 'power',
      title: 'The power failed',
      remedy: 'Check the fuse',
      since: NOW,
      udids: ['A'],
    };
    expect(statusLines(host(phones, { causes: [power] })).slice(2, 4)).toEqual([
      'Problems of this host',
      ' ! The power failed  (POWER_CUT, likely, for 0 s)',
    ]);
  });

  it('say how long all is well', () => {
    expect(statusLines(host([phone()], { fineSince: NOW - 86_400_000 }))[0]).toBe(
      'lab-07: 1 phone fine · all fine for 24 h · cloud: reported 12 s ago, next in 48 s · adb 41, up for 1 h',
    );
  });

  it('say what is wrong with the cloud and adb, and not that adb lists nothing while it cannot be asked', () => {
    const lost = {
      address: '127.0.0.1:5037',
      state: 'unreachable' as const,
      since: NOW,
      failure: 'no adb server',
    };
    const failing = { failure: 'HTTP 401', isRejected: true as const, failingSince: NOW - 60_000 };
    expect(statusLines(host([], { adb: lost, reports: failing }))).toEqual([
      'lab-07: no phones · the cloud rejects our reports for 1 min: HTTP 401 · cannot reach adb: no adb server',
    ]);
    const unreached = { failure: 'nothing listens there', failingSince: NOW - 60_000 };
    expect(statusLines(host([], { reports: unreached }))[0]).toContain(
      'cannot report to the cloud for 1 min: nothing listens there',
    );
    const { adb } = host([]);
    const young = host([], {
      adb: { ...adb, state: 'unknown' },
      reports: { notReporting: 'no cloud configured' },
    });
    expect(statusLines(young)).toEqual([
      'lab-07: no phones · not reporting: no cloud configured · adb: no answer yet',
    ]);
    expect(statusLines(host([], { reports: {} }))[0]).toContain('cloud: not reported yet');
  });

  it('have what is wrong with the host apart from the phones, and first', () => {
    const ofHost = { ...cause, key: 'adb', kind: 'adb' as const, title: 'Cannot reach adb', udids: [] };
    const lines = statusLines(host(phones, { counts, bands, causes: [ofHost, cause] }));
    expect(lines[0]).toMatch(/^lab-07: 2 problems with 1 phone · 1 phone fine · /);
    expect(lines.filter((line) => /^\S|^ !/.test(line)).slice(1, 5)).toEqual([
      'Problems of this host',
      ' ! Cannot reach adb  (for 5 min)',
      'Needs attention',
      ' ! Xiaomi is hot  (for 5 min)',
    ]);
  });

  it('say once why adb and the cloud fail', () => {
    const lost = {
      address: '127.0.0.1:5037',
      state: 'unreachable' as const,
      since: NOW - 60_000,
      failure: 'no adb server',
    };
    const reports = { failure: 'HTTP 401', isRejected: true as const, failingSince: NOW - 60_000 };
    const causes = (['adb', 'cloud'] as const).map((kind) => ({
      ...{ ...cause, kind, key: kind, title: kind === 'adb' ? 'no adb server' : 'HTTP 401', udids: [] },
    }));
    const text = statusLines(host([phone()], { adb: lost, reports, causes })).join('\n');
    expect(text).toMatch(
      /^lab-07: 2 problems · 1 phone fine · the cloud rejects our reports for 1 min · cannot reach adb\n/,
    );
    expect(text.match(/HTTP 401|no adb server/g)).toEqual(['no adb server', 'HTTP 401']);
  });

  it('call the host as the configuration does, and as it calls itself', () => {
    const sample = host([phone()]);
    const [head] = statusLines({ ...sample, host: { ...sample.host, name: 'rack-2', hostname: 'lab-07' } });
    expect(head).toMatch(/^rack-2 \(lab-07\): 1 phone fine · /);
  });

  it('colour trouble and what is fine, and nothing where no phone is fine', () => {
    const styleOf = (status: HostStatus, text: string) =>
      styledLines(status, { view: 'all' })
        .flatMap(spansOf)
        .find((span) => span.text === text)?.style;
    const status = host(phones, { counts, bands, causes: [cause] });
    expect(['problem', 'with', 'fine', 'hot'].map((text) => styleOf(status, text))).toEqual([
      'red',
      'red',
      'green',
      'red',
    ]);
    const none = { phones: 1, fine: 0, needsAttention: 0, maintenance: 0, unknown: 1 };
    expect(styleOf(host([phone({ condition: 'unknown' })], { counts: none }), 'fine')).toBe('dim');
  });

  it('show the words of the cloud once, apart from what to do', () => {
    const said = 'the key was revoked in 2025';
    const remedy = 'Check the user name and the API key';
    const failing = {
      failure: 'PUT https://c.d/v1/devices: 401 Unauthorized',
      said,
      remedy,
      isRejected: true as const,
      failingSince: NOW,
    };
    const { command: _, ...rest } = cause;
    const causes = [
      {
        ...rest,
        kind: 'cloud' as const,
        title: `The cloud rejects our reports: ${failing.failure}`,
        said,
        remedy,
      },
    ];
    const lines = statusLines(host([], { reports: failing, causes }));
    expect(lines.slice(0, 6)).toEqual([
      expect.stringContaining('the cloud rejects our reports for 0 s · '),
      '',
      'Problems of this host',
      ' ! The cloud rejects our reports: PUT https://c.d/v1/devices: 401 Unauthorized  (for 5 min)',
      '     the cloud says: the key was revoked in 2025',
      '   → Check the user name and the API key',
    ]);
    expect(lines.join('\n').match(/revoked|401/g)).toEqual(['401', 'revoked']);
  });

  it('ask whether a phone is plugged in where there is none to show', () => {
    expect(statusLines(host([])).slice(1)).toEqual([
      '',
      'No phones. Is a phone plugged in, with USB debugging on?',
    ]);
  });

  it('say what USB shows, while adb lists none', () => {
    const onUsb = (phones: number, withDebugging: number, more = {}) =>
      statusLines(host([], { adb: { ...host([]).adb, onUsb: { phones, withDebugging, ...more } } })).at(-1);
    expect(onUsb(3, 2)).toBe(
      'No phones. USB shows 2 phones with USB debugging on, and adb lists none: hostnode doctor says why',
    );
    expect(onUsb(2, 2, { serverLacksUsb: true })).toBe(
      'No phones. USB shows 2 phones with USB debugging on, and the adb server has no /dev/bus/usb: restart it; if it is in a container, pass it the whole folder',
    );
    expect(onUsb(1, 0)).toBe(
      'No phones. USB shows 1 phone with USB debugging off: switch it on in Settings > Developer options',
    );
  });

  it('let no text of a phone reach the controls of the terminal', () => {
    const text = 'x\x1b[2J\r\ny\u202e';
    const hostile = host([phone({ udid: text, name: text, sign: text, message: text })], {
      causes: [{ ...cause, title: text, remedy: text, command: text }],
      reports: { failure: text },
    });
    expect(statusLines(hostile, { view: 'all' }).join('')).not.toMatch(/[\p{Cc}\u202e]/u);
  });
});
