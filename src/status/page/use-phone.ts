import { useEffect, useRef, useState } from 'preact/hooks';
import type { PhoneDetail } from '../host-status.ts';

export interface Asked {
  phone?: PhoneDetail;
  /** Why there is no phone, or no new data. */
  failure?: string;
}

const ANSWER_MS = 10_000;

/**
 * A phone in full; fetched again when `occasion` changes.
 *
 * @param occasion e.g. the time of the host's newest status
 */
export function usePhone(udid: string, occasion: number): Asked {
  const [asked, setAsked] = useState<Asked>({});
  const isAsking = useRef(false);
  useEffect(() => {
    if (isAsking.current) return; // the next status is another occasion
    isAsking.current = true;
    askPhone(udid).then((answer) => {
      isAsking.current = false;
      setAsked((before) => (answer.phone ? answer : { ...before, ...answer }));
    });
  }, [udid, occasion]);
  return asked;
}

async function askPhone(udid: string): Promise<Asked> {
  try {
    const answer = await fetch(`api/phones/${encodeURIComponent(udid)}`, {
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (answer.ok) return { phone: await answer.json() };
    return {
      failure: answer.status === 404 ? 'This host does not know the phone.' : 'The agent does not answer.',
    };
  } catch {
    return { failure: 'The agent does not answer.' };
  }
}
