/** Ports that must be known before a program listens there. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that Linux gives to whoever asks for any (net.ipv4.ip_local_port_range). */
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** @returns so many ports of 127.0.0.1 where nothing listens, from a random one on */
export async function freePorts(count: number): Promise<number[]> {
  const free: number[] = [];
  const from = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST - 10 * count));
  for (let port = from; free.length < count; port += 1) {
    if (port > HIGHEST) throw new Error(`fewer than ${count} free ports from ${from} on`);
    if (await isFree(port)) free.push(port);
  }
  return free;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
