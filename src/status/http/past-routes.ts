/** What is kept of a phone's past: days, readings, events. Each comes from the disk, so the same is asked once. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { EventKind } from '../../diagnosis/events/event.ts';
import { eventKinds, isEventKind } from '../../diagnosis/events/event-groups.ts';
import { HistoryUnavailableError } from '../../diagnosis/store/port.ts';
import type { PhonePast } from '../source.ts';
import { SharedAnswers } from './shared-answers.ts';

/** The history keeps so many, by default. */
const MOST_DAYS = 90;

type Asked = { Params: { udid: string }; Querystring: Record<string, string | string[]> };

export function addPast(app: FastifyInstance, past: PhonePast, answers = new SharedAnswers()): void {
  const answer = async (reply: FastifyReply, question: unknown[], make: () => Promise<unknown>) => {
    const made = answers.get(JSON.stringify(question), make);
    if (made === undefined)
      return reply
        .code(503)
        .header('retry-after', '2')
        .send({ error: 'too many ask for the past: try again' });
    const text = await made.catch((error: unknown) => {
      if (error instanceof HistoryUnavailableError) return error;
      throw error;
    });
    if (text instanceof Error)
      return reply.code(503).send({ error: `the history does not answer: ${text.message}` });
    if (text === undefined) return reply.code(404).send({ error: 'no phone on this host has this udid' });
    return reply.type('application/json; charset=utf-8').send(text);
  };

  app.get<Asked>('/api/phones/:udid/uptime', ({ params: { udid } }, reply) =>
    answer(reply, ['uptime', udid], () => past.uptime(udid)),
  );

  app.get<Asked>('/api/phones/:udid/samples', ({ params: { udid }, query }, reply) => {
    const days = wholeNumber(query.days ?? '1');
    if (days === undefined || days < 1 || days > MOST_DAYS)
      return reply.code(400).send({ error: `days must be a whole number from 1 to ${MOST_DAYS}` });
    return answer(reply, ['samples', udid, days], () => past.samples(udid, days));
  });

  app.get<Asked>('/api/phones/:udid/events', ({ params: { udid }, query }, reply) => {
    const before = query.before === undefined ? undefined : wholeNumber(query.before);
    if (query.before !== undefined && before === undefined)
      return reply.code(400).send({ error: 'before must be the id of an event, a whole number' });
    const kinds = query.kinds === undefined ? undefined : kindsIn(query.kinds);
    if (query.kinds !== undefined && kinds === undefined)
      return reply.code(400).send({ error: `kinds must be some of ${eventKinds.join(',')}` });
    const asked = { ...(before !== undefined && { before }), ...(kinds && { kinds }) };
    return answer(reply, ['events', udid, asked], () => past.events(udid, asked));
  });
}

const wholeNumber = (text: string | string[]): number | undefined =>
  typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/** In one order, each once, so that the same question has one answer. */
function kindsIn(text: string | string[]): EventKind[] | undefined {
  const asked = typeof text === 'string' ? text.split(',') : [''];
  if (!asked.every(isEventKind)) return undefined;
  return eventKinds.filter((kind) => asked.includes(kind));
}
