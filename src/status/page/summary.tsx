import type { ComponentChildren } from 'preact';
import type { AdbStatus, HostStatus, ReportStatus } from '../host-status.ts';
import { useTime } from './clock.ts';
import { Check, Warning, Wrench } from './icons.tsx';
import { Ago, At } from './time.tsx';
import { duration, exactly } from './words.ts';

interface Props {
  status: HostStatus;
  /** Behind the counts. */
  notices: ComponentChildren;
  /** At the end of the line. */
  children: ComponentChildren;
}

/** The host in one line. */
export function Summary({
  status: { host, counts, causes, phones, adb, reports },
  notices,
  children,
}: Props) {
  const drained = phones.filter(({ drain }) => drain).length;
  return (
    <div class="summary">
      <h1 title={`${host.nodeId}, hostnode ${host.version}, running since ${exactly(host.startedAt)}`}>
        {host.name}
        {host.hostname !== undefined && <small> on {host.hostname}</small>}
      </h1>
      {causes.length > 0 && (
        <p class="count trouble">
          <Warning />
          <b>{causes.length}</b> {causes.length === 1 ? 'problem' : 'problems'}
          {counts.needsAttention > 0 && (
            <>
              {' '}
              with <b>{counts.needsAttention}</b> {counts.needsAttention === 1 ? 'phone' : 'phones'}
            </>
          )}
        </p>
      )}
      <p class={counts.fine > 0 ? 'count fine' : 'count none'}>
        {counts.fine > 0 && <Check />}
        <b>{counts.fine}</b> {counts.fine === 1 ? 'phone' : 'phones'} fine
      </p>
      {counts.unknown > 0 && (
        <p class="count">
          <b>{counts.unknown}</b> unknown
        </p>
      )}
      {counts.maintenance > 0 && (
        <p class="count maintenance">
          <Wrench />
          <b>{counts.maintenance}</b> in maintenance
        </p>
      )}
      {drained > 0 && (
        <p class="count">
          <b>{drained}</b> drained
        </p>
      )}
      {notices}
      <Cloud reports={reports} />
      <Adb adb={adb} />
      {children}
    </div>
  );
}

function Cloud({
  reports: { notReporting, failure, failingSince, storedAt, nextAt },
}: {
  reports: ReportStatus;
}) {
  if (notReporting !== undefined) return <p class="state">not reporting: {notReporting}</p>;
  if (failure !== undefined) return <Failing what="cloud: failing" why={failure} since={failingSince} />;
  return (
    <p class="state">
      cloud:{' '}
      {storedAt === undefined ? (
        'nothing reported yet'
      ) : (
        <>
          reported <Ago at={storedAt} />
        </>
      )}
      {nextAt !== undefined && <Next at={nextAt} />}
    </p>
  );
}

const Next = ({ at }: { at: number }) => (
  <>{useTime((now) => (at > now ? `, next in ${duration(at - now)}` : ', now'))}</>
);

function Adb({ adb: { state, address, failure, since } }: { adb: AdbStatus }) {
  if (state === 'unreachable')
    return <Failing what={`adb: cannot reach ${address}`} why={failure} since={since} />;
  if (state === 'unknown') return <p class="state">adb: no answer yet</p>;
  return null;
}

/** What is to be done about it stands below. */
const Failing = ({
  what,
  why,
  since,
}: {
  what: string;
  why: string | undefined;
  since: number | undefined;
}) => (
  <p class="state trouble" title={why}>
    <Warning />
    {what}
    {since !== undefined && (
      <>
        {' '}
        since <At at={since} />
      </>
    )}
  </p>
);
