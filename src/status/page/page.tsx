import { useEffect, useMemo, useState } from 'preact/hooks';
import type { HostStatus } from '../host-status.ts';
import { useAddress } from './address.ts';
import { Announcer } from './announcer.tsx';
import { Causes } from './causes.tsx';
import { Controls, enterFilter, FilterProblems } from './controls.tsx';
import { EmptyState } from './empty-state.tsx';
import { Footer } from './footer.tsx';
import { useHeld, useKeptHeight } from './held.ts';
import { KeyList, useKeys } from './keys.tsx';
import type { Live } from './live.ts';
import { NoticeCount, Notices } from './notices.tsx';
import { PhonePanel } from './phone-panel.tsx';
import { PlacePanel } from './place-panel.tsx';
import { Rack } from './rack.tsx';
import { Stale } from './stale.tsx';
import { Summary } from './summary.tsx';
import { Table } from './table.tsx';
import { useReturningFocus } from './use-returning-focus.ts';
import { useWall } from './wall.ts';

export function Page({ live }: { live: Live }) {
  const { status } = live;
  if (status) return <Shown live={live} status={status} />;
  return (
    <main class="waiting">
      <h1>hostnode</h1>
      <p>{live.lostSince === undefined ? 'connecting…' : 'The agent does not answer. Retrying…'}</p>
    </main>
  );
}

function Shown({ live, status }: { live: Live; status: HostStatus }) {
  const { address, behind, go, change } = useAddress();
  const [isListingKeys, setListingKeys] = useState(false);
  const [isNoticing, setNoticing] = useState(false);
  const { element: phones, isHeld } = useHeld<HTMLDivElement>();
  const top = useKeptHeight<HTMLDivElement>(isHeld);
  const isWall = behind.view === 'wall';
  useWall(isWall);
  useKeys(useMemo(() => (isWall ? {} : { '/': enterFilter, '?': () => setListingKeys(true) }), [isWall]));
  const udid = address.view === 'phone' ? address.udid : undefined;
  useReturningFocus(address);
  const isEmpty = status.phones.length === 0 && status.adb.state === 'listed' && status.causes.length === 0;
  const place = address.view === 'place' ? address.name : undefined;
  const isCovered = useNarrow() && (udid ?? place) !== undefined;

  return (
    <>
      <div class="behind" inert={isCovered}>
        <div ref={top} class="top">
          <header>
            <Summary
              status={status}
              notices={
                isWall || (
                  <NoticeCount
                    notices={status.notices.length}
                    isOpen={isNoticing}
                    onToggle={() => setNoticing(!isNoticing)}
                  />
                )
              }
            >
              {behind.view === 'wall' ? null : (
                <Controls status={status} address={behind} onChange={change} />
              )}
            </Summary>
            {behind.view !== 'wall' && <FilterProblems filter={behind.filter} />}
            <Stale live={live} isWall={isWall} version={status.host.version} />
          </header>
          {isEmpty ? <EmptyState /> : <Causes status={status} isWall={isWall} />}
          {isNoticing && !isWall && status.notices.length > 0 && <Notices status={status} />}
        </div>
        <main ref={phones} class="phones">
          {behind.view === 'table' ? (
            <Table status={status} address={behind} isHeld={isHeld} onChange={change} />
          ) : (
            <Rack
              status={status}
              filter={behind.view === 'rack' ? behind.filter : ''}
              open={udid}
              isWall={isWall}
            />
          )}
        </main>
        {!isWall && <Footer status={status} onKeys={() => setListingKeys(true)} />}
        <Announcer causes={status.causes} />
      </div>
      {udid !== undefined && <PhonePanel key={udid} udid={udid} status={status} onClose={() => go(behind)} />}
      {place !== undefined && (
        <PlacePanel key={place} name={place} status={status} onClose={() => go(behind)} />
      )}
      {isListingKeys && <KeyList onClose={() => setListingKeys(false)} />}
    </>
  );
}

/** True if the panel covers the whole page. */
function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(false);
  useEffect(() => {
    const query = matchMedia('(max-width: 44rem)');
    const look = () => setNarrow(query.matches);
    query.addEventListener('change', look);
    look();
    return () => query.removeEventListener('change', look);
  }, []);
  return isNarrow;
}
