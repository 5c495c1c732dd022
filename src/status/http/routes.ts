/** The read-only routes: the page and its data, metrics, health. */
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { DAY_MS } from '../../base/calendar.ts';
import type { Explains } from '../explainer.ts';
import type { StatusSource } from '../source.ts';
import { clientOf } from './client-address.ts';
import { CommandRefusedError } from './commands.ts';
import type { StatusFeed } from './feed.ts';
import { FollowerRoom } from './follower-room.ts';
import type { PageFile } from './page-files.ts';
import type { SharedAnswer } from './shared-answer.ts';
import type { SharedAnswers } from './shared-answers.ts';

export interface Exposition {
  readonly contentType: string;
  text(): Promise<string>;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const NO_AGENT = { error: 'the agent is starting: try again in a moment' };

/** @param parts what else this address serves: the page links to it */
export function addPage(
  app: FastifyInstance,
  files: readonly PageFile[] | undefined,
  parts: readonly string[],
): void {
  if (files === undefined) {
    app.get('/', (_, reply) => reply.code(503).type(TEXT_TYPE).send('built without the page\n'));
    return;
  }
  for (const { path, type, body } of files) {
    const bytes = Buffer.from(path === '/' ? withParts(body, parts) : body); // shared by all requests
    app.get(path, (_, reply) => reply.header('cache-control', 'no-cache').type(type).send(bytes));
  }
}

const withParts = (document: string, parts: readonly string[]): string =>
  document.replace(/(<meta name="parts" content=")[^"]{0,99}/, `$1${parts.join(' ')}`);

/** How far back a timeline goes, and how many entries it has, unless somebody asks for more. */
const WHY_DAYS = 30;
const WHY_ENTRIES = 50;
const MOST_ENTRIES = 1000;
const whyQuery = z.object({
  since: z.coerce.number().min(0).max(8.64e15).exactOptional(),
  limit: z.coerce.number().int().min(1).max(MOST_ENTRIES).exactOptional(),
});

/** A browser opens one per tab; more than this from one client is a mistake. */
export const MOST_FOLLOWERS_OF_ONE = 50;

export function addData(
  app: FastifyInstance,
  source: StatusSource,
  feed: StatusFeed,
  room = new FollowerRoom({ most: MOST_FOLLOWERS_OF_ONE, mostPerClient: MOST_FOLLOWERS_OF_ONE }),
): void {
  app.get('/api/status', (_, reply) => {
    const { text } = feed;
    return text === undefined ? reply.code(503).send(NO_AGENT) : reply.type(JSON_TYPE).send(text);
  });

  app.get<{ Params: { udid: string } }>('/api/phones/:udid', async ({ params: { udid } }, reply) => {
    const phone = await feed.phone(udid);
    if (phone !== undefined) return reply.type(JSON_TYPE).send(phone);
    return source.status() === undefined
      ? reply.code(503).send(NO_AGENT)
      : reply.code(404).send({ error: 'no phone on this host has this udid' });
  });

  app.head('/api/events', (_, reply) => reply.type('text/event-stream').send());
  app.get('/api/events', { exposeHeadRoute: false }, ({ ip }, reply) => {
    // behind an unanswered request it would take a place and receive nothing
    if (reply.raw.socket === null || reply.raw.destroyed)
      return reply.code(503).send({ error: 'follow the status on a connection of its own' });
    if (!room.admit(reply.raw, clientOf(ip)))
      return reply.code(503).send({ error: 'too many clients follow the status already' });
    reply.header('content-type', 'text/event-stream').hijack();
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    reply.raw.flushHeaders();
    feed.follow(reply.raw);
  });
}

/** @param answers one for all who ask the same within a moment; absent: each asks anew, as after a note */
export function addWhy(app: FastifyInstance, explainer: Explains, answers?: SharedAnswers): void {
  app.get<{ Params: { name: string }; Querystring: unknown }>(
    '/api/why/:name',
    async ({ params: { name }, query }, reply) => {
      const { data } = whyQuery.safeParse(query);
      if (data === undefined)
        throw new CommandRefusedError(
          `why takes since (ms since the epoch) and limit (1 to ${MOST_ENTRIES})`,
          400,
        );
      const { since, limit = WHY_ENTRIES } = data;
      const ask = () => explainer.why(name, { since: since ?? Date.now() - WHY_DAYS * DAY_MS, limit });
      if (answers === undefined) return ask();
      const answer = answers.get(JSON.stringify(['why', name, since, limit]), ask);
      if (answer === undefined)
        throw new CommandRefusedError('too many ask why at once: try again in a moment', 503);
      return reply.type(JSON_TYPE).send(await answer);
    },
  );
}

/** @param text the metrics, shared by all requests */
export function addMetrics(app: FastifyInstance, { contentType }: Exposition, text: SharedAnswer): void {
  app.get('/metrics', async (_, reply) => reply.type(contentType).send(await text.get()));
}

/** Healthy: the agent makes progress. Ready: adb has listed its phones. Neither depends on the cloud. */
export function addHealth(app: FastifyInstance, source: StatusSource): void {
  app.get('/healthz', (_, reply) =>
    source.isProgressing
      ? reply.type(TEXT_TYPE).send('ok\n')
      : reply.code(503).type(TEXT_TYPE).send('the agent hangs\n'),
  );
  app.get('/readyz', (_, reply) => {
    const state = source.status()?.adb.state ?? 'unknown';
    return state === 'listed'
      ? reply.type(TEXT_TYPE).send('ok\n')
      : reply.code(503).type(TEXT_TYPE).send(`adb: ${state}\n`);
  });
}
