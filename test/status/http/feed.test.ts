import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HostStatus } from '../../../src/status/host-status.ts';
import { type StatusFeed, statusFeed } from '../../../src/status/http/feed.ts';
import { host, phone, SampleSource } from '../../support/sample-status.ts';

/** More than the buffers between two processes hold. */
const LARGE = 8_000_000;

let source: SampleSource;
let server: Server;
/** The server's ends of the connections, in the order in which they came. */
let openSockets: Socket[];
beforeEach(() => {
  source = new SampleSource(host([phone()]));
  openSockets = [];
});
afterEach(() => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});

async function serve(renewMs: number): Promise<{ feed: StatusFeed; connect(): Promise<IncomingMessage> }> {
  const feed = statusFeed(source, { freshMs: 50, renewMs });
  server = createServer((_, response) => feed.follow(response)).listen(0, '127.0.0.1');
  server.on('connection', (socket) => openSockets.push(socket));
  await once(server, 'listening');
  const connect = async () => {
    const [response] = await once(get({ ...(server.address() as object), agent: false }), 'response');
    return response;
  };
  return { feed, connect };
}

/** Of so many bytes, told apart by its name. */
const large = (name: string): HostStatus => host([phone({ name, message: 'x'.repeat(LARGE) })]);

/** Reads on until a status by this name has come; the names on the way. */
async function namesUpTo(last: string, response: IncomingMessage): Promise<string[]> {
  let text = '';
  for await (const part of response.setEncoding('utf8')) {
    text += part;
    const names = [...text.matchAll(/"name":"(\w+)","connection"/g)].map(([, name = '']) => name);
    if (names.includes(last)) return names;
  }
  throw new Error('it ended');
}

describe('StatusFeed', () => {
  it('sends signs of life where nothing changes, and nothing of a status where there is none', async () => {
    source.current = undefined;
    const { connect } = await serve(20);
    const response = await connect();
    const [part] = await once(response.setEncoding('utf8'), 'data');
    expect(part).toMatch(/^(: alive\n\n)+$/);
    response.destroy();
  });

  it('spares a slow reader what is overtaken, and gives it the newest', async () => {
    const { connect } = await serve(60_000);
    source.current = large('first');
    const response = await connect();
    response.pause();
    for (const name of ['second', 'third', 'fourth', 'last']) source.change(large(name));
    expect(await namesUpTo('last', response)).toEqual(['first', 'last']);
    response.destroy();
  });

  it('makes one text for all who ask within a moment', async () => {
    const { feed } = await serve(60_000);
    const before = source.asked;
    const texts = Array.from({ length: 20 }, () => feed.text);
    expect(new Set(texts).size).toBe(1);
    expect(source.asked - before).toBe(1);
  });
});
