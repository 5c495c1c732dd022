import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Adb as Adbkit } from '@devicefarmer/adbkit';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ListedDevice, Output } from '../../src/adb/adb.ts';
import { AdbkitAdb } from '../../src/adb/adbkit.ts';
import { AdbRefusedError, AdbUnavailableError, ServiceRefusedError } from '../../src/base/errors.ts';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import type { Recording } from '../../src/demo/recording.ts';
import { freePort, RawServer } from '../support/raw-server.ts';

const phone: Recording = {
  title: 'a phone',
  origin: [],
  serial: 'S1',
  state: 'device',
  devpath: '1-4.2',
  product: 'oriole',
  model: 'Pixel 6',
  device: 'oriole',
  sdk: 33,
  answers: {},
};

const adbAt = (port: number, requestTimeoutMs = 5_000) =>
  new AdbkitAdb({ host: '127.0.0.1', port, requestTimeoutMs });

async function serverWith(...phones: Recording[]) {
  const server = await SimulatedAdbServer.start();
  onTestFinished(() => server.stop());
  const plugged = phones.map((recording) => new SimulatedPhone(recording));
  for (const each of plugged) server.plug(each);
  return { server, adb: adbAt(server.port), phones: plugged };
}

async function rawServer(serve?: (socket: Socket) => void): Promise<RawServer> {
  const server = await RawServer.start(serve);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

const closed = 'closed the connection';

const unhurried = () => AbortSignal.timeout(60_000);

async function allOf(output: Output): Promise<string> {
  const pieces: Buffer[] = [];
  const keep = (piece: Buffer) => {
    pieces.push(Buffer.from(piece));
    return false;
  };
  await output.read(keep, new AbortController().signal);
  return Buffer.concat(pieces).toString();
}

/** Says `text` to every client, then does `after`. */
const saying =
  (text: string, after: (socket: Socket) => void = () => {}) =>
  (socket: Socket) =>
    socket.write(text, () => after(socket));

describe('AdbkitAdb', () => {
  it('lists the phones as adb does, each with the number of its connection', async () => {
    const { adb } = await serverWith(phone, { ...phone, serial: '', devpath: '1-5', state: 'unauthorized' });

    expect(await adb.listDevices()).toEqual([
      {
        serial: '',
        state: 'unauthorized',
        devpath: '1-5',
        product: 'oriole',
        model: 'Pixel_6',
        device: 'oriole',
        transportId: 2,
      },
      {
        serial: 'S1',
        state: 'device',
        devpath: '1-4.2',
        product: 'oriole',
        model: 'Pixel_6',
        device: 'oriole',
        transportId: 1,
      },
    ]);
  });

  it('gives the same list object while adb says the same', async () => {
    const { adb, server, phones } = await serverWith(phone, { ...phone, serial: 'S2', devpath: '1-5' });
    const [first, again] = [await adb.listDevices(), await adb.listDevices()];
    const [, second] = phones;
    server.unplug('S2');
    const without = await adb.listDevices();
    if (second) server.plug(second);
    const replugged = await adb.listDevices();

    expect(again).toBe(first);
    expect(without.map(({ serial }) => serial)).toEqual(['S1']);
    expect(await adb.listDevices()).toBe(replugged);
    expect(replugged.map(({ transportId }) => transportId).sort()).toEqual([1, 3]);
  });

  it('lists nothing where adb has no phones', async () => {
    const { adb } = await serverWith();

    expect(await adb.listDevices()).toEqual([]);
  });

  it('reads a list that arrives byte by byte', async () => {
    const bytes = Buffer.from('OKAY001aS1\tdevice\nKüche\tdevice\n');
    bytes.write((bytes.length - 8).toString(16).padStart(4, '0'), 4);
    const server = await rawServer(async (socket) => {
      socket.setNoDelay(true);
      for (const byte of bytes) await new Promise((sent) => socket.write(Buffer.of(byte), sent));
    });

    expect(await adbAt(server.port).listDevices()).toEqual([
      { serial: 'S1', state: 'device' },
      { serial: 'Küche', state: 'device' },
    ]);
  });

  it('reaches a phone without a number by a name that leads to no other', async () => {
    const named = { ...phone, devpath: '1-9', serial: 'usb:1-4.2' };
    const { server, adb } = await serverWith(phone, named, {
      ...phone,
      devpath: '1-5',
      serial: 'model:Pixel_6',
    });
    const requests: string[] = [];
    server.on('request', ({ request }) => requests.push(request));
    const listed = (await adb.listDevices()).map(({ transportId: _, ...device }) => device);
    const by = (serial: string) => listed.find((device) => device.serial === serial) as ListedDevice;
    for (const serial of ['S1', 'usb:1-4.2', 'model:Pixel_6'])
      await allOf(await adb.open(by(serial), 'exec:whoami', unhurried()));
    expect(requests.filter((request) => request.startsWith('host:transport'))).toEqual([
      'host:transport:S1',
      'host:transport:usb:1-9',
      'host:transport:usb:1-5',
    ]);
  });

  it('opens a service on a phone and carries its output', async () => {
    const { adb } = await serverWith(phone);
    const [listed] = (await adb.listDevices()) as [ListedDevice];

    const output = await adb.open(listed, 'exec:whoami', unhurried());

    expect(await allOf(output)).toBe('sh: whoami: not found\n');
  });

  it('loses no output that comes in one piece with the OKAY', async () => {
    const server = await rawServer((socket) => {
      socket.once('data', () => {
        socket.write('OKAY');
        socket.once('data', () => socket.end('OKAYall of it'));
      });
    });

    const output = await adbAt(server.port).open({ serial: 'S1', state: 'device' }, 'exec:id', unhurried());

    expect(await allOf(output)).toBe('all of it');
    expect(server.heard).toEqual(['0011host:transport:S10007exec:id']);
  });

  it('leaves a phone that is slow to open the time that the caller gives, not the server’s', async () => {
    const server = await rawServer((socket) =>
      socket.once('data', () => {
        socket.write('OKAY');
        socket.once('data', () => setTimeout(() => socket.end('OKAYat last'), 300));
      }),
    );
    const adb = adbAt(server.port, 100);
    const output = await adb.open({ serial: 'S1', state: 'device' }, 'exec:id', AbortSignal.timeout(5_000));
    expect(await allOf(output)).toBe('at last');
    const opening = adb.open({ serial: 'S1', state: 'device' }, 'exec:id', AbortSignal.timeout(150));
    await expect(opening).rejects.toThrow('The operation was aborted due to timeout');
    await server.quiet();
  });

  it('hands on what is thrown while the output is read, and hangs up', async () => {
    const server = await rawServer((socket) => socket.once('data', () => socket.write('OKAYOKAYsome')));
    const output = await adbAt(server.port).open({ serial: 'S1', state: 'device' }, 'exec:id', unhurried());
    const broken = () => {
      throw new RangeError('too strange');
    };
    await expect(output.read(broken, new AbortController().signal)).rejects.toThrow('too strange');
    await server.quiet();
  });

  it('will not send a service that four digits cannot measure', async () => {
    const { adb } = await serverWith(phone);
    const [listed] = (await adb.listDevices()) as [ListedDevice];

    await expect(adb.open(listed, `exec:${'x'.repeat(65_531)}`, unhurried())).rejects.toThrow(
      'a request to adb of 65536 bytes',
    );
  });
});

describe('AdbkitAdb and phones that share a serial', () => {
  const twins = [phone, { ...phone, devpath: '1-5' }];

  async function twinsAt() {
    const { adb, server, phones } = await serverWith(...twins);
    phones[1]?.refused.add('exec');
    server.requests.length = 0;
    return { adb, requests: () => server.requests.map(({ request }) => request) };
  }

  it('separates them by the number of the connection', async () => {
    const { adb, requests } = await twinsAt();
    const [first, second] = [1, 2].map((transportId) => ({ serial: 'S1', state: 'device', transportId })) as [
      ListedDevice,
      ListedDevice,
    ];

    await allOf(await adb.open(first, 'exec:x', unhurried()));
    await expect(adb.open(second, 'exec:x', unhurried())).rejects.toThrow(new ServiceRefusedError('closed'));
    expect(requests()).toEqual(['host:transport-id:1', 'exec:x', 'host:transport-id:2', 'exec:x']);
  });

  it('names them by the USB port to a server that may be another one than that which gave the numbers', async () => {
    const { adb, server, phones } = await serverWith(...twins);
    const devices = await adb.listDevices();
    const stop = new AbortController();
    const watching = adb.watchDevices(() => stop.abort(), stop.signal);
    await expect(watching).rejects.toBeDefined();
    server.requests.length = 0;
    for (const device of devices) await allOf(await adb.open(device, 'exec:x', unhurried()));
    expect(phones).toHaveLength(2);
    expect(server.requests.filter(({ serial }) => !serial).map(({ request }) => request)).toEqual([
      'host:transport:usb:1-4.2',
      'host:transport:usb:1-5',
    ]);
  });

  it('separates them by the USB port if the server gives no numbers', async () => {
    const { adb, requests } = await twinsAt();
    const [first, second] = ['1-4.2', '1-5'].map((devpath) => ({
      serial: 'S1',
      state: 'device',
      devpath,
    })) as [ListedDevice, ListedDevice];

    await allOf(await adb.open(first, 'exec:x', unhurried()));
    await expect(adb.open(second, 'exec:x', unhurried())).rejects.toThrow(new ServiceRefusedError('closed'));
    expect(requests()).toEqual(['host:transport:usb:1-4.2', 'exec:x', 'host:transport:usb:1-5', 'exec:x']);
  });

  it('passes on that adb cannot tell which one is meant by the serial alone', async () => {
    const { adb } = await twinsAt();

    await expect(adb.open({ serial: 'S1', state: 'device' }, 'exec:x', unhurried())).rejects.toThrow(
      new AdbRefusedError('more than one device'),
    );
  });
});

describe('AdbkitAdb and very many phones', () => {
  it.each([
    ['33 phones', 33, 120],
    ['540 phones, just within four digits of length', 540, 120],
    ['620 phones', 620, 120],
    ['phones whose list, cut at four of its five digits, ends with a line', 3121, 21],
  ])('reads all lines of %s', async (_, count, lineBytes) => {
    const serials = Array.from({ length: count }, (_, index) => `${index}`.padStart(lineBytes - 8, 'F'));
    const text = serials.map((serial) => `${serial}\tdevice\n`).join('');
    const digits = text.length.toString(16).padStart(4, '0');
    const server = await rawServer(saying(`OKAY${digits}${text}`));

    expect(await adbAt(server.port).listDevices()).toEqual(
      serials.map((serial) => ({ serial, state: 'device' })),
    );
  });
});

describe('AdbkitAdb and lists that a phone has written in', () => {
  it('reads both again where a phone comes between them, and doubts nothing', async () => {
    const { adb, server } = await serverWith(phone);
    server.once('request', () => server.unplug('S1')); // listed by neither or by one alone
    server.plug(new SimulatedPhone({ ...phone, serial: 'S2', devpath: '1-5' }));
    expect((await adb.listDevices()).map(({ serial }) => serial)).toEqual(['S2']);
    expect(adb.doubts).toEqual([]);
  });

  it('takes none of its lines, says which, and reads on as before', async () => {
    const serial = 'a\nGHOST\tdevice\nGHOST                  device usb:1-9 transport_id:9\nb';
    const { adb, server } = await serverWith(phone, { ...phone, serial, devpath: '1-5' });
    for (const _ of [1, 2])
      expect((await adb.listDevices()).map((listed) => [listed.serial, listed.devpath])).toEqual([
        ['S1', '1-4.2'],
      ]);
    expect(adb.doubts).toHaveLength(4);
    server.unplug('usb:1-5');
    await adb.listDevices();
    expect(adb.doubts).toEqual([]);
  });
});

describe('AdbkitAdb watching', () => {
  /** Watches until the test ends; `changed(n)` resolves at the nth call back. */
  function watch(adb: AdbkitAdb) {
    const stop = new AbortController();
    let calls = 0;
    let heard = () => {};
    const watching = adb.watchDevices(() => {
      calls += 1;
      heard();
    }, stop.signal);
    watching.catch(() => {}); // awaited again by the test
    onTestFinished(() => stop.abort());
    const changed = async (count: number) => {
      while (calls < count) {
        await new Promise<void>((resolve) => {
          heard = resolve;
        });
      }
    };
    return { watching, changed, stop };
  }

  it('reports at once what is there, then each phone that appears, changes or vanishes', async () => {
    const { server, adb } = await serverWith(phone);
    const { changed } = watch(adb);

    await changed(1);
    server.plug(new SimulatedPhone({ ...phone, serial: 'S2', devpath: '1-5' }));
    await changed(2);
    server.setState('S2', 'offline');
    await changed(3);
    server.unplug('S1');
    await changed(4);
  });

  it('ends when the server dies', async () => {
    const { server, adb } = await serverWith(phone);
    const { watching, changed } = watch(adb);
    await changed(1);

    server.dropConnections();

    await expect(watching).rejects.toThrow(
      new AdbUnavailableError('closed', `the adb server at 127.0.0.1:${server.port} closed the connection`),
    );
  });

  it.each([
    ['ends after a list', saying('OKAY0000', (socket) => socket.end()), closed],
    ['resets the connection after a list', saying('OKAY0000', (socket) => socket.resetAndDestroy()), closed],
    ['ends half-way through a list', saying('OKAY0010S1\tdev', (socket) => socket.end()), closed],
    ['turns to gibberish', saying('OKAY0000what?'), 'is not an adb server'],
    ['refuses to say', saying('FAIL0002no'), 'no'],
  ])('ends when the server %s', async (_, serve, words) => {
    const server = await rawServer(serve);

    await expect(watch(adbAt(server.port)).watching).rejects.toThrow(words);
    await server.quiet();
  });

  it('ends at once when the signal fires, and disconnects', async () => {
    const server = await rawServer(saying('OKAY0000'));
    const { watching, changed, stop } = watch(adbAt(server.port));
    await changed(1);

    stop.abort(new Error('enough'));

    await expect(watching).rejects.toThrow(new Error('enough'));
    await server.quiet();
  });

  it('leaves others their turn where the server says so without a pause', async () => {
    const server = await rawServer(saying(`OKAY${'0000'.repeat(2_000)}`));
    const { changed } = watch(adbAt(server.port));
    await changed(1);
    let turns = 0;
    const turn = setInterval(() => (turns += 1), 0);
    onTestFinished(() => clearInterval(turn));
    await changed(2_000);
    expect(turns).toBeGreaterThan(2);
  });

  it('ends when a listener fires the signal', async () => {
    const server = await rawServer(saying('OKAY0000'));
    const stop = new AbortController();

    await expect(
      adbAt(server.port).watchDevices(() => stop.abort(new Error('enough')), stop.signal),
    ).rejects.toThrow(new Error('enough'));
    await server.quiet();
  });

  it('waits without limit for the next change, but not for the answer to its question', async () => {
    const quiet = await rawServer(saying('OKAY0000'));
    const silent = await rawServer();
    const patient = watch(adbAt(quiet.port, 50));
    await patient.changed(1);

    await expect(watch(adbAt(silent.port, 50)).watching).rejects.toThrow(AdbUnavailableError);
    const state = await Promise.race([patient.watching.catch(() => 'ended'), Promise.resolve('watching')]);

    expect(state).toBe('watching');
  });
});

describe('AdbkitAdb and a server that fails', () => {
  const notAdb = 'is not an adb server';
  const silent = 'did not answer within 0.15 s';

  it.each([
    ['says nothing', () => {}, silent],
    ['hangs up', (socket: Socket) => socket.end(), closed],
    ['speaks HTTP', saying('HTTP/1.1 400 Bad Request\r\n\r\n'), notAdb],
    ['says OKAY and hangs up', saying('OKAY', (socket) => socket.end()), closed],
    ['says OKAY and no more', saying('OKAY'), silent],
    ['sends a length that is none', saying('OKAYzzzzS1\tdevice\n'), notAdb],
    ['sends half a length', saying('OKAY00', (socket) => socket.end()), closed],
    ['sends half a list and hangs up', saying('OKAY0010S1\tdev', (socket) => socket.end()), closed],
    ['sends half a list and no more', saying('OKAY0010S1\tdev'), silent],
    ['refuses and does not say why', saying('FAILzzzz'), notAdb],
    ['refuses', saying('FAIL0002no'), 'does not answer like adb: no'],
    ['says what is no list', saying('OKAY0002??'), 'cannot read host:devices-l: "??"'],
  ])('knows in time that it %s, and hangs up', async (_, serve, words) => {
    const server = await rawServer(serve);

    const failure = await adbAt(server.port, 150)
      .listDevices()
      .catch((error) => error);

    expect(failure).toBeInstanceOf(AdbUnavailableError);
    expect(failure.message).toContain(`at 127.0.0.1:${server.port} `);
    expect(failure.message).toContain(words);
    await server.quiet();
  });

  it('takes a server that refuses its version for none', async () => {
    const { port } = await rawServer(saying('FAIL0002no'));

    await expect(adbAt(port).version()).rejects.toThrow(
      new AdbUnavailableError('foreign', `the adb server at 127.0.0.1:${port} does not answer like adb: no`),
    );
  });

  it('passes on what the server refuses, in its own words', async () => {
    const { adb } = await serverWith({ ...phone, state: 'offline' });
    const [listed] = (await adb.listDevices()) as [ListedDevice];

    await expect(adb.open(listed, 'exec:x', unhurried())).rejects.toThrow(
      new AdbRefusedError('device offline'),
    );
    await expect(adb.open({ ...listed, transportId: 9 }, 'exec:x', unhurried())).rejects.toThrow(
      new AdbRefusedError("no device with transport id '9'"),
    );
  });

  it('takes it for a refusal when the server hangs up in place of an answer of the phone', async () => {
    const server = await rawServer((socket) => {
      socket.once('data', () => {
        socket.write('OKAY');
        socket.once('data', () => socket.end());
      });
    });

    await expect(
      adbAt(server.port).open({ serial: 'S1', state: 'device' }, 'exec:x', unhurried()),
    ).rejects.toThrow(new ServiceRefusedError('closed'));
  });

  it('keeps no more of a refusal than a person reads', async () => {
    const server = await rawServer(saying(`FAILffff${'x'.repeat(0xffff)}`));

    await expect(
      adbAt(server.port).open({ serial: 'S1', state: 'device' }, 'exec:x', unhurried()),
    ).rejects.toThrow(new AdbRefusedError('x'.repeat(1000)));
  });

  it('hangs up after a refusal although the server does not', async () => {
    const server = await rawServer(saying('FAIL0004gone'));

    await expect(
      adbAt(server.port).open({ serial: 'S1', state: 'device' }, 'exec:x', unhurried()),
    ).rejects.toThrow(new AdbRefusedError('gone'));
    await server.quiet();
  });

  it('gives up at once when the signal fires, and disconnects', async () => {
    const device = { serial: 'S1', state: 'device' };
    const asks: ((adb: AdbkitAdb, signal: AbortSignal) => Promise<unknown>)[] = [
      (adb, signal) => adb.listDevices(signal),
      (adb, signal) => adb.open(device, 'exec:x', signal),
    ];
    for (const ask of asks) {
      const stop = new AbortController();
      const server = await rawServer((socket) => {
        socket.once('data', () => stop.abort(new Error('enough')));
      });

      await expect(ask(adbAt(server.port, 60_000), stop.signal)).rejects.toThrow(new Error('enough'));
      await server.quiet();
      await expect(ask(adbAt(server.port, 60_000), stop.signal)).rejects.toThrow(new Error('enough'));
      await server.quiet();
    }
  });
});

describe('AdbkitAdb that waits for events', () => {
  it('has the connection looked after: a host that lost its power says no goodbye', async () => {
    const kept = vi.spyOn(Socket.prototype, 'setKeepAlive');
    onTestFinished(() => kept.mockRestore());
    const { adb } = await serverWith(phone);
    const stop = new AbortController();

    const watching = adb.watchDevices(() => stop.abort(new Error('seen')), stop.signal);

    await expect(watching).rejects.toThrow('seen');
    expect(kept).toHaveBeenCalledExactlyOnceWith(true, 15_000);
  });
});

describe('AdbkitAdb where nobody listens', () => {
  /** An `adb` first on the PATH that leaves a mark when it is run. */
  function adbThatLeavesAMark(): string {
    const folder = mkdtempSync(join(tmpdir(), 'hostnode-path-'));
    const mark = join(folder, 'was-run');
    writeFileSync(join(folder, 'adb'), `#!/bin/sh\n: >${mark}\n`, { mode: 0o755 });
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true });
    });
    return mark;
  }

  it('says so, and starts no adb', async () => {
    const mark = adbThatLeavesAMark();
    const port = await freePort();
    const adb = adbAt(port);
    const device = { serial: 'S1', state: 'device' };
    const nobody = new AdbUnavailableError('absent', `no adb server at 127.0.0.1:${port}`);

    await expect(adb.listDevices()).rejects.toThrow(nobody);
    await expect(adb.open(device, 'exec:x', unhurried())).rejects.toThrow(nobody);
    await expect(adb.watchDevices(() => {}, new AbortController().signal)).rejects.toThrow(nobody);
    expect(existsSync(mark)).toBe(false);

    // left to itself, adbkit does start one: the mark would have been seen
    await expect(Adbkit.createClient({ host: '127.0.0.1', port, bin: 'adb' }).version()).rejects.toThrow();
    expect(existsSync(mark)).toBe(true);
  });

  it('leaves no connection open in a working day', async () => {
    const { server, adb } = await serverWith(phone);
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const before = sockets();
    const [listed] = (await adb.listDevices()) as [ListedDevice];

    for (let round = 0; round < 50; round += 1) {
      await adb.listDevices();
      await allOf(await adb.open(listed, 'exec:x', unhurried()));
      await adb.open(listed, 'sync:', unhurried()).catch(() => {});
    }

    await expect.poll(sockets).toBeLessThanOrEqual(before);
    expect(server.aborted).toBeUndefined();
  });
});
