/** The phones, their adb server and the cloud, in a process of their own: what they cost is not counted. Run by `World`. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { listen, portOf } from '../../src/base/http.ts';
import { fail, okay, readRequests, SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import { outputOf } from '../../src/demo/recording.ts';
import type { SandboxRequest } from '../../src/sandbox/log.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { seedOfOneUser } from '../../src/sandbox/seed.ts';
import { FloodingPhone } from '../support/flooding-phone.ts';
import { BenchPhone } from './phone.ts';
import {
  type Call,
  type Counted,
  credentials,
  type Opened,
  type Report,
  type WorldOptions,
} from './world.ts';

const adb = await SimulatedAdbServer.start();
const cloud = await Sandbox.start({ seed: seedOfOneUser(credentials) });
const ready = recordings.filter(({ state }) => state === 'device');

/**
 * The nth phone: the recordings in turn, each with a serial, a USB port and a boot of its own. Phones that share a boot
 * id would not be certain to have answered, and cost one more list of adb's.
 */
function phoneOf(index: number): BenchPhone {
  const recording = ready[index % ready.length];
  if (recording === undefined) throw new Error('no recorded phone is ready');
  const { text } = outputOf(recording.answers['boot.clock'] ?? []);
  const [, ...uptime] = text.trimEnd().split('\n');
  const answers = { ...recording.answers, 'boot.clock': [randomUUID(), ...uptime] };
  return new BenchPhone({ ...recording, serial: `BENCH${index}`, devpath: `1-${index + 1}`, answers });
}

const nothingYet = (): Counted => ({ connections: 0, requests: 0, byKind: {}, conversations: {} });
let counted = nothingYet();
adb.on('connection', () => {
  counted.connections += 1;
});
adb.on('request', ({ request, serial }) => {
  const kind = kindOf(request);
  counted.requests += 1;
  counted.byKind[kind] = (counted.byKind[kind] ?? 0) + 1;
  if (serial !== undefined) counted.conversations[serial] = (counted.conversations[serial] ?? 0) + 1;
});

/** A request without what it is about: `host:transport-id`, `shell`, `host:devices-l`. */
const kindOf = (request: string): string => /^(host:[a-z-]+|[^:,]*)/.exec(request)?.[0] ?? '';

let reports: Report[] = [];
cloud.on('received', ({ method, body }) => {
  if (method !== 'PUT') return; // it reads back
  reports.push({ atMs: performance.now(), devices: devicesIn(body) });
});

function devicesIn(body: SandboxRequest['body']): Report['devices'] {
  const { devices = [] } = (body ?? {}) as {
    devices?: { udid: string; state: string; platformVersion?: string }[];
  };
  return devices.map(({ udid, state, platformVersion }) => ({
    udid,
    state,
    hasFacts: platformVersion !== undefined,
  }));
}

/**
 * A server whose list is as long as its length can say, five digits, and another one each time.
 *
 * @returns its port
 */
async function startCrowdedServer(listed: number): Promise<number> {
  let first = 0;
  const list = () => {
    first += 1;
    const lines = Array.from({ length: listed }, (_, index) => {
      const serial = (36 ** 3 + index + first).toString(36);
      return `${serial}\t${index % 5 === 0 ? 'device' : 'host'}\n`;
    });
    return okay(lines.join(''));
  };
  const serve = async (socket: Socket) => {
    for await (const request of readRequests(socket)) {
      if (request === 'host:track-devices') {
        for (; !socket.destroyed; await wait(1000)) socket.write(list());
      } else if (request.startsWith('host:devices')) socket.end(list());
      else if (request === 'host:version') socket.end(okay('0029'));
      else socket.end(fail('device not found'));
    }
  };
  const server = createServer((socket) => {
    socket.on('error', () => {}); // a client may hang up at any time
    serve(socket).catch(() => socket.destroy());
  });
  await listen(server, { port: 0, host: '127.0.0.1' });
  return portOf(server);
}

const handlers = {
  async open({
    phones,
    delayMs = 0,
    hung = 0,
    flooding = 0,
    listed,
    answerAfterMs,
  }: WorldOptions): Promise<Opened> {
    for (const phone of adb.phones) adb.unplug(phone.serial);
    for (let index = 0; index < phones; index++) {
      const phone = phoneOf(index);
      if (index >= phones - hung) phone.hang();
      const ms = answerAfterMs?.[index % answerAfterMs.length];
      if (ms !== undefined && index < phones - hung) phone.disturb('battery', { kind: 'delay', ms });
      adb.plug(phone);
    }
    const [recording] = ready;
    for (let index = 0; index < flooding && recording; index++)
      adb.plug(
        new FloodingPhone({ ...recording, serial: `FLOOD${index}`, devpath: `7-${index + 1}` }, index),
      );
    adb.faults.delayMs = delayMs;
    counted = nothingYet();
    reports = [];
    const adbPort = listed === undefined ? adb.port : await startCrowdedServer(listed);
    return { adbPort, cloudUrl: cloud.baseUrl };
  },
  /** What came since the last time this was asked. */
  counted(): Counted {
    const before = counted;
    counted = nothingYet();
    return before;
  },
  /** The reports since the phones were plugged in. */
  reports: () => reports,
  /** Plugs one phone more in, waits until the cloud hears of it, and unplugs it again. @returns ms */
  async plug({ index }: { index: number }): Promise<number> {
    const phone = phoneOf(index);
    const heard = (state: string) =>
      new Promise<void>((resolve) => {
        const listen = ({ body }: SandboxRequest) => {
          if (!devicesIn(body).some((device) => device.udid === phone.serial && device.state === state))
            return;
          cloud.off('received', listen);
          resolve();
        };
        cloud.on('received', listen);
      });
    const came = heard('device');
    const pluggedAt = performance.now();
    adb.plug(phone);
    await came;
    const tookMs = performance.now() - pluggedAt;
    await wait(100);
    const went = heard('disconnected');
    adb.unplug(phone.serial);
    await went;
    return tookMs;
  },
};

process.on('message', async ({ id, call, options }: Call) => {
  try {
    process.send?.({ id, result: await handlers[call](options as never) });
  } catch (error) {
    process.send?.({ id, error: String(error) });
  }
});
once(process, 'disconnect').then(() => process.exit());
process.send?.({ id: 0 });
