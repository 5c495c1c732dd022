import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../src/config/secret.ts';
import { createLogger } from '../../src/log.ts';
import type { Commands } from '../../src/status/commands.ts';
import { WrongGuesses } from '../../src/status/guesses.ts';
import { StatusServer } from '../../src/status/server.ts';
import { chromiumPath, describeWithChromium } from '../page/describe-with-chromium.ts';
import { host, phone, SampleSource } from '../status/sample-status.ts';
import { attempts, frame } from './stranger.ts';

const notHere = (): never => {
  throw new Error('not in this test');
};
const commands: Commands = {
  report: notHere,
  forget: notHere,
  maintenances: notHere,
  maintain: notHere,
  endMaintenance: notHere,
};

/** The status server on a free port of 127.0.0.1; its address. */
async function serve(password?: string): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'hostnode-http-'));
  const listening = Promise.withResolvers<URL>();
  const server = new StatusServer({
    config: {
      listeners: [{ address: '127.0.0.1', port: 0, parts: ['page', 'metrics', 'health'] }],
      hostNames: [],
      ...(password !== undefined && { password: new Secret(password) }),
    },
    socketPath: join(folder, 'hostnode.sock'),
    source: new SampleSource(host([phone({ name: 'a name that is nobody else’s business' })])),
    commands,
    log: createLogger({
      level: 'info',
      format: 'json',
      destination: (line) => {
        const { url } = JSON.parse(line);
        if (url !== undefined) listening.resolve(new URL(url));
      },
    }).logger,
  });
  onTestFinished(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });
  await server.start();
  return listening.promise;
}

const dial = (url: URL): Socket => {
  const socket = connect(Number(url.port), url.hostname)
    .setEncoding('utf8')
    .on('error', () => {});
  onTestFinished(() => {
    socket.destroy();
  });
  return socket;
};

/** All that comes back for these bytes until the server hangs up. */
async function say(url: URL, text: string): Promise<string> {
  const socket = dial(url);
  socket.write(text);
  let heard = '';
  for await (const part of socket) heard += part;
  return heard;
}

const statusesOf = (text: string): string[] =>
  text.match(/^HTTP\/1\.1 \d+/gm)?.map((line) => line.slice(9)) ?? [];

describe('the status server among strangers', { timeout: 60_000 }, () => {
  it.each([
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 5\r\n\r\n'],
    ['a length and chunks', 'Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG'],
    ['chunks by another name', 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['a header over two lines', 'X: a\r\n b\r\n\r\n'],
    ['a header without a name', ': a\r\n\r\n'],
    ['a bare line feed', 'X: a\nY: b\r\n\r\n'],
    ['a length that is none', 'Content-Length: -1\r\n\r\n'],
  ])('takes no request that another program could cut otherwise: %s', async (_, rest) => {
    const url = await serve();
    const hidden = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    expect(
      statusesOf(await say(url, `GET /healthz HTTP/1.1\r\nHost: localhost\r\n${rest}${hidden}`)),
    ).toEqual(['400']);
  });

  it('takes no request by two names of which one is a stranger’s, or by a stranger’s whole address', async () => {
    const url = await serve();
    const request =
      'GET /api/status HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n';
    expect(statusesOf(await say(url, request))).toEqual(['421']);
    const absolute =
      'GET http://evil.example/api/status HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n';
    expect(statusesOf(await say(url, absolute))).toEqual(['421']);
  });

  it('waits for a request that does not come to its end no longer than 15 s', async () => {
    const url = await serve();
    const startedAt = performance.now();
    const heard = await say(url, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ');
    expect(statusesOf(heard)).toEqual(['408']);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });

  it('has 200 connections at most, and serves again when one is free', async () => {
    const url = await serve();
    const many = Array.from({ length: 200 }, () => dial(url));
    await Promise.all(many.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    const tooMany = dial(url).resume();
    await new Promise((resolve) => tooMany.once('close', resolve));
    expect(tooMany.bytesRead).toBe(0);
    const leaver = many[0]?.resume();
    const left = new Promise((resolve) => leaver?.once('close', resolve));
    leaver?.end('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    await left;
    const answer = await say(url, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(statusesOf(answer)).toEqual(['200']);
  });
});

describe('guessing the password', () => {
  const knocking = (url: URL, password: string) =>
    fetch(new URL('api/status', url), {
      headers: { authorization: `Basic ${Buffer.from(`lab:${password}`).toString('base64')}` },
    }).then(({ status }) => status);

  it('is answered ten times a minute, and then not even the right one is, so that nobody learns it', async () => {
    const url = await serve('open sesame');
    expect(await knocking(url, 'open sesame')).toBe(200);
    const guesses = Array.from({ length: 10 }, (_, number) => knocking(url, `guess ${number}`));
    expect(await Promise.all(guesses)).toEqual(Array(10).fill(401));
    expect(await Promise.all(['guess 11', 'open sesame'].map((each) => knocking(url, each)))).toEqual([
      429, 429,
    ]);
    expect((await fetch(new URL('healthz', url))).status).toBe(200);
  });

  it('is forgotten after a minute, and is each address’s own', () => {
    let now = 5_000;
    const guesses = new WrongGuesses(() => now);
    for (let number = 0; number < 9; number += 1) guesses.add('10.0.0.1');
    expect(guesses.areTooMany('10.0.0.1')).toBe(false);
    guesses.add('10.0.0.1');
    expect(['10.0.0.1', '10.0.0.2'].map((address) => guesses.areTooMany(address))).toEqual([true, false]);
    now += 60_000;
    expect(guesses.areTooMany('10.0.0.1')).toBe(false);
  });
});

describeWithChromium('a stranger’s page in the browser of somebody in the lab', () => {
  it('reads nothing of the status, hears no event, shows it in no frame and runs none of its code', async () => {
    const url = await serve();
    const stranger = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<!doctype html>'),
    );
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const browser = await chromium.launch({
      executablePath: chromiumPath() ?? '',
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    });
    onTestFinished(async () => {
      await browser.close();
      stranger.close();
    });
    const page = await browser.newPage();
    await page.goto(`http://localhost:${(stranger.address() as AddressInfo).port}/`);
    expect(await page.evaluate(attempts(url.href))).toEqual({
      read: 'refused',
      blind: 'refused',
      command: 'refused',
      events: 'refused',
      script: 'refused',
      image: 'refused',
    });
    const refusing = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await page.evaluate(frame(url.href));
    expect((await refusing).text()).toMatch(/^(?:Refused to frame|Framing) /);
  });
});
