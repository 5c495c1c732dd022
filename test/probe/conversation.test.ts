import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Adb, Take } from '../../src/adb/adb.ts';
import { AdbkitAdb } from '../../src/adb/adbkit.ts';
import { ServiceRefusedError } from '../../src/base/errors.ts';
import { packet } from '../../src/demo/phone.ts';
import { converse, LIMITS, type ShellService } from '../../src/probe/conversation.ts';
import type { Script } from '../../src/probe/script.ts';
import { RawServer } from '../support/raw-server.ts';

const mark = '0123456789abcdef01234567';
const script: Script = {
  text: 'echo',
  mark,
  commands: [{ name: 'battery.dump', limitSeconds: 4, text: 'dumpsys battery' }],
};
const device = { serial: 'S1', state: 'device' };
const answer = `\n${mark}<battery.dump\nlevel: 87\n\n${mark}>battery.dump 0\n`;
const end = `\n${mark}.\n`;
const unaborted = () => new AbortController().signal;

/** An adb server whose phone does `serve` once its shell is open, and never hangs up by itself. */
async function phoneThat(serve: (socket: Socket, service: string) => void) {
  const server = await RawServer.start((socket) => {
    socket.once('data', () => {
      socket.write('OKAY');
      socket.once('data', (request) => {
        socket.write('OKAY');
        serve(socket, request.toString().slice(4));
      });
    });
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const adb = new AdbkitAdb({ host: '127.0.0.1', port: server.port, requestTimeoutMs: 5_000 });
  return { adb, server };
}

/** A second of work is the limit: a fifth of it shows the same. */
function limitWork(): void {
  const { workMs } = LIMITS;
  LIMITS.workMs = 200;
  onTestFinished(() => {
    LIMITS.workMs = workMs;
  });
}

/** What became of the command, and whether the conversation was complete. */
async function heard(talk: ReturnType<typeof converse>) {
  const { transcript, complete } = await talk;
  const outcomes = Array.from(transcript.outcomes, ([name, outcome]) => [
    name,
    outcome.kind === 'answered' ? outcome.text : outcome.kind,
  ]);
  return { outcomes: Object.fromEntries(outcomes), complete };
}

describe('a conversation with a phone', () => {
  it.each<[ShellService, string | Buffer]>([
    ['shell,v2,raw', packet(1, Buffer.from(answer + end))],
    ['exec', answer + end],
    ['shell', (answer + end).replaceAll('\n', '\r\n')],
  ])('by %s ends at the last mark, although an orphan holds the stream open', async (service, output) => {
    const { adb, server } = await phoneThat((socket) => socket.write(output));

    expect(await heard(converse(adb, device, service, script, unaborted()))).toEqual({
      outcomes: { 'battery.dump': 'level: 87\n' },
      complete: true,
    });
    await server.quiet();
    expect(server.heard).toEqual([
      `0011host:transport:S1${(service.length + 5).toString(16).padStart(4, '0').toUpperCase()}${service}:echo`,
    ]);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['hangs up', (socket) => socket.end(answer)],
    ['hangs up rudely', (socket) => socket.write(answer, () => setImmediate(() => socket.destroy()))],
  ])('is not complete when the phone %s before the last mark', async (_, serve) => {
    const { adb } = await phoneThat(serve);

    expect(await heard(converse(adb, device, 'exec', script, unaborted()))).toEqual({
      outcomes: { 'battery.dump': 'level: 87\n' },
      complete: false,
    });
  });

  it('is not complete when the shell ends before the last mark', async () => {
    const { adb, server } = await phoneThat((socket) =>
      socket.write(Buffer.concat([packet(1, Buffer.from(answer)), packet(3, Buffer.of(1))])),
    );

    expect(await heard(converse(adb, device, 'shell,v2,raw', script, unaborted()))).toEqual({
      outcomes: { 'battery.dump': 'level: 87\n' },
      complete: false,
    });
    await server.quiet();
  });

  it('ends when the signal fires, with what has arrived, and disconnects', async () => {
    const stop = new AbortController();
    const { adb, server } = await phoneThat((socket) => socket.write(answer));
    const open = adb.open.bind(adb);
    adb.open = async (...asked) => {
      const output = await open(...asked);
      const read = (take: Take, signal: AbortSignal) =>
        output.read((piece) => {
          setImmediate(() => stop.abort());
          return take(piece);
        }, signal);
      return { read };
    };

    expect(await heard(converse(adb, device, 'exec', script, stop.signal))).toEqual({
      outcomes: { 'battery.dump': 'level: 87\n' },
      complete: false,
    });
    await server.quiet();
  });

  it('ends with a phone that prints without end, with what it said before', async () => {
    const flood = Buffer.alloc(1024 * 1024, 'y');
    let bytes = 0;
    const { adb, server } = await phoneThat((socket) => {
      socket.write(answer);
      const pour = () => {
        while (!socket.destroyed && socket.write(flood)) bytes += flood.length;
        bytes += flood.length;
      };
      socket.on('drain', pour);
      pour();
    });

    const talk = await converse(adb, device, 'exec', script, unaborted());
    expect({ ...(await heard(Promise.resolve(talk))), flooded: talk.flooded }).toEqual({
      outcomes: { 'battery.dump': 'level: 87\n' },
      complete: false,
      flooded: true,
    });
    expect(bytes).toBeGreaterThan(LIMITS.bytes);
    await server.quiet();
  });

  it.each<[string, ShellService, Buffer]>([
    ['packets of one byte', 'shell,v2,raw', packet(1, Buffer.from('y'))],
    ['empty packets', 'shell,v2,raw', packet(1, Buffer.alloc(0))],
    ['marks that are valid', 'exec', Buffer.from(answer)],
  ])('ends with a phone that sends %s without end, with what it said before', async (_, service, again) => {
    limitWork();
    const first = service === 'exec' ? Buffer.from(answer) : packet(1, Buffer.from(answer));
    const flood = Buffer.concat(Array(10_000).fill(again));
    const { adb, server } = await phoneThat((socket) => {
      socket.write(first);
      const pour = () => {
        while (!socket.destroyed && socket.write(flood)) {
          // until the agent takes no more for now
        }
      };
      socket.on('drain', pour);
      pour();
    });

    const talk = await converse(adb, device, service, script, unaborted());
    expect({ ...(await heard(Promise.resolve(talk))), flooded: talk.flooded }).toEqual({
      outcomes: { 'battery.dump': 'level: 87\n' },
      complete: false,
      flooded: true,
    });
    await server.quiet();
  });

  it('has a phone that sends much wait, while others have their turn', async () => {
    limitWork();
    const flood = Buffer.concat(Array(10_000).fill(packet(1, Buffer.from('y'))));
    let pauses = 0;
    let turns = 0;
    const adb = {
      open: async () => ({
        async read(take: Take) {
          for (let taken = take(flood); taken !== true; taken = take(flood)) {
            if (taken === false) continue;
            pauses += 1;
            setImmediate(() => {
              turns += 1;
            });
            await taken;
          }
        },
      }),
    } as Partial<Adb> as Adb;

    expect(await converse(adb, device, 'shell,v2,raw', script, unaborted())).toMatchObject({ flooded: true });
    expect(pauses).toBeGreaterThan(0);
    expect(turns).toBeGreaterThanOrEqual(pauses - 1);
  });

  it('is refused when the shell closes without a word', async () => {
    const { adb } = await phoneThat((socket) => socket.end());

    await expect(converse(adb, device, 'shell', script, unaborted())).rejects.toThrow(
      new ServiceRefusedError('the phone closed shell without an answer'),
    );
  });

  it.each(['sh: not found', '\r\nBoot\r\n', Buffer.of(1, 0xff, 0xff, 0xff, 0xff)])(
    'is refused by a phone that takes the service and does not speak its packets: %j',
    async (said) => {
      const { adb, server } = await phoneThat((socket) => socket.write(said));

      await expect(converse(adb, device, 'shell,v2,raw', script, unaborted())).rejects.toThrow(
        new ServiceRefusedError('the phone does not speak shell,v2,raw'),
      );
      await server.quiet();
    },
  );

  it('is broken off, not refused, by what is no packet after one that was', async () => {
    const { adb } = await phoneThat((socket) =>
      socket.write(Buffer.concat([packet(1, Buffer.from(answer)), Buffer.from('sh: killed\n')])),
    );

    expect(await heard(converse(adb, device, 'shell,v2,raw', script, unaborted()))).toEqual({
      outcomes: { 'battery.dump': 'level: 87\n' },
      complete: false,
    });
  });

  it('never sends a script that could abort the adb server', async () => {
    const { adb, server } = await phoneThat(() => {});
    const tooLong = { ...script, text: 'x'.repeat(4_001) };

    await expect(converse(adb, device, 'exec', tooLong, unaborted())).rejects.toThrow(RangeError);
    expect(server.heard).toEqual([]);
  });
});
