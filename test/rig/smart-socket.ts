/**
 * The client's side of an adb server's protocol, as plain as it is: four hex digits of length, the request,
 * then OKAY or FAIL. No adb command is involved, so nothing can start or kill a server.
 *
 * Source: AOSP packages/modules/adb, OVERVIEW.TXT and SERVICES.TXT.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

async function read(socket: Socket, bytes: number): Promise<Buffer> {
  for (;;) {
    const chunk: Buffer | null = socket.read(bytes);
    if (chunk && chunk.length === bytes) return chunk;
    if (socket.readableEnded || socket.destroyed || chunk) throw new Error('the adb server hung up');
    await Promise.race([once(socket, 'readable'), once(socket, 'end'), once(socket, 'close')]);
  }
}

async function readText(socket: Socket): Promise<string> {
  const length = Number.parseInt((await read(socket, 4)).toString('latin1'), 16);
  return length === 0 ? '' : (await read(socket, length)).toString('utf8');
}

async function request(socket: Socket, service: string): Promise<void> {
  const body = Buffer.from(service);
  socket.write(body.length.toString(16).padStart(4, '0'));
  socket.write(body);
  const status = (await read(socket, 4)).toString('latin1');
  if (status === 'FAIL') throw new Error(await readText(socket));
  if (status !== 'OKAY') throw new Error(`the adb server said ${status}`);
}

async function connectTo(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => socket.destroy());
  return socket;
}

/** Asks a server for one text, e.g. `host:devices-l`. */
export async function askAdb(port: number, service: string): Promise<string> {
  const socket = await connectTo(port);
  try {
    await request(socket, service);
    return await readText(socket);
  } finally {
    socket.destroy();
  }
}

/** Opens a service on the phone of this serial, e.g. `exec:id`. */
export async function openOnPhone(port: number, serial: string, service: string): Promise<Socket> {
  const socket = await connectTo(port);
  try {
    await request(socket, `host:transport:${serial}`);
    await request(socket, service);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Runs a service on a phone to its end and returns all that it sent. */
export async function runOnPhone(port: number, serial: string, service: string): Promise<Buffer> {
  const socket = await openOnPhone(port, serial, service);
  return Buffer.concat(await socket.toArray());
}
