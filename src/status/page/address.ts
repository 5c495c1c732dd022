/** The view in the fragment of the URL, so that a person can paste it into a ticket. */
import { useEffect, useState } from 'preact/hooks';

export type Address =
  | { view: 'rack'; filter: string }
  | { view: 'wall' }
  | { view: 'table'; sort: Sort; filter: string }
  | { view: 'phone'; udid: string }
  /** A slot, a shelf or a hub. */
  | { view: 'place'; name: string };

export interface Sort {
  column: string;
  isDescending: boolean;
}

export const unsorted: Sort = { column: 'slot', isDescending: false };

/** @param hash `#table?sort=-battery&filter=hot`; the default, also for an invalid fragment, is the rack */
export function readAddress(hash: string): Address {
  const [, view, name = '', query] = /^#?([^?/]*)\/?([^?]*)\??(.*)$/s.exec(hash) ?? [];
  if (view === 'wall') return { view };
  if (view === 'phone' && name !== '') return { view, udid: decoded(name) };
  if (view === 'place' && name !== '') return { view, name: decoded(name) };
  const asked = new URLSearchParams(query);
  const filter = asked.get('filter') ?? '';
  if (view !== 'table') return { view: 'rack', filter: view === 'rack' ? filter : '' };
  const sort = asked.get('sort') || unsorted.column;
  return {
    view,
    sort: { column: sort.replace(/^-/, ''), isDescending: sort.startsWith('-') },
    filter,
  };
}

/** @returns with its `#`, even for the rack, so that it works as a link */
export function writeAddress(address: Address): string {
  if (address.view === 'wall') return '#wall';
  if (address.view === 'phone') return `#phone/${encodeURIComponent(address.udid)}`;
  if (address.view === 'place') return `#place/${encodeURIComponent(address.name)}`;
  const { view, filter } = address;
  const sort = view === 'table' ? address.sort : unsorted;
  const asked = new URLSearchParams();
  if (sort.column !== unsorted.column || sort.isDescending)
    asked.set('sort', `${sort.isDescending ? '-' : ''}${sort.column}`);
  if (filter !== '') asked.set('filter', filter);
  if (asked.size > 0) return `#${view}?${asked}`;
  return view === 'table' ? '#table' : '#';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a person typed a lone percent sign
  }
}

type Panel = Extract<Address, { view: 'phone' | 'place' }>;
/** The view behind the panel. */
type Behind = Exclude<Address, Panel>;

export function useAddress() {
  const [{ address, behind }, setShown] = useState(() => shownAt({ view: 'rack', filter: '' }));
  useEffect(() => {
    const follow = () => setShown(({ behind }) => shownAt(behind));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return {
    address,
    behind,
    /** Adds an entry to the browser's history. */
    go: (next: Address) => {
      location.hash = writeAddress(next);
    },
    /** Replaces the current entry of the browser's history. */
    change: (next: Address) => {
      history.replaceState(null, '', writeAddress(next));
      setShown(({ behind }) => shownAt(behind));
    },
  };
}

function shownAt(before: Behind): { address: Address; behind: Behind } {
  const address = readAddress(location.hash);
  return { address, behind: isPanel(address) ? before : address };
}

const isPanel = (address: Address): address is Panel => address.view === 'phone' || address.view === 'place';
