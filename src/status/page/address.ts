/** The view in the fragment of the URL, so that a person can paste it into a ticket. Pure. */

export type Address =
  | { view: 'rack'; filter: string }
  | { view: 'wall' }
  | { view: 'table'; sort: Sort; filter: string }
  | { view: 'phone'; udid: string }
  /** A slot, a shelf or a hub. */
  | { view: 'place'; name: string };

export interface Sort {
  /** The key of a column. */
  column: string;
  isDescending: boolean;
}

/** Rack order. */
export const unsorted: Sort = { column: 'slot', isDescending: false };

/** @param hash `#table?sort=-battery&filter=hot`; the default, also for an invalid fragment, is the rack */
export function readAddress(hash: string): Address {
  const [path = '', query = ''] = splitOnce(hash.replace(/^#/, ''), '?');
  const [view, name = ''] = splitOnce(path, '/');
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

function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a person typed a lone percent sign
  }
}
