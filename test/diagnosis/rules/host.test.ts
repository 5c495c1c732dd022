import { expect, it } from 'vitest';
import { evaluatePresent } from '../../../src/diagnosis/evaluate.ts';
import type { HostInput } from '../../../src/diagnosis/rule-input.ts';
import { presentRules } from '../../../src/diagnosis/rules/index.ts';

const NOW = 1_800_000_000_000;

const hostKind = { hasSystemd: true, units: ['hostnode', 'hostnode-adb'], inContainer: false };
const fine: HostInput = {
  adb: { address: '127.0.0.1:5037', state: 'listed', since: NOW - 3_600_000 },
  adbAt: { host: '127.0.0.1', port: 5037, hostKind },
  reports: {},
};

const found = (changes: Partial<HostInput>) =>
  evaluatePresent(presentRules, { phones: [], host: { ...fine, ...changes } }, NOW);

it('finds nothing on a host that reaches adb and cloud', () => {
  expect(found({})).toEqual([]);
});

it.each([
  ['absent', 'systemctl start hostnode-adb'],
  ['silent', 'systemctl restart hostnode-adb'],
  ['closed', 'hostnode doctor'],
] as const)('has for an adb server that is %s the command that helps', (failureKind, command) => {
  const adb = { ...fine.adb, state: 'unreachable', failure: 'it fails', failureKind, since: NOW - 20_000 };
  expect(found({ adb }).map((finding) => finding.command)).toEqual([command]);
});

it('says why the host cannot ask adb or report, but not at the first hiccup', () => {
  const failing = { failure: '401 Unauthorized', said: 'no such user', remedy: 'Check the API key' };
  const after = (ms: number) =>
    found({
      adb: {
        ...fine.adb,
        ...{ state: 'unreachable', failure: 'no adb server at 127.0.0.1:5037', failureKind: 'absent' },
        since: NOW - ms,
      },
      reports: { ...failing, isRejected: true, failingSince: NOW - ms },
    });
  expect(after(14_000)).toEqual([]);
  expect(after(20_000)).toMatchObject([
    {
      code: 'adb',
      severity: 'critical',
      subject: { kind: 'host' },
      title: 'Cannot reach adb: no adb server at 127.0.0.1:5037',
      remedy:
        'Start the lab’s server (systemctl start hostnode-adb), or check adb.host and adb.port; if it ends at once, install another version of adb, then restart this host',
      udids: [],
    },
    {
      code: 'cloud',
      title: 'The cloud rejects our reports: 401 Unauthorized',
      said: 'no such user',
      remedy: 'Check the API key',
      command: 'hostnode doctor',
    },
  ]);
});

it('does not say that a cloud which nobody reached rejects anything', () => {
  const failure = 'PUT https://c.d/v1/devices: nothing listens there (ECONNREFUSED)';
  const [cloud] = found({ reports: { failure, failingSince: NOW - 20_000 } });
  expect(cloud?.title).toBe(`Cannot report to the cloud: ${failure}`);
});

it('says at once what is missing to report', () => {
  const adb = { ...fine.adb, since: NOW };
  expect(found({ adb, reports: { notReporting: 'the API key is missing' } })).toMatchObject([
    { code: 'cloud', title: 'Not reporting: the API key is missing', since: NOW },
  ]);
});

it('says that what happens cannot be written, but not at the first hiccup', () => {
  expect(found({ unwrittenSince: NOW - 14_000 })).toEqual([]);
  expect(found({ unwrittenSince: NOW - 20_000 })).toMatchObject([
    {
      code: 'history',
      severity: 'major',
      subject: { kind: 'host' },
      title: expect.stringMatching(/^Cannot write down what happens/),
      command: 'hostnode doctor',
      since: NOW - 20_000,
    },
  ]);
});
