/** What can be read: the page and its data, metrics, health. */
import type { FastifyInstance } from 'fastify';
import type { StatusFeed } from './feed.ts';
import type { PageFile } from './page-files.ts';
import type { StatusSource } from './source.ts';

/** Metrics as a scraper reads them. */
export interface Exposition {
  readonly contentType: string;
  text(): Promise<string>;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const NO_AGENT = { error: 'the agent is starting: ask again in a moment' };

export function addPage(app: FastifyInstance, files: readonly PageFile[] | undefined): void {
  if (files === undefined) {
    app.get('/', (_, reply) => reply.code(503).type(TEXT_TYPE).send('built without the page\n'));
    return;
  }
  for (const { path, type, body } of files)
    app.get(path, (_, reply) => reply.header('cache-control', 'no-cache').type(type).send(body));
}

export function addData(app: FastifyInstance, source: StatusSource, feed: StatusFeed): void {
  app.get('/api/status', (_, reply) => {
    const { text } = feed;
    return text === undefined ? reply.code(503).send(NO_AGENT) : reply.type(JSON_TYPE).send(text);
  });

  app.get<{ Params: { udid: string } }>('/api/phones/:udid', ({ params: { udid } }, reply) => {
    const phone = source.phone(udid);
    if (phone !== undefined) return reply.send(phone);
    return source.status() === undefined
      ? reply.code(503).send(NO_AGENT)
      : reply.code(404).send({ error: 'no phone of this host has this udid' });
  });

  app.head('/api/events', (_, reply) => reply.type('text/event-stream').send());
  app.get('/api/events', { exposeHeadRoute: false }, (_, reply) => {
    if (feed.isFull) return reply.code(503).send({ error: 'too many follow already' });
    reply.header('content-type', 'text/event-stream').hijack();
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    reply.raw.flushHeaders();
    feed.follow(reply.raw);
  });
}

export function addMetrics(app: FastifyInstance, metrics: Exposition): void {
  app.get('/metrics', async (_, reply) => reply.type(metrics.contentType).send(await metrics.text()));
}

/** Health: the agent makes progress. Ready: adb has listed its phones. The cloud has no part in either. */
export function addHealth(app: FastifyInstance, source: StatusSource): void {
  app.get('/healthz', (_, reply) =>
    source.isProgressing
      ? reply.type(TEXT_TYPE).send('ok\n')
      : reply.code(503).type(TEXT_TYPE).send('the agent hangs\n'),
  );
  app.get('/readyz', (_, reply) => {
    const state = source.status()?.adb.state ?? 'unasked';
    return state === 'listed'
      ? reply.type(TEXT_TYPE).send('ok\n')
      : reply.code(503).type(TEXT_TYPE).send(`adb: ${state}\n`);
  });
}
