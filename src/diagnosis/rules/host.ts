/** What keeps the host from its work: it cannot reach adb, cannot report, or cannot write. */
import { adbRemedyOf } from '../../adb/remedy.ts';
import type { Rule } from '../rule.ts';

/** It may clear by itself, ms. */
const SETTLES_MS = 15_000;
const DOCTOR = 'hostnode doctor';

export const adb: Rule = {
  code: 'adb',
  severity: 'critical',
  settleMs: SETTLES_MS,
  evaluate: ({ now: { host } }) => {
    if (host === undefined || host.adb.state === 'listed') return undefined;
    const { address, failure, failureKind = 'silent', since } = host.adb;
    const title = `Cannot reach adb: ${failure ?? `${address} has not answered yet`}`;
    return { subject: { kind: 'host' }, title, ...adbRemedyOf(failureKind, host.adbAt), since };
  },
};

export const cloud: Rule = {
  code: 'cloud',
  severity: 'critical',
  settleMs: SETTLES_MS,
  evaluate: ({ now: { host } }) => {
    const { failure, said, remedy, isRejected, failingSince, notReporting } = host?.reports ?? {};
    if (host !== undefined && notReporting !== undefined)
      return {
        subject: { kind: 'host' },
        title: `Not reporting: ${notReporting}`,
        remedy: 'Complete the configuration of the cloud; hostnode doctor says where it looks',
        command: DOCTOR,
        since: host.adb.since,
        settleMs: 0,
      };
    if (failure === undefined || failingSince === undefined) return undefined;
    return {
      subject: { kind: 'host' },
      title: `${isRejected ? 'The cloud rejects our reports' : 'Cannot report to the cloud'}: ${failure}`,
      remedy: remedy ?? 'Run hostnode doctor: it checks the way to the cloud',
      command: DOCTOR,
      since: failingSince,
      ...(said !== undefined && { said }),
    };
  },
};

/** A full disk, most often; what happens waits in memory. */
export const history: Rule = {
  code: 'history',
  severity: 'major',
  settleMs: SETTLES_MS,
  evaluate: ({ now: { host } }) =>
    host?.unwrittenSince === undefined
      ? undefined
      : {
          subject: { kind: 'host' },
          title: 'Cannot write down what happens: hostnode why and hostnode verdict do not know of it',
          remedy: 'Free space on the disk of the state directory, and see that hostnode may write there',
          command: DOCTOR,
          since: host.unwrittenSince,
        },
};
