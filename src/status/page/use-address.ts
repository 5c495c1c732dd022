import { useEffect, useState } from 'preact/hooks';
import { type Address, readAddress, writeAddress } from './address.ts';

export interface Addressed {
  address: Address;
  /** The view behind the panel. */
  behind: Exclude<Address, { view: 'phone' | 'place' }>;
  /** Goes there and adds an entry to the browser's history. */
  go(address: Address): void;
  /** Replaces the current entry of the browser's history. */
  change(address: Address): void;
}

/** The address; follows the URL and updates it. */
export function useAddress(): Addressed {
  const [{ address, behind }, setShown] = useState(() => shownAt({ view: 'rack', filter: '' }));
  useEffect(() => {
    const follow = () => setShown(({ behind }) => shownAt(behind));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return {
    address,
    behind,
    go: (next) => {
      location.hash = writeAddress(next);
    },
    change: (next) => {
      history.replaceState(null, '', writeAddress(next));
      setShown(({ behind }) => shownAt(behind));
    },
  };
}

function shownAt(before: Addressed['behind']): Pick<Addressed, 'address' | 'behind'> {
  const address = readAddress(location.hash);
  return { address, behind: isPanel(address) ? before : address };
}

const isPanel = (address: Address): address is Extract<Address, { view: 'phone' | 'place' }> =>
  address.view === 'phone' || address.view === 'place';
