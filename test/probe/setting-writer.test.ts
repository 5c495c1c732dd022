import { expect, it, onTestFinished } from 'vitest';
import { AdbkitAdb } from '../../src/adb/adbkit.ts';
import { AdbRefusedError } from '../../src/base/errors.ts';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import type { Place } from '../../src/facts/preparation.ts';
import { commandOf, writeSettings } from '../../src/probe/setting-writer.ts';
import { recordingOf } from '../support/stage.ts';

const SCALE = 'global window_animation_scale';
const STAY = 'global stay_on_while_plugged_in';

async function plugged(serial: string) {
  const phone = new SimulatedPhone(recordingOf(serial));
  phone.settings = new Map([['global adb_enabled', '1']]);
  const server = await SimulatedAdbServer.start();
  onTestFinished(() => server.stop());
  server.plug(phone);
  const adb = new AdbkitAdb({ host: '127.0.0.1', port: server.port, requestTimeoutMs: 5_000 });
  const [device] = await adb.listDevices();
  if (device === undefined) throw new Error('adb lists no phone');
  return { phone, adb, device };
}

it.each(['f12a8ec9', 'MANSI56G2N80F7K4'])(
  'sets and deletes values on a phone of any Android: %s',
  async (serial) => {
    const { phone, adb, device } = await plugged(serial);
    const writes = [
      { place: SCALE, value: 0 },
      { place: STAY, value: 7 },
    ] as const;
    expect(await writeSettings(adb, device, writes)).toEqual([]);
    expect(Object.fromEntries(phone.settings ?? [])).toMatchObject({ [SCALE]: '0', [STAY]: '7' });
    const undo = [
      { place: SCALE, value: 0.5 },
      { place: STAY, value: undefined },
    ] as const;
    expect(await writeSettings(adb, device, undo)).toEqual([]);
    expect([...(phone.settings ?? [])]).toEqual([
      ['global adb_enabled', '1'],
      [SCALE, '0.5'],
    ]);
  },
);

it('says in one printable line what a phone has against it', async () => {
  const { phone, adb, device } = await plugged('f12a8ec9');
  phone.settings = undefined; // as if it had no such command
  expect(await writeSettings(adb, device, [{ place: SCALE, value: 0 }])).toEqual([
    `settings put ${SCALE} 0: sh: settings: not found`,
  ]);
});

it('fails for a phone that adb does not reach', async () => {
  const { phone, adb, device } = await plugged('f12a8ec9');
  phone.state = 'offline';
  await expect(writeSettings(adb, device, [{ place: SCALE, value: 0 }])).rejects.toThrow(AdbRefusedError);
});

it.each<[string, number | undefined]>([
  ['global adb_enabled', 0], // none of ours
  ['global window_animation_scale;reboot', 0],
  ['secure android_id', undefined],
  [SCALE, Number.NaN],
  [SCALE, Number.POSITIVE_INFINITY],
  [SCALE, 1e21],
  [SCALE, '1; reboot' as unknown as number],
])('sends nothing but its own keys and numbers: %s, %s', async (place, value) => {
  expect(() => commandOf({ place: place as Place, value })).toThrow(RangeError);
});
