import { useEffect, useRef } from 'preact/hooks';

/** Flashes an element once when `value` changes; respects prefers-reduced-motion. */
export function useFlash<Shown extends HTMLElement>(value: string) {
  const element = useRef<Shown>(null);
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    element.current?.animate([{ outlineColor: 'currentColor' }, { outlineColor: 'transparent' }], {
      id: 'flash',
      duration: 1500,
    });
  }, [value]);
  return element;
}
