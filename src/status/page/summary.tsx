import type { AdbStatus, HostStatus, ReportStatus } from '../host-status.ts';
import { type Address, unsorted, writeAddress } from './address.ts';
import { useTime } from './clock.ts';
import { Check, Warning, Wrench } from './icons.tsx';
import { Age, Ago, At } from './time.tsx';
import { duration, exactly } from './words.ts';

const views: readonly { address: Address; word: string }[] = [
  { address: { view: 'rack' }, word: 'Rack' },
  { address: { view: 'table', sort: unsorted, filter: '' }, word: 'Table' },
  { address: { view: 'wall' }, word: 'Wall' },
];

interface Props {
  status: HostStatus;
  view: Address['view'];
}

/** The host in one line. */
export function Summary({ status: { host, counts, adb, reports }, view }: Props) {
  return (
    <div class="summary">
      <h1 title={`${host.nodeId}, hostnode ${host.version}, running since ${exactly(host.startedAt)}`}>
        {host.name}
      </h1>
      <p class={counts.needsAttention > 0 ? 'count trouble' : 'count'}>
        {counts.needsAttention > 0 && <Warning />}
        <b>{counts.needsAttention}</b> need{counts.needsAttention === 1 && 's'} attention
      </p>
      <p class="count fine">
        <Check />
        <b>{counts.fine}</b> fine
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
      <Cloud reports={reports} />
      <Adb adb={adb} />
      {view !== 'wall' && (
        <nav aria-label="View">
          {views.map(({ address, word }) => (
            <a
              key={word}
              href={writeAddress(address)}
              aria-current={address.view === view ? 'page' : undefined}
            >
              {word}
            </a>
          ))}
        </nav>
      )}
    </div>
  );
}

function Cloud({
  reports: { notReporting, failure, failingSince, storedAt, nextAt },
}: {
  reports: ReportStatus;
}) {
  if (notReporting !== undefined) return <p class="state">not reporting: {notReporting}</p>;
  if (failure !== undefined)
    return (
      <p class="state trouble" title={failure}>
        <Warning />
        <span>
          cloud: {failure}
          {failingSince !== undefined && (
            <>
              , since <At at={failingSince} />
            </>
          )}
        </span>
      </p>
    );
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

function Adb({ adb: { state, address, failure, version, since } }: { adb: AdbStatus }) {
  if (state === 'lost')
    return (
      <p class="state trouble" title={failure}>
        <Warning />
        <span>
          adb: lost at {address} since <At at={since} />
        </span>
      </p>
    );
  return (
    <p class="state" title={address}>
      adb{version !== undefined && ` ${version}`}:{' '}
      {state === 'unknown' ? (
        'no answer yet'
      ) : (
        <>
          up for <Age at={since} />
        </>
      )}
    </p>
  );
}
