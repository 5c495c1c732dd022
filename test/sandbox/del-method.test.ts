import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acceptDel, sentMethod } from '../../src/sandbox/del-method.ts';

/** A server that answers each request with its method, path and body; later ones sooner. */
async function startServer(): Promise<number> {
  let waitMs = 12;
  const server = createServer(async (request, response) => {
    const method = sentMethod(request);
    const body = await text(request);
    waitMs = Math.max(0, waitMs - 4);
    await wait(waitMs);
    response.end(`${method} ${request.url} ${body}\n`);
  });
  acceptDel(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** What the server answers to bytes that are sent in these pieces on one connection. */
async function exchange(port: number, pieces: readonly string[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const answer = text(socket);
  for (const piece of pieces) {
    socket.write(piece);
    await setImmediate();
    await wait(1);
  }
  return answer;
}

const request = (method: string, path: string, body = '', isLast = false): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\n${isLast ? 'Connection: close\r\n' : ''}Content-Length: ${body.length}\r\n\r\n${body}`;

const bodiesOf = (answer: string): string[] =>
  Array.from(answer.matchAll(/^((?:GET|POST|PUT|DELETE|DEL) .*)\n/gm), ([, line = '']) => line);

describe('the method DEL', () => {
  it('is taken like any other, with what comes before and after it on the same connection', async () => {
    const port = await startServer();
    const requests = [
      request('GET', '/1'),
      request('DEL', '/2'),
      request('POST', '/3', 'abc'),
      request('DEL', '/4', 'DEL /9 HTTP/1.1'),
      request('DELETE', '/5', '', true),
    ];
    const expected = ['GET /1 ', 'DEL /2 ', 'POST /3 abc', 'DEL /4 DEL /9 HTTP/1.1', 'DELETE /5 '];
    expect(bodiesOf(await exchange(port, [requests.join('')]))).toEqual(expected);
    expect(bodiesOf(await exchange(port, requests))).toEqual(expected);
  });

  it('may come many times on one connection', async () => {
    const warnings: unknown[] = [];
    const note = (warning: unknown) => warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const port = await startServer();
    const paths = Array.from({ length: 40 }, (_, index) => `/${index}`);
    const all = paths.map((path, index) => request('DEL', path, '', index === paths.length - 1));
    expect(bodiesOf(await exchange(port, [all.join('')]))).toEqual(paths.map((path) => `DEL ${path} `));
    expect(warnings).toEqual([]);
  });

  it('is found however the bytes are cut, whatever methods are around it', async () => {
    const port = await startServer();
    const methods = fc.array(fc.constantFrom('GET', 'DEL', 'POST', 'DELETE'), { minLength: 1, maxLength: 6 });
    const cuts = fc.array(fc.nat(400), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(methods, cuts, async (sent, places) => {
        const all = sent
          .map((method, index) => request(method, `/${index}`, 'DEL', index === sent.length - 1))
          .join('');
        const ends = [...new Set([0, ...places.filter((place) => place < all.length), all.length])].toSorted(
          (one, other) => one - other,
        );
        const pieces = ends.slice(1).map((end, index) => all.slice(ends[index], end));
        const expected = sent.map((method, index) => `${method} /${index} DEL`);
        expect(bodiesOf(await exchange(port, pieces))).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  }, 30_000);

  it.each([
    ['another unknown method', ['DELX / HTTP/1.1\r\nHost: x\r\n\r\n']],
    ['one that is cut', ['GE', ' /apps/1 HTTP/1.1\r\nHost: x\r\n\r\n']],
    ['one that ends like it', ['UN', 'L /apps/1 HTTP/1.1\r\nHost: x\r\n\r\n']],
    ['bytes of another protocol', ['\x16\x03\x01\x02\x00']],
  ])('is not %s: that gets 400', async (_, pieces) => {
    const port = await startServer();
    expect(await exchange(port, pieces)).toBe('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  });
});
