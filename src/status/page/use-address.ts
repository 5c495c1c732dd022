import { useEffect, useState } from 'preact/hooks';
import { type Address, readAddress, writeAddress } from './address.ts';

export interface Addressed {
  address: Address;
  /** What is shown behind the panel of a phone. */
  behind: Exclude<Address, { view: 'phone' }>;
  /** Goes there, as a step of its own in the browser's history. */
  go(address: Address): void;
  /** Is there now: a step aside that the way back leaves out. */
  change(address: Address): void;
}

/** The address, kept true in both directions. */
export function useAddress(): Addressed {
  const [{ address, behind }, setShown] = useState(() => shownAt({ view: 'rack' }));
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
  return { address, behind: address.view === 'phone' ? before : address };
}
