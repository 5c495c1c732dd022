import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Idle time after which we release the rows, ms. */
const IDLE_MS = 20_000;

/** True while a person points at or types in an element: nothing may move there then. */
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

/** An element that keeps its height while what stands below is held. */
export function useKeptHeight<Shown extends HTMLElement>(isHeld: boolean) {
  const element = useRef<Shown>(null);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null || !isHeld) return;
    current.style.height = `${current.getBoundingClientRect().height}px`;
    return () => {
      current.style.height = '';
    };
  }, [isHeld]);
  return element;
}
