/** The JSON text of an object with long lists in it, written a few elements in each turn of the event loop. */
import { yieldToLoop } from './time.ts';

/** Of the size of what a report says of a phone: a ms or two. */
const ELEMENTS_A_TURN = 50;

/** As `JSON.stringify` writes it; the object and its lists must not change meanwhile. */
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
