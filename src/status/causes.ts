/** What needs attention on this host: one entry per cause, not per phone. Pure. */
import { type AdbAt, adbRemedyOf } from '../adb/remedy.ts';
import { NO_CLOUD } from '../agent/cloud-health.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { hubOf } from '../diagnosis/events/where.ts';
import type { AdbStatus, Cause, CauseKind, PhoneStatus, ReportStatus } from './host-status.ts';
import type { PhoneProblem } from './phone-problems.ts';
import { byUrgency } from './severity.ts';

/** A phone outside maintenance, with one of its problems. */
export interface AffectedPhone
  extends PhoneProblem,
    Pick<PhoneStatus, 'udid' | 'name' | 'since' | 'connection' | 'devpath'> {}

export interface HostCondition {
  adb: AdbStatus;
  adbAt: AdbAt;
  reports: ReportStatus;
  /** Phones that adb lists. */
  attached: number;
  now: number;
}

/** Phones that went, or came back, within this time did so together, ms. */
export const TOGETHER_MS = 10_000;
/** A fault of the host becomes a cause only after this time: it may clear by itself, ms. */
const PATIENCE_MS = 15_000;
/** This many phones do not lose their authorization independently. */
const MANY = 3;

/** All causes: those of the host first, then by severity, then newest first. */
export function causesOf(phones: readonly AffectedPhone[], host: HostCondition): Cause[] {
  const [unplugged, here] = [
    phones.filter(({ kind }) => kind === 'unplugged'),
    phones.filter(({ kind }) => kind !== 'unplugged'),
  ];
  const causes = [...hostCauses(host), ...unpluggedTogether(unplugged), ...alike(here, host.attached)];
  return causes.sort(byUrgency);
}

function hostCauses({ adb, adbAt, reports, now }: HostCondition): Cause[] {
  const causes: Cause[] = [];
  const isPast = (since: number) => now - since >= PATIENCE_MS;
  if (adb.state !== 'listed' && isPast(adb.since)) {
    const { address, failure, failureKind = 'silent', since } = adb;
    const title = `Cannot reach adb: ${failure ?? `${address} has not answered yet`}`;
    causes.push({ key: 'adb', kind: 'adb', title, ...adbRemedyOf(failureKind, adbAt), since, udids: [] });
  }
  const { failure, said, remedy, isRejected, failingSince, notReporting } = reports;
  if (failure !== undefined && failingSince !== undefined && isPast(failingSince)) {
    causes.push(
      omitUndefined({
        key: 'cloud',
        kind: 'cloud' as const,
        title: `${isRejected ? 'The cloud rejects our reports' : 'Cannot report to the cloud'}: ${failure}`,
        said,
        remedy: remedy ?? 'Run hostnode doctor: it checks the way to the cloud',
        command: 'hostnode doctor',
        since: failingSince,
        udids: [],
      }),
    );
  }
  if (notReporting !== undefined && notReporting !== NO_CLOUD) {
    const remedy = 'Complete the configuration of the cloud; hostnode doctor says where it looks';
    causes.push({
      key: 'not reporting',
      kind: 'cloud',
      title: `Not reporting: ${notReporting}`,
      remedy,
      command: 'hostnode doctor',
      since: adb.since,
      udids: [],
    });
  }
  return causes;
}

/** Phones that are unplugged at the same moment have one cause, such as a shared hub. */
function unpluggedTogether(unplugged: readonly AffectedPhone[]): Cause[] {
  const causes: Cause[] = [];
  const groups = Map.groupBy(unplugged, ({ connection, devpath }) => hubOf(devpath ?? '') ?? connection);
  for (const [shared, phones] of groups) {
    const sorted = phones.toSorted((a, b) => a.since - b.since);
    let together: AffectedPhone[] = [];
    const flush = () => {
      if (together.length > 0) causes.push(unpluggedCause(together, shared));
      together = [];
    };
    for (const phone of sorted) {
      const before = together.at(-1);
      if (before && phone.since - before.since > TOGETHER_MS) flush();
      together.push(phone);
    }
    flush();
  }
  return causes;
}

function unpluggedCause(phones: readonly AffectedPhone[], shared: string): Cause {
  const [first] = phones as [AffectedPhone];
  const common = { kind: 'unplugged', since: first.since, udids: phones.map(({ udid }) => udid) } as const;
  if (phones.length === 1)
    return {
      ...common,
      key: `unplugged ${first.udid}`,
      title: `${first.name} is unplugged`,
      remedy: first.remedy,
    };
  const isHub = hubOf(first.devpath ?? '') === shared;
  return {
    ...common,
    key: `unplugged ${shared} ${first.udid}`,
    title: isHub
      ? `${phones.length} phones behind hub ${shared} are unplugged`
      : `${phones.length} phones were unplugged at once`,
    remedy: isHub
      ? `Check the power and the cable of the hub at USB port ${shared}`
      : first.connection === 'tcp'
        ? 'Check their network, then connect them again'
        : 'Check what they share: a hub, a cable, the power',
  };
}

const plural: Readonly<Partial<Record<CauseKind, string>>> = {
  unauthorized: 'phones wait for the USB debugging prompt',
  silent: 'phones do not answer',
  locked: 'phones are locked since boot',
  hot: 'phones are hot',
  storage: 'phones have no storage left',
  refused: 'phones are rejected by the cloud',
  network: 'phones have no internet',
};

const singular: Readonly<Partial<Record<CauseKind, string>>> = {
  unauthorized: 'waits for the USB debugging prompt',
  silent: 'does not answer',
  locked: 'is locked since boot',
  hot: 'is hot',
  storage: 'has no storage left',
  refused: 'is rejected by the cloud',
  network: 'has no internet',
};

/** Phones with the same remedy form one cause; rejected ones, if the cloud says the same about them. */
function alike(phones: readonly AffectedPhone[], attached: number): Cause[] {
  const groups = Map.groupBy(phones, ({ kind, sign, said, remedy }) =>
    JSON.stringify([kind, sign, said, remedy]),
  );
  return [...groups.values()].map((group) => {
    const [first] = group as [AffectedPhone, ...AffectedPhone[]];
    const { kind, sign, said, remedy } = first;
    const isAll = kind === 'unauthorized' && group.length >= MANY && group.length === attached;
    return omitUndefined({
      key: [kind, sign, said, remedy].filter(Boolean).join(' '),
      kind,
      title: isAll ? `All ${group.length} phones are unauthorized` : titleOf(group),
      said,
      remedy: isAll ? 'Run hostnode doctor: another adb server, with another key, holds the port' : remedy,
      command: isAll ? 'hostnode doctor' : undefined,
      since: Math.min(...group.map(({ since }) => since)),
      udids: group.map(({ udid }) => udid),
    });
  });
}

function titleOf(phones: readonly AffectedPhone[]): string {
  const [{ kind, sign, name }] = phones as [AffectedPhone];
  if (phones.length > 1) return `${phones.length} ${plural[kind] ?? `phones: ${sign}`}`;
  return `${name} ${singular[kind] ?? `: ${sign}`}`.replace(' :', ':');
}
