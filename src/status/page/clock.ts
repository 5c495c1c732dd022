/** Time as the host has it, which may differ from the browser's, and what changes because it passes. */
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

export class Clock {
  #aheadMs = 0;
  readonly #listeners = new Set<() => void>();

  /** The host says what time it is. */
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

  /** @returns ends that */
  onSecond(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export const ClockContext = createContext(new Clock());

/** What `read` makes of the time; drawn again in the second in which that changes. */
export function useTime<Value extends string | boolean>(read: (now: number) => Value): Value {
  const clock = useContext(ClockContext);
  const value = read(clock.now());
  const [, redraw] = useState(value);
  useEffect(() => clock.onSecond(() => redraw(read(clock.now()))));
  return value;
}
