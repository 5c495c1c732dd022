/** What needs a hand on this host, one a cause and not a phone. Pure. */
import { adbMends } from '../adb/mend.ts';
import { NO_CLOUD } from '../agent/health.ts';
import { present } from '../present.ts';
import type { Ailment } from './ailments.ts';
import type { AdbStatus, Cause, CauseKind, ReportStatus } from './host-status.ts';

/** A phone that is not in maintenance, and one thing that ails it. */
export interface Ailing extends Ailment {
  udid: string;
  name: string;
  since: number;
  connection: 'usb' | 'tcp' | 'emulator';
  devpath?: string;
}

export interface HostTrouble {
  adb: AdbStatus;
  reports: ReportStatus;
  /** Phones that adb lists. */
  attached: number;
  now: number;
}

/** What goes within so long of each other went together, ms. */
const TOGETHER_MS = 10_000;
/** What may mend itself is no cause before, ms. */
const PATIENCE_MS = 15_000;
/** So many phones do not lose their authorization one by one. */
const MANY = 3;

/** All causes, the oldest first. */
export function causesOf(ailing: readonly Ailing[], host: HostTrouble): Cause[] {
  const [gone, here] = [
    ailing.filter(({ kind }) => kind === 'gone'),
    ailing.filter(({ kind }) => kind !== 'gone'),
  ];
  const causes = [...hostCauses(host), ...goneTogether(gone), ...alike(here, host.attached)];
  return causes.sort((a, b) => a.since - b.since || (a.key < b.key ? -1 : 1));
}

function hostCauses({ adb, reports, now }: HostTrouble): Cause[] {
  const causes: Cause[] = [];
  const isPast = (since: number) => now - since >= PATIENCE_MS;
  if (adb.state !== 'listed' && isPast(adb.since)) {
    const { address, failure, failureKind = 'silent', since } = adb;
    const title = `The adb server cannot be asked: ${failure ?? `${address} has not answered yet`}`;
    causes.push({ key: 'adb', kind: 'adb', title, ...adbMends[failureKind], since, udids: [] });
  }
  const { failure, failingSince, notReporting } = reports;
  if (failure !== undefined && failingSince !== undefined && isPast(failingSince)) {
    causes.push({
      key: 'cloud',
      kind: 'cloud',
      title: 'The cloud does not take reports',
      remedy: failure,
      command: 'hostnode doctor',
      since: failingSince,
      udids: [],
    });
  }
  if (notReporting !== undefined && notReporting !== NO_CLOUD) {
    const remedy = 'Complete the configuration of the cloud; hostnode doctor says where it is looked for';
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

/** Phones that went at one moment have one cause: the hub that they share, or whatever else they share. */
function goneTogether(gone: readonly Ailing[]): Cause[] {
  const causes: Cause[] = [];
  const ways = Map.groupBy(gone, ({ connection, devpath }) => hubOf(devpath) ?? connection);
  for (const [way, phones] of ways) {
    const sorted = phones.toSorted((a, b) => a.since - b.since);
    let together: Ailing[] = [];
    const flush = () => {
      if (together.length > 0) causes.push(goneCause(together, way));
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

function goneCause(phones: readonly Ailing[], way: string): Cause {
  const [first] = phones as [Ailing];
  const common = { kind: 'gone', since: first.since, udids: phones.map(({ udid }) => udid) } as const;
  if (phones.length === 1)
    return { ...common, key: `gone ${first.udid}`, title: `${first.name} is gone`, remedy: first.remedy };
  const isHub = hubOf(first.devpath) === way;
  return {
    ...common,
    key: `gone ${way} ${first.udid}`,
    title: isHub
      ? `${phones.length} phones behind hub ${way} are gone`
      : `${phones.length} phones are gone at once`,
    remedy: isHub
      ? `Check the power and the cable of the hub at USB port ${way}`
      : first.connection === 'tcp'
        ? 'Check the network that they share, then connect them again'
        : 'Check what they share: a hub, a cable, its power',
  };
}

/** The USB port of the hub that a phone hangs on, `1-4` for `1-4.2`; none for a port of the host itself. */
const hubOf = (devpath = ''): string | undefined => /^(.+)\.\d+$/.exec(devpath)?.[1];

/** What a person says of several phones. */
const plural: Readonly<Partial<Record<CauseKind, string>>> = {
  unauthorized: 'phones wait for the USB debugging prompt',
  silent: 'phones do not answer',
  locked: 'phones are locked since they started',
  hot: 'phones are hot',
  storage: 'phones have no storage left',
  refused: 'phones are refused by the cloud',
  network: 'phones have no internet',
};

const singular: Readonly<Partial<Record<CauseKind, string>>> = {
  unauthorized: 'waits for the USB debugging prompt',
  silent: 'does not answer',
  locked: 'is locked since it started',
  hot: 'is hot',
  storage: 'has no storage left',
  refused: 'is refused by the cloud',
  network: 'has no internet',
};

/** Phones that the same helps for are one cause. */
function alike(ailing: readonly Ailing[], attached: number): Cause[] {
  const groups = Map.groupBy(ailing, ({ kind, sign, remedy }) => JSON.stringify([kind, sign, remedy]));
  return [...groups.values()].map((phones) => {
    const [first] = phones as [Ailing, ...Ailing[]];
    const { kind, sign, remedy } = first;
    const isAll = kind === 'unauthorized' && phones.length >= MANY && phones.length === attached;
    return present({
      key: `${kind} ${sign} ${remedy}`,
      kind,
      title: isAll ? `All ${phones.length} phones are unauthorized` : titleOf(phones),
      remedy: isAll
        ? 'Another adb server, with another key, has taken the port: hostnode doctor says whose it is'
        : remedy,
      command: isAll ? 'hostnode doctor' : undefined,
      since: Math.min(...phones.map(({ since }) => since)),
      udids: phones.map(({ udid }) => udid),
    });
  });
}

function titleOf(phones: readonly Ailing[]): string {
  const [{ kind, sign, name }] = phones as [Ailing];
  if (phones.length > 1) return `${phones.length} ${plural[kind] ?? `phones: ${sign}`}`;
  return `${name} ${singular[kind] ?? `: ${sign}`}`.replace(' :', ':');
}
