/** What a hostile phone costs the others: nothing. */
import assert from 'node:assert/strict';
import { SimulatedPhone } from '../../../src/demo/phone.ts';
import { requestAgent } from '../../../src/status/http/client.ts';
import { FloodingPhone, floods } from '../../support/flooding-phone.ts';
import type { Fault } from '../fault.ts';
import { stateOf } from '../surroundings.ts';
import { recordingOf } from '../world.ts';
import { another, othersAreTrue, poco } from './common.ts';

const FLOODING = 10;

const newFlooding = (): FloodingPhone[] =>
  Array.from({ length: FLOODING }, (_, index) => {
    const recording = { ...recordingOf(poco), serial: `FLOOD${index}`, devpath: `9-${index + 1}` };
    return new FloodingPhone(recording, index);
  });

function tenFlood(): Fault {
  let phones: FloodingPhone[] = [];
  return {
    name: `ten phones send ${floods.map(([what]) => what).join(', ')} without end`,
    fault(world) {
      phones = newFlooding();
      for (const phone of phones) {
        world.witness.guests.add(phone.serial);
        world.adb.plug(phone);
      }
    },
    async observed(world) {
      await world.until(() => phones.every(({ sentBytes }) => sentBytes > 0), 'they do not flood');
      const socket = `${stateOf(world)}/hostnode.sock`;
      const { status } = await requestAgent(socket, { path: '/healthz', timeoutMs: 60_000 });
      assert.equal(status, 200);
      await another(world, 'NEWCOMER', '8-1').plug();
      await othersAreTrue(world, '');
      for (const { serial } of phones) {
        await world.says('the phone could not be read', ({ udid }) => udid === serial);
        const found = world.cloud.devices().find(({ info }) => info.udid === serial);
        assert.equal(found?.info.battery, undefined);
      }
    },
    async mend(world) {
      world.phone('NEWCOMER').pull();
      for (const { devpath } of phones) world.adb.unplug(`usb:${devpath}`);
      await world.stored(1);
      // in its place one that means no harm is read as all others
      const { serial = '', devpath = '' } = phones[0] ?? {};
      world.adb.plug(new SimulatedPhone({ ...recordingOf(poco), serial, devpath }));
      await world.holds(({ udid, battery }) => udid === serial && battery !== undefined);
      world.adb.unplug(serial);
    },
  };
}

export const hostile: Fault[] = [tenFlood()];
