import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Address } from './address.ts';

/** When the panel closes, returns the focus to the element that opened it, else to the phone. */
export function useReturningFocus(address: Address): void {
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
