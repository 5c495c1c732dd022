import { describe, expect, it, onTestFinished } from 'vitest';
import { AdbkitAdb } from '../../src/adb/adbkit.ts';
import { anyHost, type HostKind } from '../../src/base/environment.ts';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { lookAtServer } from '../../src/doctor/adb-server.ts';
import { freePort, RawServer } from '../support/raw-server.ts';

async function simulated(): Promise<SimulatedAdbServer> {
  const server = await SimulatedAdbServer.start();
  onTestFinished(() => server.stop());
  return server;
}

const look = (port: number, hostKind: HostKind = anyHost) =>
  lookAtServer(
    new AdbkitAdb({ host: '127.0.0.1', port, requestTimeoutMs: 200 }),
    hostKind,
    new AbortController().signal,
  );

describe('the adb server', () => {
  it('that answers is fine, and is asked for nothing but its version', async () => {
    const server = await simulated();
    expect(await look(server.port)).toEqual({
      finding: {
        name: 'adb server',
        status: 'ok',
        seen: expect.stringMatching(
          new RegExp(`^version 1\\.0\\.41 answers at 127\\.0\\.0\\.1:${server.port} within \\d+ ms$`),
        ),
      },
      isAdb: true,
    });
    expect(server.requests).toEqual([{ request: 'host:version' }]);
  });

  it('of old times is a warning', async () => {
    await using server = await RawServer.start((socket) => {
      socket.once('data', () => socket.end('OKAY00040020'));
    });
    expect(await look(server.port)).toMatchObject({
      finding: { status: 'warning', seen: expect.stringContaining('version 1.0.32 answers') },
      isAdb: true,
    });
  });

  it('that is silent is wedged, and is left alone', async () => {
    const server = await simulated();
    server.faults.silent = true;
    expect(await look(server.port)).toEqual({
      finding: {
        name: 'adb server',
        status: 'failed',
        seen: `the adb server at 127.0.0.1:${server.port} accepts connections but did not answer within 0.2 s`,
        remedy:
          'Restart the server, which is wedged: end its process by its number, which hostnode doctor names',
      },
      isAdb: false,
    });
    expect(server.requests).toEqual([{ request: 'host:version' }]);
  });

  it.each([
    ['HTTP/1.1 400 Bad Request\r\n\r\n', 'is not an adb server'],
    ['OKAY0004wxyz', 'is not an adb server'],
    ['', 'closed the connection'],
  ])('that answers %j is none, or is ending', async (answer, words) => {
    await using server = await RawServer.start((socket) => {
      socket.once('data', () => socket.end(answer));
    });
    expect(await look(server.port)).toMatchObject({
      finding: {
        status: 'failed',
        seen: expect.stringContaining(words),
        remedy:
          'Find which process holds the port: if it is adb, restart it; if not, move it or set adb.port',
      },
      isAdb: false,
    });
  });

  it('that is not there is said, and none is started', async () => {
    const port = await freePort();
    expect(await look(port, { hasSystemd: true, units: ['hostnode-adb'], inContainer: false })).toMatchObject(
      {
        finding: {
          seen: `no adb server at 127.0.0.1:${port}`,
          remedy: expect.stringMatching(/^Start the lab’s server \(systemctl start hostnode-adb\)/),
        },
      },
    );
    expect(await look(port)).toMatchObject({ finding: { seen: `no adb server at 127.0.0.1:${port}` } });
  });
});
