/** The read-only routes: the page and its data, metrics, health. */
import type { StatusSource } from '../source.ts';
import { json, type Routes, refusal, text } from './app.ts';
import { clientOf } from './client-address.ts';
import type { StatusFeed } from './feed.ts';
import type { PageFile } from './page-files.ts';
import type { SharedAnswers } from './shared-answers.ts';

export interface Exposition {
  readonly contentType: string;
  text(): Promise<string>;
}

const STARTING = refusal(503, 'the agent is starting: try again in a moment');

/** @param parts what else this address serves: the page links to it */
export function addPage(app: Routes, files: readonly PageFile[] | undefined, parts: readonly string[]): void {
  if (files === undefined) {
    app.on('GET', '/', () => text('built without the page\n', 503));
    return;
  }
  for (const { path, type, body } of files) {
    const answer = {
      status: 200,
      headers: { 'cache-control': 'no-cache', 'content-type': type },
      body: Buffer.from(path === '/' ? withParts(body, parts) : body), // shared by all requests
    };
    app.on('GET', path, () => answer);
  }
}

const withParts = (document: string, parts: readonly string[]): string =>
  document.replace(/(<meta name="parts" content=")[^"]{0,99}/, `$1${parts.join(' ')}`);

export function addData(app: Routes, source: StatusSource, feed: StatusFeed): void {
  app.on('GET', '/api/status', () => (feed.text === undefined ? STARTING : json(feed.text)));

  app.on('GET', '/api/phones/:udid', async ({ params: { udid = '' } }) => {
    const phone = await feed.phone(udid);
    if (phone !== undefined) return json(phone);
    return source.status() === undefined ? STARTING : refusal(404, 'no phone on this host has this udid');
  });

  app.on('GET', '/api/events', ({ raw: { method, socket } }, response) => {
    if (method === 'HEAD') return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: '' };
    // behind an unanswered request it would take a place and receive nothing
    if (response.socket === null || response.destroyed)
      return refusal(503, 'follow the status on a connection of its own');
    if (feed.follow(response, clientOf(socket.remoteAddress))) return undefined;
    return refusal(503, 'too many clients follow the status already');
  });
}

/** @param answers the metrics are one text for all requests within a moment */
export function addMetrics(app: Routes, metrics: Exposition, answers: SharedAnswers): void {
  app.on('GET', '/metrics', async () => {
    const body = await answers.get('metrics', () => metrics.text());
    if (body === undefined) throw new Error('the metrics have no text');
    return { status: 200, headers: { 'content-type': metrics.contentType }, body };
  });
}

/** Healthy: the agent makes progress. Ready: adb has listed its phones. Neither depends on the cloud. */
export function addHealth(app: Routes, source: StatusSource): void {
  app.on('GET', '/healthz', () => (source.isProgressing ? text('ok\n') : text('the agent hangs\n', 503)));
  app.on('GET', '/readyz', () => {
    const state = source.status()?.adb.state ?? 'unknown';
    return state === 'listed' ? text('ok\n') : text(`adb: ${state}\n`, 503);
  });
}
