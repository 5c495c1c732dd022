/** The JSON text of an object with long lists in it, written a few elements in each turn of the event loop. */
import { yieldToLoop } from './time.ts';

/** With elements like the phones of a report, this takes 1 to 2 ms. */
const ELEMENTS_A_TURN = 50;

/** As `JSON.stringify`; the object and its lists must not change until the end. */
export async function jsonInTurns(value: object): Promise<string> {
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const text = Array.isArray(member) ? await listInTurns(member) : JSON.stringify(member);
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${members.join(',')}}`;
}

async function listInTurns(list: readonly unknown[]): Promise<string> {
  const elements: string[] = [];
  for (let from = 0; from < list.length; from += ELEMENTS_A_TURN) {
    if (from > 0) await yieldToLoop();
    const some = list.slice(from, from + ELEMENTS_A_TURN);
    elements.push(JSON.stringify(some).slice(1, -1));
  }
  return `[${elements.join(',')}]`;
}
