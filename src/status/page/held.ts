import { useEffect, useRef, useState } from 'preact/hooks';

/** A hand that has not moved for so long is somewhere else, ms. */
const IDLE_MS = 20_000;

/** Whether somebody points at, or types in, an element just now: nothing may move there then. */
export function useHeld<Shown extends HTMLElement>() {
  const element = useRef<Shown>(null);
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const release = () => {
      clearTimeout(timer);
      setHeld(false);
    };
    const hold = () => {
      clearTimeout(timer);
      timer = setTimeout(release, IDLE_MS);
      setHeld(true);
    };
    const removal = new AbortController();
    for (const event of ['pointermove', 'pointerdown', 'keydown', 'focusin'])
      current.addEventListener(event, hold, { signal: removal.signal });
    current.addEventListener('pointerleave', release, { signal: removal.signal });
    return () => {
      clearTimeout(timer);
      removal.abort();
    };
  }, []);
  return { element, isHeld };
}
