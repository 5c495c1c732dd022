import { describe, expect, it } from 'vitest';
import type { AgentHealth } from '../../src/agent/view.ts';
import { statusLine as lineAt } from '../../src/daemon/status-line.ts';

const health = (given: Partial<AgentHealth>): AgentHealth => ({
  adb: { state: 'listed' },
  phones: [],
  reports: { storedAgoMs: 12_400 },
  ...given,
});

const place = { hasSystemd: true, units: ['hostnode', 'hostnode-adb'], inContainer: false };
const statusLine = (health: AgentHealth) => lineAt(health, { host: '127.0.0.1', port: 5037, place });

describe('the status line', () => {
  it('counts the phones that answer, and the others by what adb calls them', () => {
    const phones = ['unauthorized', 'answers', 'answers', 'silent', 'offline', 'offline'];
    expect(statusLine(health({ phones }))).toBe(
      '6 phones, 2 answer, 1 unauthorized, 1 silent, 2 offline; reported 12 s ago',
    );
    expect(statusLine(health({ phones: ['answers'] }))).toBe('1 phone, 1 answers; reported 12 s ago');
    expect(statusLine(health({}))).toBe('no phones; reported 12 s ago');
  });

  it('stays short enough for systemd, whatever states are listed', () => {
    const phones = Array.from({ length: 50 }, (_, index) => `\u{10348}${index}`.repeat(500));
    const line = statusLine(health({ phones }));
    expect(Buffer.byteLength(`WATCHDOG=1\nSTATUS=${line}\n`)).toBeLessThan(4096);
    expect(line).toMatch(/^50 phones, .*; reported 12 s ago$/u);
  });

  it('counts nothing while adb cannot be asked', () => {
    expect(statusLine(health({ adb: { state: 'unasked' }, phones: ['answers'], reports: {} }))).toBe(
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
      expect(statusLine(health({ adb, phones: ['answers'] }))).toBe(
        `cannot reach adb: ${failure} (${helps}); reported 12 s ago`,
      );
    },
  );

  it('says why nothing is reported, or no more', () => {
    expect(statusLine(health({ reports: { notReporting: 'no cloud configured' } }))).toBe(
      'no phones; not reporting: no cloud configured',
    );
    const trouble = { failure: '401\nUnauthorized', said: 'who are you?', remedy: 'Check the API key' };
    expect(statusLine(health({ reports: { storedAgoMs: 7_300_000, trouble } }))).toBe(
      'no phones; reported 2 h ago: 401 Unauthorized (Check the API key)',
    );
  });

  it('tells an age in the largest unit of which there is one', () => {
    const ages = [0, 59_999, 60_000, 3_600_000, 172_800_000].map((storedAgoMs) =>
      statusLine(health({ reports: { storedAgoMs } })).replace(/^.*reported /, ''),
    );
    expect(ages).toEqual(['0 s ago', '59 s ago', '1 min ago', '1 h ago', '2 days ago']);
  });
});
