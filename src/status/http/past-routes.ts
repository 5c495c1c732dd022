/** Answers from the history: a phone's days, readings and events, and why. The same is asked of the disk once. */
import * as z from 'zod';
import { DAY_MS } from '../../base/calendar.ts';
import type { EventKind } from '../../history/events/event.ts';
import { eventKinds, isEventKind } from '../../history/events/event-groups.ts';
import { HistoryUnavailableError } from '../../history/store/history.ts';
import type { Explains } from '../explainer.ts';
import type { PhonePast } from '../source.ts';
import { type Answer, checked, json, type Routes, refusal } from './app.ts';
import { SharedAnswers } from './shared-answers.ts';

/** The history keeps so many, by default. */
const MOST_DAYS = 90;

export function addPast(app: Routes, past: PhonePast, answers = new SharedAnswers()): void {
  const answer = async (question: unknown[], make: () => Promise<unknown>): Promise<Answer> => {
    const made = answers.get(JSON.stringify(question), async () => JSON.stringify(await make()));
    if (made === undefined)
      return refusal(503, 'too many ask for the past: try again', { 'retry-after': '2' });
    try {
      const text = await made;
      return text === undefined ? refusal(404, 'no phone on this host has this udid') : json(text);
    } catch (error) {
      if (!(error instanceof HistoryUnavailableError)) throw error;
      return refusal(503, `the history does not answer: ${error.message}`);
    }
  };

  app.on('GET', '/api/phones/:udid/uptime', ({ params: { udid = '' } }) =>
    answer(['uptime', udid], () => past.uptime(udid)),
  );

  app.on('GET', '/api/phones/:udid/samples', ({ params: { udid = '' }, query }) => {
    const days = wholeNumber(query.days ?? '1');
    if (days === undefined || days < 1 || days > MOST_DAYS)
      return refusal(400, `days must be a whole number from 1 to ${MOST_DAYS}`);
    return answer(['samples', udid, days], () => past.samples(udid, days));
  });

  app.on('GET', '/api/phones/:udid/events', ({ params: { udid = '' }, query }) => {
    const before = query.before === undefined ? undefined : wholeNumber(query.before);
    if (query.before !== undefined && before === undefined)
      return refusal(400, 'before must be the id of an event, a whole number');
    const kinds = query.kinds === undefined ? undefined : kindsIn(query.kinds);
    if (query.kinds !== undefined && kinds === undefined)
      return refusal(400, `kinds must be some of ${eventKinds.join(',')}`);
    const wanted = { ...(before !== undefined && { before }), ...(kinds && { kinds }) };
    return answer(['events', udid, wanted], () => past.events(udid, wanted));
  });
}

const wholeNumber = (text: string | string[]): number | undefined =>
  typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/** In one order, each once, so that the same question has one answer. */
function kindsIn(text: string | string[]): EventKind[] | undefined {
  const wanted = typeof text === 'string' ? text.split(',') : [''];
  if (!wanted.every(isEventKind)) return undefined;
  return eventKinds.filter((kind) => wanted.includes(kind));
}

/** How far back a timeline goes, and how many entries it has, unless somebody asks for more. */
const WHY_DAYS = 30;
const WHY_ENTRIES = 50;
const MOST_ENTRIES = 1000;
const whyQuery = z.object({
  since: z.coerce.number().min(0).max(8.64e15).exactOptional(),
  limit: z.coerce.number().int().min(1).max(MOST_ENTRIES).exactOptional(),
});

/** @param answers one for all who ask the same within a moment; absent: each asks anew, as after a note */
export function addWhy(app: Routes, explainer: Explains, answers?: SharedAnswers): void {
  app.on('GET', '/api/why/:name', async ({ params: { name = '' }, query }) => {
    const sentence = `why takes since (ms since the epoch) and limit (1 to ${MOST_ENTRIES})`;
    const { since, limit = WHY_ENTRIES } = checked(whyQuery, query, sentence);
    const why = () => explainer.why(name, { since: since ?? Date.now() - WHY_DAYS * DAY_MS, limit });
    if (answers === undefined) return json(await why());
    const question = JSON.stringify(['why', name, since, limit]);
    const answer = answers.get(question, async () => JSON.stringify(await why()));
    if (answer === undefined) return refusal(503, 'too many ask why at once: try again in a moment');
    return json(await answer);
  });
}
