import { useEffect, useRef, useState } from 'preact/hooks';

export interface Asked<Answer> {
  answer?: Answer;
  /** Why there is none, or no newer one. */
  failure?: 'unknown' | 'silent';
}

const ANSWER_MS = 10_000;

/**
 * The host's answer at an address; asked for again when `occasion` changes.
 *
 * @param path undefined asks for nothing
 * @param occasion e.g. the time of the host's newest status
 */
export function useAnswer<Answer>(path: string | undefined, occasion: unknown): Asked<Answer> {
  const [asked, setAsked] = useState<Asked<Answer> & { path?: string }>({});
  const asking = useRef<string>(undefined);
  /** An occasion came while we asked: the answer may be from before it. */
  const isDue = useRef(false);
  useEffect(() => {
    isDue.current = true;
    if (path === undefined || asking.current === path) return;
    asking.current = path;
    const askWhileDue = async () => {
      while (isDue.current) {
        isDue.current = false;
        const given = await ask<Answer>(path);
        if (asking.current !== path) return;
        setAsked((before) =>
          given.failure && before.path === path ? { ...before, ...given } : { path, ...given },
        );
      }
      asking.current = undefined;
    };
    void askWhileDue();
  }, [path, occasion]);
  return asked.path === path ? asked : {};
}

/** Never rejects. */
export async function ask<Answer>(path: string): Promise<Asked<Answer>> {
  try {
    const answer = await fetch(path, { signal: AbortSignal.timeout(ANSWER_MS) });
    if (answer.ok) return { answer: await answer.json() };
    return { failure: answer.status === 404 ? 'unknown' : 'silent' };
  } catch {
    return { failure: 'silent' };
  }
}

/** Changes every ten seconds, and with each of the values: for what need not follow each status. */
export const eachMoment = (now: number, ...values: readonly unknown[]): string =>
  JSON.stringify([Math.floor(now / 10_000), ...values]);

export const eachHour = (now: number): number => Math.floor(now / 3_600_000);
