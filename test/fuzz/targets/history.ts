/** The history's file, as a dying disk, a person or another program may have left it. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import type { HistoryEvent, NewEvent } from '../../../src/history/events/event.ts';
import type { Change } from '../../../src/history/store/history.ts';
import { StoreOpener } from '../../../src/history/store/opener.ts';
import { nothingInherited } from '../invariants.ts';
import { target } from '../target.ts';

const udids = ['R58M1', '192.168.1.7:5555@rack-2'];
const where = {
  slot: 'bay 4',
  devpath: '1-4.2',
  usbPath: 'pci-0000:00:14.0-usb-0:4.2',
  hub: 'pci-0000:00:14.0-usb-0:4',
};
const events: NewEvent[] = Array.from({ length: 40 }, (_, index) => {
  const phone = { udid: udids[index % 2] ?? '', where, at: 1_800_000_000_000 + index * 60_000 };
  return index % 4 < 2
    ? { kind: 'attached', ...phone, state: 'device' }
    : { kind: 'note', ...phone, text: `${'cable '.repeat(index)}${index}` };
});
const samples = events.map(({ at, udid = '' }) => ({ at, udid, levelPercent: 50 }));
const changes: Change[] = [
  { kind: 'events', events },
  { kind: 'samples', samples },
];
const more: NewEvent = { kind: 'adbBack', at: 1 };

const open = (stateDir: string) =>
  new StoreOpener({ stateDir, days: 90, maxMegabytes: 16 }, { say: () => {} });

let folder: string;
let whole: Buffer;

/** Where in the file, as a part of it, and what is there then; a file that ends there. */
interface Damage {
  bytes: { at: number; mask: number }[];
  /** Zeroes, as of a block that was never written. */
  blocks: number[];
  endsAt: number;
}

const part = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const damages: fc.Arbitrary<Damage> = fc.record({
  bytes: fc.array(
    fc.record({
      at: fc.oneof(
        part,
        part.map((at) => at / 200),
      ),
      mask: fc.integer({ min: 1, max: 255 }),
    }),
    { maxLength: 12 },
  ),
  blocks: fc.array(part, { maxLength: 2 }),
  endsAt: fc.oneof({ arbitrary: fc.constant(1), weight: 5 }, { arbitrary: part, weight: 1 }),
});

function damaged({ bytes, blocks, endsAt }: Damage): Buffer {
  const file = Buffer.from(whole);
  for (const { at, mask } of bytes) {
    const place = Math.floor(at * file.length);
    file[place] = (file[place] ?? 0) ^ mask;
  }
  for (const at of blocks) {
    const begin = Math.floor((at * file.length) / 512) * 512;
    file.fill(0, begin, begin + 512);
  }
  return file.subarray(0, Math.ceil(endsAt * file.length));
}

const wasRecorded = ({ id, ...event }: HistoryEvent): boolean => isDeepStrictEqual(event, events[id - 1]);

export const historyTargets = [
  target<Damage>({
    name: 'state-history',
    inputs: damages,
    async open() {
      folder = await mkdtemp(join(tmpdir(), 'hostnode-fuzz-'));
      const opener = open(folder);
      await opener.write(changes);
      opener.close();
      whole = await readFile(join(folder, 'history.sqlite'));
      return () => rm(folder, { recursive: true, force: true });
    },
    async check(damage) {
      const stateDir = join(folder, 'damaged');
      await rm(stateDir, { recursive: true, force: true });
      await mkdir(stateDir);
      await writeFile(join(stateDir, 'history.sqlite'), damaged(damage));
      const opener = open(stateDir);
      try {
        const found = await opener.ask((store) => store.events());
        const strange = found.find((event) => !wasRecorded(event));
        assert.equal(strange, undefined, 'an event was made up');
        assert.equal(new Set(found.map(({ id }) => id)).size, found.length, 'an event is there twice');
        for (const udid of udids) {
          await opener.ask((store) => store.samples(udid, 0));
          assert.equal((await opener.ask((store) => store.uptime(udid, 90))).length, 90);
        }
        await opener.ask((store) => store.lastStates());
        await recordsMore(opener);
      } finally {
        opener.close();
      }
      nothingInherited();
    },
  }),
];

/** A write that comes upon the damage finds a new file at its next attempt. */
async function recordsMore(opener: StoreOpener): Promise<void> {
  const batch = [{ kind: 'events' as const, events: [more] }];
  await opener.write(batch).catch(() => opener.write(batch));
  const found = await opener.ask((store) => store.events({ kinds: ['adbBack'] }));
  assert.equal(found.length, 1, 'it does not take a new event');
}
