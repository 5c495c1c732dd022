/** The host's time, which may differ from the browser's, and values that change with it. */
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

export class Clock {
  #aheadMs = 0;
  readonly #listeners = new Set<() => void>();

  set(hostNow: number): void {
    this.#aheadMs = hostNow - Date.now();
  }

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  start(): void {
    setInterval(() => {
      for (const listener of this.#listeners) listener();
    }, 1000);
  }

  /** @returns removes the listener */
  onSecond(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export const ClockContext = createContext(new Clock());

/** The result of `read`; redraws in the second in which it changes. */
export function useTime<Value extends string | boolean>(read: (now: number) => Value): Value {
  const clock = useContext(ClockContext);
  const value = read(clock.now());
  const [, redraw] = useState(value);
  useEffect(() => clock.onSecond(() => redraw(read(clock.now()))));
  return value;
}
