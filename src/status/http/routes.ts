/** All routes of the status server: the page and its data, the past, metrics, health; and the commands, for the Unix socket. */
import * as z from 'zod';
import { DAY_MS } from '../../base/calendar.ts';
import { eventKinds } from '../../history/events/event.ts';
import { HistoryUnavailableError } from '../../history/store/history.ts';
import { MOST_NOTE, MOST_WRITER } from '../commands.ts';
import type { Commands } from '../control-api.ts';
import type { PhonePast } from '../phone-past.ts';
import type { StatusSource } from '../status-model.ts';
import { type Answer, type AppRequest, checked, json, type Route, refusal, text } from './app.ts';
import { clientOf } from './client-address.ts';
import type { StatusFeed } from './feed.ts';
import { type SharedAnswers, TooManyAskError } from './shared-answers.ts';

const STARTING = refusal(503, 'the agent is starting: try again in a moment');
const UNKNOWN_PHONE = refusal(404, 'no phone on this host has this udid');

export interface PageFile {
  /** Its URL path: `/`, `/assets/page.js`. */
  path: string;
  type: string;
  body: string;
}

/**
 * @param files absent when run from the sources
 * @param parts what else this address serves: the page links to it
 */
export function pageRoutes(files: readonly PageFile[] | undefined, parts: readonly string[]): Route[] {
  if (files === undefined) return [['GET', '/', () => text('built without the page\n', 503)]];
  return files.map(({ path, type, body }) => {
    const answer = {
      status: 200,
      headers: { 'cache-control': 'no-cache', 'content-type': type },
      body: Buffer.from(path === '/' ? withParts(body, parts) : body), // shared by all requests
    };
    return ['GET', path, () => answer];
  });
}

const withParts = (document: string, parts: readonly string[]): string =>
  document.replace(/(<meta name="parts" content=")[^"]{0,99}/, `$1${parts.join(' ')}`);

export function dataRoutes(source: StatusSource, feed: StatusFeed): Route[] {
  const phone = async ({ params: { udid = '' } }: AppRequest) => {
    const found = await feed.phone(udid);
    if (found !== undefined) return json(found);
    return source.status() === undefined ? STARTING : UNKNOWN_PHONE;
  };
  return [
    ['GET', '/api/status', () => (feed.text === undefined ? STARTING : json(feed.text))],
    ['GET', '/api/phones/:udid', phone],
    [
      'GET',
      '/api/events',
      ({ raw: { method, socket } }, response) => {
        if (method === 'HEAD')
          return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: '' };
        // behind an unanswered request it would take a place and receive nothing
        if (response.socket === null || response.destroyed)
          return refusal(503, 'follow the status on a connection of its own');
        if (feed.follow(response, clientOf(socket.remoteAddress))) return undefined;
        return refusal(503, 'too many clients follow the status already');
      },
    ],
  ];
}

/** The history keeps so many, by default. */
const MOST_DAYS = 90;
/** How far back a timeline goes, and how many entries it has, unless somebody asks for more. */
const WHY_DAYS = 30;
const WHY_ENTRIES = 50;
const MOST_ENTRIES = 1000;

const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

const daysQuery = z.object({ days: wholeNumber.pipe(z.number().min(1).max(MOST_DAYS)).default(1) });
const beforeQuery = z.object({ before: wholeNumber.exactOptional() });
/** In one order, each once, so that the same question has one answer. */
const kindsQuery = z.object({
  kinds: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(eventKinds)))
    .transform((wanted) => eventKinds.filter((kind) => wanted.includes(kind)))
    .exactOptional(),
});

const whyQuery = z.object({
  since: z.coerce.number().min(0).max(8.64e15).exactOptional(),
  limit: z.coerce.number().int().min(1).max(MOST_ENTRIES).exactOptional(),
});

const moment = wholeNumber.pipe(z.number().max(8.64e15));
const verdictQuery = z
  .object({ from: moment, to: moment.exactOptional() })
  .refine(({ from, to = Date.now() }) => from < to && to - from <= MOST_DAYS * DAY_MS);
const VERDICT = `verdict takes from and to (ms since the epoch; to: now), from before to, at most ${MOST_DAYS} days apart`;

/**
 * Answers from the history: a phone's days, readings and events, and why something is so.
 *
 * @param answers the same is asked of the disk once
 */
export function pastRoutes(
  past: PhonePast,
  commands: Pick<Commands, 'why' | 'verdict'>,
  answers: SharedAnswers,
): Route[] {
  const answer = async (
    { raw: { socket } }: AppRequest,
    question: unknown[],
    make: () => Promise<unknown>,
  ): Promise<Answer> => {
    const text = async () => JSON.stringify(await make());
    try {
      const found = await answers.get(JSON.stringify(question), text, clientOf(socket.remoteAddress));
      return found === undefined ? UNKNOWN_PHONE : json(found);
    } catch (error) {
      if (error instanceof TooManyAskError) return refusal(503, error.message, { 'retry-after': '2' });
      if (!(error instanceof HistoryUnavailableError)) throw error;
      return refusal(503, `the history does not answer: ${error.message}`);
    }
  };
  const samples = (request: AppRequest) => {
    const { udid = '' } = request.params;
    const { days } = checked(daysQuery, request.query, `days must be a whole number from 1 to ${MOST_DAYS}`);
    return answer(request, ['samples', udid, days], () => past.samples(udid, days));
  };
  const events = (request: AppRequest) => {
    const {
      params: { udid = '' },
      query,
    } = request;
    const wanted = {
      ...checked(beforeQuery, query, 'before must be the id of an event, a whole number'),
      ...checked(kindsQuery, query, `kinds must be some of ${eventKinds.join(',')}`),
    };
    return answer(request, ['events', udid, wanted], () => past.events(udid, wanted));
  };
  const why = (request: AppRequest) => {
    const { name = '' } = request.params;
    const sentence = `why takes since (ms since the epoch) and limit (1 to ${MOST_ENTRIES})`;
    const { since, limit = WHY_ENTRIES } = checked(whyQuery, request.query, sentence);
    const wanted = { since: since ?? Date.now() - WHY_DAYS * DAY_MS, limit };
    return answer(request, ['why', name, since, limit], () => commands.why(name, wanted));
  };
  const verdict = (request: AppRequest) => {
    const { name = '' } = request.params;
    const { from, to = Date.now() } = checked(verdictQuery, request.query, VERDICT);
    return answer(request, ['verdict', name, from, to], () => commands.verdict(name, { from, to }));
  };
  return [
    [
      'GET',
      '/api/phones/:udid/uptime',
      (request) => {
        const { udid = '' } = request.params;
        return answer(request, ['uptime', udid], () => past.uptime(udid));
      },
    ],
    ['GET', '/api/phones/:udid/samples', samples],
    ['GET', '/api/phones/:udid/events', events],
    ['GET', '/api/why/:name', why],
    ['GET', '/api/verdict/:name', verdict],
  ];
}

export interface Exposition {
  readonly contentType: string;
  text(): Promise<string>;
}

/** @param answers the metrics are one text for all requests within a moment */
export function metricsRoutes(metrics: Exposition, answers: SharedAnswers): Route[] {
  const exposed = async () => {
    const body = await answers.get('metrics', () => metrics.text());
    if (body === undefined) throw new Error('the metrics have no text');
    return { status: 200, headers: { 'content-type': metrics.contentType }, body };
  };
  return [['GET', '/metrics', exposed]];
}

/** Healthy: the agent makes progress. Ready: adb has listed its phones. Neither depends on the cloud. */
export function healthRoutes(source: StatusSource): Route[] {
  const ready = () => {
    const state = source.status()?.adb.state ?? 'unknown';
    return state === 'listed' ? text('ok\n') : text(`adb: ${state}\n`, 503);
  };
  return [
    ['GET', '/healthz', () => (source.isProgressing ? text('ok\n') : text('the agent hangs\n', 503))],
    ['GET', '/readyz', ready],
  ];
}

const by = z.string().max(MOST_WRITER).exactOptional();

const maintenanceBody = z.strictObject({
  until: z.number().int(),
  reason: z.string().trim().min(1).max(300),
  by,
});

const drainBody = z.strictObject({
  until: z.number().int().exactOptional(),
  reason: z.string().trim().max(300).exactOptional(),
  by,
});

const whoBody = z.strictObject({ by }).default({});
const endDrainBody = z.strictObject({ by, isForAll: z.boolean().exactOptional() }).default({});

const noteBody = z.strictObject({
  text: z
    .string()
    .trim()
    .min(1)
    .refine((text) => [...text].length <= MOST_NOTE),
  by,
});

const historyQuery = z.object({
  since: z.coerce.number().min(0).max(8.64e15),
  before: z.coerce.number().int().min(1).exactOptional(),
});

const MAINTENANCE =
  'maintenance needs {"until": ms since the epoch, "reason": text of 1 to 300 characters}, and takes "by": who begins it';
const DRAIN =
  'a drain takes {"until": ms since the epoch, "reason": text of at most 300 characters, "by": who begins it}';
const WHO = 'this takes {"by": who does it, at most 100 characters}, or no body';
const END_DRAIN = 'the end of a drain takes {"by": who ends it, "isForAll": true or false}, or no body';
const NOTE = `a note needs {"text": 1 to ${MOST_NOTE} characters, "by": who wrote it, at most 100 characters}`;
const HISTORY = 'history takes since (ms since the epoch) and before (id of an event)';

/** @param changed is called after each command that may have changed something */
export function commandRoutes(commands: Commands, changed: () => void): Route[] {
  const asked = (run: (name: string, request: AppRequest) => unknown) => async (request: AppRequest) =>
    json(await run(request.params.name ?? '', request));
  const changing = (run: (name: string, request: AppRequest) => Promise<unknown>) =>
    asked((name, request) => run(name, request).finally(changed));
  return [
    ['POST', '/report', changing(() => commands.report())],
    ['POST', '/phones/:name/forget', changing(async (name) => ({ udid: await commands.forget(name) }))],
    [
      'POST',
      '/phones/:name/maintenance',
      changing(async (name, request) => {
        const wanted = checked(maintenanceBody, await request.body(), MAINTENANCE);
        return { phones: await commands.maintain(name, wanted) };
      }),
    ],
    [
      'DELETE',
      '/phones/:name/maintenance',
      changing(async (name, request) => {
        const { by } = checked(whoBody, await request.body(), WHO);
        return { phones: await commands.endMaintenance(name, by) };
      }),
    ],
    [
      'POST',
      '/phones/:name/drain',
      changing(async (name, request) => {
        const wanted = checked(drainBody, (await request.body()) ?? {}, DRAIN);
        return { phones: await commands.drain(name, wanted) };
      }),
    ],
    [
      'DELETE',
      '/phones/:name/drain',
      changing(async (name, request) => {
        const wanted = checked(endDrainBody, await request.body(), END_DRAIN);
        return { phones: await commands.endDrain(name, wanted) };
      }),
    ],
    ['GET', '/phones/:name/bookings', asked((name) => commands.bookings(name))],
    [
      'DELETE',
      '/phones/:name/reservation',
      changing(async (name, request) => {
        const { by } = checked(whoBody, await request.body(), WHO);
        return { phones: await commands.endReservations(name, by) };
      }),
    ],
    ['GET', '/drain', asked(() => commands.drains())],
    [
      'POST',
      '/notes/:name',
      changing(async (name, request) => commands.note(name, checked(noteBody, await request.body(), NOTE))),
    ],
    ['GET', '/maintenance', asked(() => commands.maintenances())],
    ['GET', '/phones/:name/maintenance', asked((name) => ({ phones: commands.maintainable(name) }))],
    ['GET', '/history', asked((_, { query }) => commands.history(checked(historyQuery, query, HISTORY)))],
  ];
}
