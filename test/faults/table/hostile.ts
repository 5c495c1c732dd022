/** What a hostile phone costs the others: nothing. Each row ends with the phone as a harmless one, which is served. */
import assert from 'node:assert/strict';
import {
  endMark,
  packet,
  parseProbeScript,
  parseShellService,
  SimulatedPhone,
  startMark,
} from '../../../src/demo/phone.ts';
import { requestAgent } from '../../../src/status/http/client.ts';
import type { Fault } from '../fault.ts';
import { stateOf } from '../surroundings.ts';
import { recordingOf } from '../world.ts';
import { another, othersAreTrue, poco } from './common.ts';

const FLOODING = 10;

/** What it sends again and again instead of an answer. */
const floods = [
  ['packets of one byte', () => packet(1, Buffer.from('y'))],
  ['empty packets', () => packet(1, Buffer.alloc(0))],
  [
    'marks that are valid',
    (command: string) => {
      const { mark = '', commands: [{ name = '' } = {}] = [] } = parseProbeScript(command) ?? {};
      return packet(1, Buffer.from(startMark(mark, name) + endMark(mark, name, 0)));
    },
  ],
] as const;

class Flooding extends SimulatedPhone {
  isHostile = true;
  sentBytes = 0;
  /** In `floods`. */
  kind = 0;

  override open(service: string, signal: AbortSignal): AsyncGenerator<Buffer> | undefined {
    const shell = parseShellService(service);
    if (!this.isHostile || shell?.kind !== 'v2') return super.open(service, signal);
    return this.#pour(Buffer.concat(Array(10_000).fill(floods[this.kind]?.[1](shell.command))), signal);
  }

  async *#pour(piece: Buffer, signal: AbortSignal): AsyncGenerator<Buffer> {
    for (; !signal.aborted; this.sentBytes += piece.length) {
      yield piece;
      await new Promise(setImmediate); // this process has other work too
    }
  }
}

const newFlooding = (): Flooding[] =>
  Array.from({ length: FLOODING }, (_, index) => {
    const phone = new Flooding({ ...recordingOf(poco), serial: `FLOOD${index}`, devpath: `9-${index + 1}` });
    phone.kind = index % floods.length;
    return phone;
  });

function tenFlood(): Fault {
  let phones: Flooding[] = [];
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
      const { status } = await requestAgent(`${stateOf(world)}/hostnode.sock`, {
        path: '/healthz',
        timeoutMs: 60_000,
      });
      assert.equal(status, 200);
      await another(world, 'NEWCOMER', '8-1').plug();
      await othersAreTrue(world, '');
      for (const { serial } of phones) {
        await world.says('the phone could not be read', ({ udid }) => udid === serial);
        assert.ok(
          !world.cloud.devices().some(({ info }) => info.udid === serial && info.battery !== undefined),
        );
      }
    },
    async mend(world) {
      for (const phone of phones) phone.isHostile = false;
      world.phone('NEWCOMER').pull();
      for (const { devpath } of phones) world.adb.unplug(`usb:${devpath}`);
      await world.stored(1);
      // as phones that mean no harm they are read as all others
      for (const { serial, devpath = '' } of phones.slice(0, 1)) {
        const harmless = new SimulatedPhone({ ...recordingOf(poco), serial, devpath });
        world.adb.plug(harmless);
        await world.holds(({ udid, battery }) => udid === serial && battery !== undefined);
        world.adb.unplug(serial);
      }
    },
  };
}

export const hostile: Fault[] = [tenFlood()];
