import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Cause, type HostStatus, isOneThere } from '../host-status.ts';
import { type Address, useAddress } from './address.ts';
import { Causes } from './causes.tsx';
import { Controls, enterFilter, FilterProblems } from './controls.tsx';
import { CopyButton } from './copy-button.tsx';
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
import { ARROW_KEYS } from './walk.ts';
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
  useWall(isWall, status.phones.map(({ udid, condition }) => `${udid} ${condition}`).join());
  useKeys(
    useMemo(
      () =>
        isWall
          ? {}
          : {
              '/': enterFilter,
              '?': () => setListingKeys(true),
              ...Object.fromEntries(ARROW_KEYS.map((key) => [key, enterRack])),
            },
      [isWall],
    ),
  );
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
          {status.adb.onUsb && <p class="on-usb">adb lists no phone. {isOneThere(status.adb.onUsb)}</p>}
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

/** The first arrow key goes to the first phone. */
function enterRack(): boolean {
  const first = document.querySelector<HTMLElement>('a.tile[tabindex="0"]');
  if (document.activeElement !== document.body || first === null) return false;
  first.focus();
  return true;
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

/** Announces to screen readers only what newly needs attention. */
function Announcer({ causes }: { causes: readonly Cause[] }) {
  const known = useRef(new Set(causes.map(({ key }) => key)));
  const [news, setNews] = useState('');
  useEffect(() => {
    const fresh = causes.filter(({ key }) => !known.current.has(key));
    known.current = new Set(causes.map(({ key }) => key));
    if (fresh.length > 0) setNews(fresh.map(({ title, remedy }) => `${title}. ${remedy}`).join(' '));
  }, [causes]);
  return (
    <p class="unseen" aria-live="polite">
      {news}
    </p>
  );
}

/** What to do while no phone was ever seen. */
function EmptyState() {
  const doctor = 'hostnode doctor';
  return (
    <section class="empty-state" aria-labelledby="no-phones">
      <h2 id="no-phones">No phones yet</h2>
      <ol>
        <li>On the phone, open Settings, Developer options, and switch on USB debugging.</li>
        <li>Plug the phone into this host, with a cable that carries data.</li>
        <li>Unlock the phone, and accept the USB debugging prompt.</li>
      </ol>
      <p>
        It appears here within seconds. If it does not, run <code>{doctor}</code>{' '}
        <CopyButton word="copy" label={`Copy command: ${doctor}`} text={doctor} />
      </p>
    </section>
  );
}

/** When the panel closes, returns the focus to the element that opened it, else to the phone. */
function useReturningFocus(address: Address): void {
  const opened = useRef<{ udid: string; by: Element | null }>(undefined);
  const udid = address.view === 'phone' ? address.udid : address.view === 'place' ? '' : undefined;
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (udid !== undefined) {
      // a link in the panel led to this one, and went with it
      const by = activeElement === document.body ? (opened.current?.by ?? null) : activeElement;
      opened.current = { udid, by };
    } else if (opened.current) {
      const { by, udid } = opened.current;
      const isThere = by instanceof HTMLElement && by.isConnected && by !== document.body;
      const back = isThere ? by : document.querySelector<HTMLElement>(`[data-udid="${CSS.escape(udid)}"]`);
      back?.focus();
      opened.current = undefined;
    }
  }, [udid]);
}
