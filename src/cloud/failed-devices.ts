/** Makes the failed devices of an answer presentable. The answer may name any number of them. */
import { LONGEST_IDENTIFIER } from '../base/printable.ts';
import { yieldToLoop } from '../base/time.ts';
import type { FailedDevice } from './contract/report.ts';
import { type Redact, shown } from './redaction.ts';

/** Of the devices that were not sent, the most that are kept to be counted. */
export const MOST_UNSENT_KEPT = 20_000;
/** Devices per turn of the event loop. */
const DEVICES_A_TURN = 20;

/**
 * The failed devices, each once with its first message, as printable lines without secrets. Leaves turns to the event
 * loop.
 *
 * @param sent the udids of the request
 */
export async function presentable(
  failedDevices: readonly FailedDevice[],
  sent: ReadonlySet<string>,
  redact: Redact,
): Promise<FailedDevice[]> {
  const messages = new Map<string, string>();
  let unsent = 0;
  for (const { udid, message } of failedDevices) {
    if (messages.has(udid)) continue;
    if (!sent.has(udid)) unsent += 1;
    if (sent.has(udid) || unsent <= MOST_UNSENT_KEPT) messages.set(udid, message);
  }
  const presented: FailedDevice[] = [];
  for (const [udid, message] of messages) {
    if (presented.length % DEVICES_A_TURN === 0) await yieldToLoop();
    presented.push({
      // a udid that we did not send is the cloud's own text
      udid: sent.has(udid) ? udid : shown(udid, redact, LONGEST_IDENTIFIER),
      message: shown(message, redact),
    });
  }
  return presented;
}
