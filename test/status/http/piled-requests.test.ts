import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { refusePiles } from '../../../src/status/http/piled-requests.ts';

const request = (headerBytes: number) => `GET / HTTP/1.1\r\nHost: x\r\na: ${'x'.repeat(headerBytes)}\r\n\r\n`;

it.each([
  ['handles several small requests in one chunk', request(100).repeat(9), 9],
  ['handles one large request', request(8_000), 1],
  ['ends the connection for more requests than it may send', request(100).repeat(11), 0],
  ['ends the connection for several large requests in one chunk', request(8_000).repeat(3), 0],
])('%s', async (_, text, handled) => {
  let count = 0;
  const server = createServer({ maxHeaderSize: 9_000 }, (_request, response) => {
    count += 1;
    response.end();
    if (count === handled) client.end();
  }).listen(0, '127.0.0.1');
  refusePiles(server, 10);
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.resume().on('error', () => {});
  client.write(text);
  await once(client, 'close');
  server.close();
  expect(count).toBe(handled);
});
