import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumPath, describeWithChromium } from '../support/describe-with.ts';
import { answerTo, basic, dial, say, serve, statusesOf } from './served-status.ts';
import { attempts, frame } from './stranger.ts';

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
    const { url } = await serve();
    const hidden = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    expect(
      statusesOf(await say(url, `GET /healthz HTTP/1.1\r\nHost: localhost\r\n${rest}${hidden}`)),
    ).toEqual(['400']);
  });

  it('takes no request by two names of which one is a stranger’s, or by a stranger’s whole address', async () => {
    const { url } = await serve();
    const request =
      'GET /api/status HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n';
    expect(statusesOf(await say(url, request))).toEqual(['421']);
    const absolute =
      'GET http://evil.example/api/status HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n';
    expect(statusesOf(await say(url, absolute))).toEqual(['421']);
  });

  it('does not wait for ever for a request that does not come to its end', async () => {
    const { url } = await serve();
    const heard = await say(url, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ');
    expect(statusesOf(heard)).toEqual(['408']);
  });

  it('has 200 connections at most, and serves again when one is free', async () => {
    const { url } = await serve();
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
    const { url } = await serve({ password: 'open sesame' });
    expect(await knocking(url, 'open sesame')).toBe(200);
    const guesses = Array.from({ length: 10 }, (_, number) => knocking(url, `guess ${number}`));
    expect(await Promise.all(guesses)).toEqual(Array(10).fill(401));
    expect(await Promise.all(['guess 11', 'open sesame'].map((each) => knocking(url, each)))).toEqual([
      429, 429,
    ]);
    expect((await fetch(new URL('healthz', url))).status).toBe(200);
  });

  it('from many addresses is slow over all, and the right password is answered meanwhile', async () => {
    const { url } = await serve({ password: 'open sesame' });
    const known = '127.0.3.1';
    const status = (password: string, from: string) => answerTo(url, '/api/status', from, basic(password));
    expect(await status('open sesame', known)).toBe('200');
    const guesses = Array.from({ length: 446 }, (_, number) =>
      status(`guess ${number}`, `127.0.4.${(number % 223) + 1}`),
    );
    expect(await status('open sesame', known)).toBe('200');
    expect(await status('open sesame', '127.0.3.2')).toBe('200');
    expect(await answerTo(url, '/healthz', '127.0.3.3')).toBe('200');
    const wrong = (await Promise.all(guesses)).filter((answer) => answer === '401').length;
    expect(wrong).toBeLessThanOrEqual(120 + 223); // in a minute, and the first of each
  });
});

describeWithChromium('a stranger’s page in the browser of somebody in the lab', () => {
  it('reads nothing of the status, hears no event, shows it in no frame and runs none of its code', async () => {
    const { url } = await serve();
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
