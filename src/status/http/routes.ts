/** All routes of the status server: the page and its data, the past, metrics, health; and the commands, for the Unix socket. */
import * as z from 'zod';
import { DAY_MS } from '../../base/calendar.ts';
import { printable } from '../../base/printable.ts';
import { eventKinds } from '../../history/events/event.ts';
import { MOST_NOTE, MOST_WRITER } from '../commands.ts';
import type { Commands } from '../control-api.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { PhonePast } from '../phone-past.ts';
import type { StatusSource } from '../status-model.ts';
import { type AppRequest, checked, json, type Route, refusal, text } from './app.ts';
import { clientOf } from './client-address.ts';
import type { StatusFeed } from './feed.ts';
import type { SharedAnswers } from './shared-answers.ts';

const STARTING = refusal(503, 'the agent is starting: try again in a moment');
const UNKNOWN_PHONE = refusal(404, 'no phone on this host has this udid');

export interface PageFile {
  /** Its URL path: `/`, `/assets/page.js`. */
  path: string;
  type: string;
  body: string;
}

/** As it is sent: its text is not kept too. */
export type ServedFile = Omit<PageFile, 'body'> & { body: Buffer };

export const servedFile = (file: PageFile): ServedFile => ({ ...file, body: Buffer.from(file.body) });

/**
 * @param files absent when run from the sources
 * @param parts what else this address serves: the page links to it
 */
export function pageRoutes(files: readonly ServedFile[] | undefined, parts: readonly string[]): Route[] {
  if (files === undefined) return [['GET', '/', () => text('built without the page\n', 503)]];
  return files.map(({ path, type, body }) => {
    const answer = {
      status: 200,
      headers: { 'cache-control': 'no-cache', 'content-type': type },
      body: path === '/' ? withParts(body, parts) : body, // shared by all requests
    };
    return ['GET', path, () => answer];
  });
}

const withParts = (document: Buffer, parts: readonly string[]): Buffer =>
  Buffer.from(String(document).replace(/(<meta name="parts" content=")[^"]{0,99}/, `$1${parts.join(' ')}`));

export function dataRoutes(feed: StatusFeed): Route[] {
  return [
    ['GET', '/api/status', () => (feed.text === undefined ? STARTING : json(feed.text))],
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

/** ms since the epoch, as far as a `Date` goes. */
const moment = z.coerce.number().int().min(0).max(8.64e15);
const eventId = z.coerce.number().int().min(1).exactOptional();

const daysQuery = z.object({ days: z.coerce.number().int().min(1).max(MOST_DAYS).default(1) });
const eventsQuery = z.object({
  before: eventId,
  /** In one order, each once, so that the same question has one answer. */
  kinds: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(eventKinds)))
    .transform((wanted) => eventKinds.filter((kind) => wanted.includes(kind)))
    .meta({ allowed: `some of ${eventKinds.join(',')}` })
    .exactOptional(),
});

const whyQuery = z.object({
  since: moment.exactOptional(),
  limit: z.coerce.number().int().min(1).max(MOST_ENTRIES).default(WHY_ENTRIES),
});
const verdictQuery = z
  .object({ from: moment, to: moment.exactOptional() })
  .refine(({ from, to = Date.now() }) => from < to && to - from <= MOST_DAYS * DAY_MS, {
    error: `verdict takes from and to (ms since the epoch; to: now), from before to, at most ${MOST_DAYS} days apart`,
  });

/**
 * Answers from the history: a phone with its last day, its days, readings and events, and why something is so.
 *
 * @param answers the same is asked of the disk once
 */
export function pastRoutes(
  source: StatusSource,
  past: PhonePast,
  commands: Pick<Commands, 'why' | 'verdict'>,
  answers: SharedAnswers,
): Route[] {
  /** `question` and `make` follow from the name of a phone or a place, and from what is asked of it. */
  const route = (
    path: string,
    read: (name: string, query: AppRequest['query']) => readonly [unknown, () => Promise<unknown>],
  ): Route => [
    'GET',
    path,
    async ({ params: { name = '' }, query, raw: { socket } }) => {
      const [question, make] = read(name, query);
      const made = async () => JSON.stringify(await make());
      const key = JSON.stringify([path, name, question]);
      const found = await answers(key, made, clientOf(socket.remoteAddress));
      if (found !== undefined) return json(found);
      return source.status() === undefined ? STARTING : UNKNOWN_PHONE;
    },
  ];
  return [
    route('/api/phones/:name', (udid) => [undefined, () => source.phone(udid)]),
    route('/api/phones/:name/uptime', (udid) => [undefined, () => past.uptime(udid)]),
    route('/api/phones/:name/samples', (udid, query) => {
      const { days } = checked(daysQuery, query);
      return [days, () => past.samples(udid, days)];
    }),
    route('/api/phones/:name/events', (udid, query) => {
      const wanted = checked(eventsQuery, query);
      return [wanted, () => past.events(udid, wanted)];
    }),
    route('/api/why/:name', (name, query) => {
      const wanted = checked(whyQuery, query);
      const { since = Date.now() - WHY_DAYS * DAY_MS, limit } = wanted;
      return [wanted, () => commands.why(name, { since, limit })];
    }),
    route('/api/verdict/:name', (name, query) => {
      const { from, to = Date.now() } = checked(verdictQuery, query);
      return [[from, to], () => commands.verdict(name, { from, to })];
    }),
  ];
}

export type Exposition = Pick<Metrics, 'contentType' | 'text'>;

/** @param answers the metrics are one text for all requests within a moment */
export function metricsRoutes(metrics: Exposition, answers: SharedAnswers): Route[] {
  const exposed = async () => {
    const body = (await answers('metrics', () => metrics.text())) ?? '';
    return { status: 200, headers: { 'content-type': metrics.contentType }, body };
  };
  return [['GET', '/metrics', exposed]];
}

/** Healthy: the agent makes progress. Ready: adb has listed its phones. Neither depends on the cloud. */
export function healthRoutes(source: StatusSource): Route[] {
  const healthy = (isWell: boolean, otherwise: string) =>
    isWell ? text('ok\n') : text(`${otherwise}\n`, 503);
  const adb = () => source.status()?.adb.state ?? 'unknown';
  return [
    ['GET', '/healthz', () => healthy(source.isProgressing, 'the agent hangs')],
    ['GET', '/readyz', () => healthy(adb() === 'listed', `adb: ${adb()}`)],
  ];
}

/** What a person says, printable, in so many characters. */
const said = (least: number, most: number) =>
  z
    .string()
    .transform((text) => printable(text, 2 * most + 2))
    .refine((text) => [...text].length >= least && [...text].length <= most)
    .meta({ allowed: `${least} to ${most} characters` });
const writer = said(0, MOST_WRITER);
/** A comma parts the names of people. */
const drainer = writer.transform((name) => name.replaceAll(',', ' ')).exactOptional();
const until = z.number().int().meta({ allowed: 'ms since the epoch' });

const taking = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape).meta({ allowed: `an object with ${Object.keys(shape).join(', ')}` });
const maintenanceBody = taking({ until, reason: said(1, 300), by: writer.exactOptional() });
const drainBody = taking({
  until: until.exactOptional(),
  reason: said(0, 300).exactOptional(),
  by: drainer,
});
const endBody = taking({ by: drainer, isForAll: z.boolean().exactOptional() });
const noteBody = taking({ text: said(1, MOST_NOTE), by: writer.exactOptional() });
const historyQuery = z.object({ since: moment, before: eventId });

/** @param changed is called after each command that may have changed something */
export function commandRoutes(commands: Commands, changed: () => void): Route[] {
  const asked = (run: (name: string, request: AppRequest) => unknown) => async (request: AppRequest) =>
    json(await run(request.params.name ?? '', request));
  const changing = (run: (name: string, request: AppRequest) => Promise<unknown>) =>
    asked((name, request) => run(name, request).finally(changed));
  const given = <T>(schema: z.ZodType<T>, run: (name: string, body: T) => Promise<unknown>) =>
    changing(async (name, request) => run(name, checked(schema, (await request.body()) ?? {})));
  const planning = <T>(schema: z.ZodType<T>, run: (name: string, body: T) => Promise<readonly object[]>) =>
    given(schema, async (name, wanted) => ({ phones: await run(name, wanted) }));
  const maintenance = '/phones/:name/maintenance';
  const drain = '/phones/:name/drain';
  return [
    ['POST', '/report', changing(() => commands.report())],
    ['POST', '/phones/:name/forget', changing(async (name) => ({ udid: await commands.forget(name) }))],
    ['POST', '/notes/:name', given(noteBody, (name, note) => commands.note(name, note))],
    ['GET', '/history', asked((_, { query }) => commands.history(checked(historyQuery, query)))],
    ['GET', '/maintenance', asked(() => commands.list('maintenance'))],
    ['POST', maintenance, planning(maintenanceBody, (name, wanted) => commands.maintain(name, wanted))],
    ['DELETE', maintenance, planning(endBody, (name, who) => commands.end('maintenance', name, who))],
    ['GET', '/drain', asked(() => commands.list('drain'))],
    ['POST', drain, planning(drainBody, (name, wanted) => commands.drain(name, wanted))],
    ['DELETE', drain, planning(endBody, (name, who) => commands.end('drain', name, who))],
    ['GET', '/phones/:name/bookings', asked((name) => commands.bookings(name))],
    [
      'DELETE',
      '/phones/:name/reservation',
      planning(endBody, (name, { by }) => commands.endReservations(name, by)),
    ],
  ];
}
