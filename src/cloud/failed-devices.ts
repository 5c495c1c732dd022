/** Makes the failed devices of an answer presentable, with bounded work: the answer may name any number of them. */
import { hash, randomUUID } from 'node:crypto';
import { LONGEST_IDENTIFIER } from '../base/printable.ts';
import { yieldToLoop } from '../base/time.ts';
import type { FailedDevice } from './contract/report.ts';
import { type Redact, shown } from './failure.ts';
import { SearchBudget } from './hidden-forms.ts';

/** Of the devices that were not sent, the most that are shown with udid and message. */
export const MOST_UNSENT_SHOWN = 10;
/** Of these devices, the most that are kept to be counted. */
export const MOST_UNSENT_KEPT = 20_000;
/** The work to search all texts of one answer for secrets, bytes read. */
const MOST_WORK_AN_ANSWER = 16 * 1024 * 1024;
/** Devices that are only counted, per turn of the event loop. */
const COUNTED_A_TURN = 500;

/** So that nobody can guess an identifier from its hash. */
const salt = randomUUID();

/**
 * The failed devices, each once with its first message, without secrets. Of the devices that were not sent, only the
 * first are shown; the others have a hash as udid and no message. Leaves turns to the event loop.
 *
 * @param sent the udids of the request
 */
export async function presentable(
  failedDevices: readonly FailedDevice[],
  sent: ReadonlySet<string>,
  redact: Redact,
  budget = new SearchBudget(MOST_WORK_AN_ANSWER),
): Promise<FailedDevice[]> {
  const { refused, unsent } = sorted(failedDevices, sent);
  const presented: FailedDevice[] = [];
  const messages = new Map<string, string>(); // many devices are refused with the same words
  const present = async (text: string, limit?: number): Promise<string> => {
    await yieldToLoop();
    return shown(text, redact, limit, budget);
  };
  const messageOf = async (message: string): Promise<string> => {
    const text = messages.get(message) ?? (message === '' ? '' : await present(message));
    messages.set(message, text);
    return text;
  };
  for (const { udid, message } of refused) presented.push({ udid, message: await messageOf(message) });
  for (const { udid, message } of unsent.slice(0, MOST_UNSENT_SHOWN)) {
    // a udid that we did not send is the cloud's own text
    presented.push({ udid: await present(udid, LONGEST_IDENTIFIER), message: await messageOf(message) });
  }
  for (let from = MOST_UNSENT_SHOWN; from < unsent.length; from += COUNTED_A_TURN) {
    await yieldToLoop();
    for (const { udid } of unsent.slice(from, from + COUNTED_A_TURN))
      presented.push({ udid: `sha256-${hash('sha256', salt + udid).slice(0, 32)}`, message: '' });
  }
  return presented;
}

/** The first of each udid, apart for devices that were sent and others. */
function sorted(failedDevices: readonly FailedDevice[], sent: ReadonlySet<string>) {
  const refused = new Map<string, FailedDevice>();
  const unsent = new Map<string, FailedDevice>();
  for (const failed of failedDevices) {
    const group = sent.has(failed.udid) ? refused : unsent;
    const isFull = group === unsent && unsent.size >= MOST_UNSENT_KEPT;
    if (!isFull && !group.has(failed.udid)) group.set(failed.udid, failed);
  }
  return { refused: [...refused.values()], unsent: [...unsent.values()] };
}
