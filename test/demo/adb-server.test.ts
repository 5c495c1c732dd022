import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import type { Recording } from '../../src/demo/recording.ts';
import { outlasts } from '../support/outlasts.ts';
import { askServer, RawAdbClient } from './adb-client.ts';

const { Adb } = createRequire(import.meta.url)('@devicefarmer/adbkit');
const run = promisify(execFile);

const pixel: Recording = {
  title: 'Pixel 5, Android 11',
  origin: [],
  serial: '0A041FDD4003EW',
  state: 'device',
  devpath: '1-4.2',
  product: 'redfin',
  model: 'Pixel 5',
  device: 'redfin',
  sdk: 30,
  answers: { 'battery.dump': ['  level: 87'], 'root.su': { lines: [], exitCode: 1 } },
};
const huawei: Recording = { ...pixel, serial: 'G700', devpath: '1-1', model: 'HUAWEI G700-U20', sdk: 19 };
const emulator: Recording = {
  title: 'emulator',
  origin: [],
  serial: 'emulator-5554',
  state: 'unauthorized',
  sdk: 34,
  answers: {},
};
const script = 'set -m;A=0a1b;B=2c3d\nq(){ :; }\nq battery.dump 3 \'dumpsys battery\'\necho;echo "$A$B."';
const conversation = '\n0a1b2c3d<battery.dump\n  level: 87\n\n0a1b2c3d>battery.dump 0\n\n0a1b2c3d.\n';

let server: SimulatedAdbServer;
beforeEach(async () => {
  server = await SimulatedAdbServer.start();
});
afterEach(() => server.stop());

describe('the lists of the simulated adb server', () => {
  it('answers the version that adb 29 to 36 want', async () => {
    expect(await askServer(server.port, 'host:version')).toBe('OKAY00040029');
  });

  it('prints short and long lines as adb does, USB phones first', async () => {
    server.plug(new SimulatedPhone(emulator));
    server.plug(new SimulatedPhone(pixel));
    expect(await askServer(server.port, 'host:devices')).toBe(
      'OKAY00310A041FDD4003EW\tdevice\nemulator-5554\tunauthorized\n',
    );
    expect((await askServer(server.port, 'host:devices-l')).slice(8)).toBe(
      '0A041FDD4003EW         device usb:1-4.2 product:redfin model:Pixel_5 device:redfin transport_id:2\n' +
        'emulator-5554          unauthorized transport_id:1\n',
    );
  });

  it('gives the adb command what it asks before it opens a shell', async () => {
    server.plug(new SimulatedPhone(pixel));
    server.plug(new SimulatedPhone(huawei));
    expect(await askServer(server.port, 'host-serial:0A041FDD4003EW:features')).toBe(
      'OKAY0014shell_v2,cmd,stat_v2',
    );
    expect(await askServer(server.port, 'host-serial:G700:features')).toBe('OKAY0000');
    const client = await RawAdbClient.open(server.port);
    client.send('host:tport:serial:G700');
    expect(await client.read(12)).toEqual(Buffer.from('OKAY\x02\0\0\0\0\0\0\0'));
    client.socket.destroy();
  });

  it('tells a tracker the list at once, and again at each change', async () => {
    const tracker = await RawAdbClient.open(server.port);
    tracker.send('host:track-devices');
    expect((await tracker.read(4)).toString()).toBe('OKAY');
    expect(await tracker.readFramed()).toBe('');
    server.plug(new SimulatedPhone(pixel));
    expect(await tracker.readFramed()).toBe('0A041FDD4003EW\tdevice\n');
    server.setState('0A041FDD4003EW', 'offline');
    expect(await tracker.readFramed()).toBe('0A041FDD4003EW\toffline\n');
    server.unplug('0A041FDD4003EW');
    expect(await tracker.readFramed()).toBe('');
    tracker.socket.destroy();
  });

  it('is understood by adbkit', async () => {
    server.plug(new SimulatedPhone(pixel));
    const client = Adb.createClient({ host: '127.0.0.1', port: server.port });
    expect(await client.version()).toBe(41);
    expect(await client.listDevices()).toEqual([{ id: '0A041FDD4003EW', type: 'device' }]);
  });

  it.skipIf(!existsSync('/usr/bin/adb'))('is understood by the adb client', async () => {
    server.plug(new SimulatedPhone(pixel));
    server.plug(new SimulatedPhone({ ...emulator, serial: '' }));
    const { stdout } = await run('/usr/bin/adb', ['-P', String(server.port), 'devices', '-l']);
    expect(stdout).toBe(
      'List of devices attached\n' +
        '0A041FDD4003EW         device usb:1-4.2 product:redfin model:Pixel_5 device:redfin transport_id:1\n' +
        '(no serial number)     unauthorized transport_id:2\n\n',
    );
    expect(server.requests.map(({ request }) => request)).not.toContain('host:kill');
  });
});

describe('choosing a phone', () => {
  it.each(['host:transport:0A041FDD4003EW', 'host:transport-id:1', 'host:transport:usb:1-4.2'])(
    'finds the phone by %s',
    async (target) => {
      server.plug(new SimulatedPhone(pixel));
      expect((await RawAdbClient.ask(server.port, target, `exec:${script}`)).toString()).toBe(
        `OKAYOKAY${conversation}`.slice(4),
      );
    },
  );

  it('refuses a serial that two phones carry, and takes either by its USB port', async () => {
    server.plug(new SimulatedPhone(pixel));
    server.plug(new SimulatedPhone({ ...pixel, devpath: '1-4.3' }));
    expect(await askServer(server.port, 'host:transport:0A041FDD4003EW')).toBe(
      'FAIL0014more than one device',
    );
    expect(
      (await RawAdbClient.ask(server.port, 'host:transport:usb:1-4.3', `exec:${script}`)).toString(),
    ).toBe(`OKAY${conversation}`);
  });

  it('refuses a phone that is absent, unauthorized, offline or without permission', async () => {
    server.plug(new SimulatedPhone(emulator));
    expect(await askServer(server.port, 'host:transport:gone')).toBe("FAIL0017device 'gone' not found");
    expect(await askServer(server.port, 'host:transport-id:1')).toMatch(/^FAIL....device unauthorized\.\n/);
    server.setState('emulator-5554', 'offline');
    expect(await askServer(server.port, 'host:transport:emulator-5554')).toBe('FAIL000edevice offline');
    server.setState('emulator-5554', 'no permissions (missing udev rules?)');
    expect(await askServer(server.port, 'host:transport:emulator-5554')).toMatch(
      /^FAIL....insufficient permissions for device \(missing udev rules\?\)$/,
    );
  });

  it('is neither killed nor connected to other phones', async () => {
    for (const request of ['host:kill', 'host:connect:10.0.0.1:5555'])
      expect(await askServer(server.port, request)).toBe('FAIL0014unknown host service');
    expect(await askServer(server.port, 'host:version')).toBe('OKAY00040029');
  });
});

describe('a conversation with a phone', () => {
  it('comes back in packets with the exit code from Android 7 on', async () => {
    server.plug(new SimulatedPhone(pixel));
    const answer = await RawAdbClient.ask(server.port, 'host:transport-id:1', `shell,v2,raw:${script}`);
    expect(textOfPackets(answer.subarray(4))).toEqual({ text: conversation, exitCode: 0 });
  });

  it('goes through a terminal on Android 4.4, which has no other shell', async () => {
    server.plug(new SimulatedPhone(huawei));
    const ask = async (service: string) =>
      (await RawAdbClient.ask(server.port, 'host:transport-id:1', service)).toString();
    expect(await ask(`shell,v2,raw:${script}`)).toBe('FAIL0006closed');
    expect(await ask(`exec:${script}`)).toBe('FAIL0006closed');
    expect(await ask(`shell:${script}`)).toBe(`OKAY${conversation.replaceAll('\n', '\r\n')}`);
  });

  it('ends when the phone is unplugged in the middle of it', async () => {
    const phone = new SimulatedPhone(pixel);
    phone.disturb('battery', { kind: 'stuck' });
    server.plug(phone);
    const client = await RawAdbClient.open(server.port);
    client.send('host:transport-id:1');
    await client.read(4);
    client.send(`exec:${script}`);
    await client.read(4 + '\n0a1b2c3d<battery.dump\n'.length);
    server.unplug('0A041FDD4003EW');
    expect((await client.readAll()).toString()).toBe('  leve');
  });

  it('is remembered request by request, with the phone that was asked', async () => {
    server.plug(new SimulatedPhone(pixel));
    await RawAdbClient.ask(server.port, 'host:transport-id:1', `exec:${script}`);
    expect(server.requests).toEqual([
      { request: 'host:transport-id:1' },
      { request: `exec:${script}`, serial: '0A041FDD4003EW' },
    ]);
  });
});

describe('an adb server in trouble', () => {
  it('aborts for everybody when a service string is longer than the packets of an old phone', async () => {
    server.plug(new SimulatedPhone(huawei));
    const bystander = await RawAdbClient.open(server.port);
    bystander.send('host:track-devices');
    const fits = `shell:${'x'.repeat(4096 - 'shell:'.length - 1)}`;
    expect((await RawAdbClient.ask(server.port, 'host:transport-id:1', fits)).toString()).toMatch(
      /^OKAYsh: x+: not found\r\n$/,
    );
    const aborted = once(server, 'aborted');
    await RawAdbClient.ask(server.port, 'host:transport-id:1', `${fits}x`);
    expect(await aborted).toEqual(['Check failed: data_length=4097 max_payload=4096']);
    expect((await bystander.readAll()).toString()).toMatch(/^OKAY/);
    expect(server.aborted).toBe('Check failed: data_length=4097 max_payload=4096');
    expect(() => server.port).toThrow('the server has stopped');
  });

  it('accepts and says nothing when it is silent', async () => {
    server.faults.silent = true;
    const client = await RawAdbClient.open(server.port);
    client.send('host:version');
    await once(server, 'request');
    server.dropConnections();
    expect((await client.readAll()).toString()).toBe('');
  });

  it('tells a tracker nothing of what happens while it is silent', async () => {
    const tracker = await RawAdbClient.open(server.port);
    tracker.send('host:track-devices');
    await tracker.read('OKAY0000'.length);
    server.faults.silent = true;
    server.plug(new SimulatedPhone(pixel));
    server.faults.silent = false;
    server.plug(new SimulatedPhone(emulator));
    expect(await tracker.readFramed()).toBe('0A041FDD4003EW\tdevice\nemulator-5554\tunauthorized\n');
  });

  it('answers something else when it is not adb at all', async () => {
    server.faults.garbage = true;
    expect(await askServer(server.port, 'host:version')).toBe('HTTP/1.1 400 Bad Request\r\n\r\n');
  });

  it('answers late when it is slow', async () => {
    server.faults.delayMs = 50;
    expect(await outlasts(45, () => askServer(server.port, 'host:version'))).toBe(true);
  });
});

/** Puts the packets of `shell,v2` together again. */
function textOfPackets(bytes: Buffer): { text: string; exitCode: number | undefined } {
  let text = '';
  let exitCode: number | undefined;
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at + 1);
    const data = bytes.subarray(at + 5, at + 5 + length);
    if (bytes[at] === 1) text += data.toString();
    if (bytes[at] === 3) exitCode = data[0];
    at += 5 + length;
  }
  return { text, exitCode };
}
