/** HTTP by Node alone, for the npm package: a script's bundle stays small. */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Exchange, Sent } from './http.ts';

export function nodeEngine(exchange: Exchange): Sent {
  const { method, url, headers, body, isStreamed, agent, maxHeaderSize, late } = exchange;
  const { connectMs, limitMs } = exchange;
  const isTls = url.protocol === 'https:';
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const request = (isTls ? httpsRequest : httpRequest)(url, {
    method,
    headers: { ...length, ...headers },
    agent: isTls ? agent.https : agent.http,
    maxHeaderSize,
  });
  const isSent = () => request.writableFinished;
  request.once('socket', (socket) => {
    if (!socket.connecting) return; // an idle one, or a tunnel
    const connecting = setTimeout(() => late('connection'), connectMs);
    const next = () => connecting.refresh();
    const end = () => clearTimeout(connecting);
    socket.once('lookup', next).once('connect', isTls ? next : end);
    socket.once('secureConnect', end).once('close', end);
  });
  if (isStreamed) request.setTimeout(limitMs, () => late(isSent() ? 'answer' : 'progress'));
  else {
    const answering = setTimeout(() => late('answer'), limitMs);
    request.once('close', () => clearTimeout(answering)).end(body);
  }
  return request;
}
