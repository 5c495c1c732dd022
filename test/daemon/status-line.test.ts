import { describe, expect, it } from 'vitest';
import { type LineView, statusLine as lineAt } from '../../src/daemon/status-line.ts';
import type { FindingCode } from '../../src/diagnosis/finding.ts';

/** @param states of the attached phones: adb's, or `answers`, `silent`, `new` of one that adb calls `device` */
const view = ({
  phones = [],
  ...given
}: Partial<Omit<LineView, 'phones'>> & { phones?: string[] }): LineView => ({
  adb: { state: 'listed' },
  reports: { storedAgoMs: 12_400 },
  phones: [
    ...phones.map((state) => {
      const isOnline = ['answers', 'silent', 'new'].includes(state);
      const device = { attached: true, state: isOnline ? 'device' : state };
      return { device, isSilent: state === 'silent', ...(state === 'answers' && { snapshot: {} }) };
    }),
    { device: { attached: false, state: 'disconnected' }, isSilent: false, snapshot: {} },
  ],
  ...given,
});

const hostKind = { hasSystemd: true, units: ['hostnode', 'hostnode-adb'], inContainer: false };
const statusLine = (view: LineView) => lineAt(view, { host: '127.0.0.1', port: 5037, hostKind });

describe('the status line', () => {
  it('counts the phones that answer, and the others by what adb calls them', () => {
    const phones = ['unauthorized', 'answers', 'answers', 'silent', 'offline', 'offline', 'new'];
    expect(statusLine(view({ phones }))).toBe(
      '7 phones, 2 answer, 1 unauthorized, 1 silent, 2 offline, 1 not collected yet; reported 12 s ago',
    );
    expect(statusLine(view({ phones: ['answers'] }))).toBe('1 phone, 1 answers; reported 12 s ago');
    expect(statusLine(view({}))).toBe('no phones; reported 12 s ago');
  });

  it('names critical findings first, each code once, and no others', () => {
    const critical = (code: FindingCode) => ({ code, severity: 'critical' }) as const;
    const at = { host: '127.0.0.1', port: 5037, hostKind };
    const minor = { code: 'USB_SLOW', severity: 'minor' } as const;
    expect(lineAt(view({}), at, [minor])).toBe('no phones; reported 12 s ago');
    const codes = ['BATTERY_HOT', 'BATTERY_HOT', 'POWER_CUT', 'HUB_LOST', 'ROOM_WARM'] as const;
    expect(lineAt(view({}), at, codes.slice(0, 3).map(critical))).toBe(
      'BATTERY_HOT, POWER_CUT; no phones; reported 12 s ago',
    );
    expect(lineAt(view({}), at, codes.map(critical))).toBe(
      'BATTERY_HOT, POWER_CUT, HUB_LOST and 1 more; no phones; reported 12 s ago',
    );
  });

  it('stays short enough for systemd, whatever states are listed', () => {
    const phones = Array.from({ length: 50 }, (_, index) => `\u{10348}${index}`.repeat(500));
    const line = statusLine(view({ phones }));
    expect(Buffer.byteLength(`WATCHDOG=1\nSTATUS=${line}\n`)).toBeLessThan(4096);
    expect(line).toMatch(/^50 phones, .*; reported 12 s ago$/u);
  });

  it('counts nothing while adb cannot be asked', () => {
    expect(statusLine(view({ adb: { state: 'unknown' }, phones: ['answers'], reports: {} }))).toBe(
      'waiting for the adb server; not reported yet',
    );
  });

  it.each([
    ['absent', 'no adb server at 127.0.0.1:5037', 'systemctl start hostnode-adb'],
    ['silent', 'it did not answer within 5 s', 'systemctl restart hostnode-adb'],
    ['foreign', 'what listens there is not an adb server', 'hostnode doctor'],
  ] as const)(
    'says why adb cannot be asked, and what helps, when it is %s',
    (failureKind, failure, helps) => {
      const adb = { state: 'unreachable', failure, failureKind } as const;
      expect(statusLine(view({ adb, phones: ['answers'] }))).toBe(
        `cannot reach adb: ${failure} (${helps}); reported 12 s ago`,
      );
    },
  );

  it('says why nothing is reported, or no more', () => {
    expect(statusLine(view({ reports: { notReporting: 'no cloud configured' } }))).toBe(
      'no phones; not reporting: no cloud configured',
    );
    const trouble = { failure: '401\nUnauthorized', said: 'who are you?', remedy: 'Check the API key' };
    expect(statusLine(view({ reports: { storedAgoMs: 7_300_000, trouble } }))).toBe(
      'no phones; reported 2 h ago: 401 Unauthorized (Check the API key)',
    );
  });

  it('tells an age in the largest unit of which there is one', () => {
    const ages = [0, 59_999, 60_000, 3_600_000, 172_800_000].map((storedAgoMs) =>
      statusLine(view({ reports: { storedAgoMs } })).replace(/^.*reported /, ''),
    );
    expect(ages).toEqual(['0 s ago', '59 s ago', '1 min ago', '1 h ago', '2 days ago']);
  });
});
