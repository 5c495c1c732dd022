import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contextOf, evaluationOf, lastLookAt } from '../../../src/diagnosis/evaluation.ts';
import type { NewEvent } from '../../../src/diagnosis/events/event.ts';
import { PassedOnBlames } from '../../../src/diagnosis/explain/passed-on.ts';
import { firstBlameOf, newestBlamesOf } from '../../../src/diagnosis/losses/attribution.ts';
import type { RuleInput } from '../../../src/diagnosis/rule-input.ts';
import type { Change } from '../../../src/diagnosis/store/change.ts';
import { openDatabase } from '../../../src/diagnosis/store/database.ts';
import type { EventQuery } from '../../../src/diagnosis/store/history.ts';
import { Store } from '../../../src/diagnosis/store/store.ts';

const now = Date.UTC(2026, 10, 22, 12);
const where = (number: number) => ({
  ...{ slot: `bay ${number}`, devpath: `1-4.${number}` },
  ...{ usbPath: `pci-0000:00:14.0-usb-0:4.${number}`, hub: 'pci-0000:00:14.0-usb-0:4' },
});
const udids = ['A', 'B', 'C', 'D', 'E'];
const picture: RuleInput = {
  ...{ at: now, isAdbListed: true },
  phones: udids.map((udid, index) => ({
    ...{ udid, serial: udid, name: `Phone ${udid}`, connection: 'usb', where: where(index + 1) },
    ...{ attached: true, state: 'device', isInMaintenance: false },
  })),
};
const attached = (udid: string, at: number, number: number): NewEvent => ({
  ...{ kind: 'attached', state: 'device', udid, at, where: where(number) },
});
const lost = (udid: string, at: number, number: number): NewEvent => ({
  ...{ kind: 'detached', udid, at, where: where(number) },
});

/** Each phone is lost on four days; then all go at once. */
const events: NewEvent[] = udids.flatMap((udid, index) => [
  attached(udid, now - 20 * 86_400_000, index + 1),
  ...[9, 8, 7, 6]
    .map((days) => now - days * 86_400_000 + index * 3_600_000)
    .flatMap((at) => [lost(udid, at, index + 1), attached(udid, at + 20_000, index + 1)]),
]);
/** E stays. */
const lastly: NewEvent[] = udids
  .slice(0, 4)
  .map((udid, index) => lost(udid, now - 3_600_000 + index * 100, index + 1));

const subjects: EventQuery[] = [
  ...udids.map((udid) => ({ udids: [udid] })),
  ...[1, 3, 5].flatMap((number) => [
    { slots: [where(number).slot] },
    { usbPath: where(number).usbPath },
    { hub: where(number).hub },
  ]),
  { udids: ['Z'] },
];

/** A file, opened as one thread after the other opens it. */
async function file() {
  const folder = await mkdtemp(join(tmpdir(), 'hostnode-passed-on-'));
  const path = join(folder, 'history.sqlite');
  await writeFile(path, '');
  let number = 0;
  const stores: Store[] = [];
  return {
    next() {
      stores.at(-1)?.close();
      const store = new Store(openDatabase(path));
      stores.push(store);
      const passes = new PassedOnBlames();
      const write = (...changes: Change[]) => {
        number += 1;
        store.write({ session: 'one', number, changes });
      };
      return { store, passes, write };
    },
    async [Symbol.asyncDispose]() {
      stores.at(-1)?.close();
      await rm(folder, { recursive: true });
    },
  };
}

describe('the next thread', () => {
  it('blames the same for each phone, slot, port and hub, and reads no events for it', async () => {
    await using shared = await file();
    const first = shared.next();
    first.write({ kind: 'events', events: [...events, ...lastly] });
    evaluationOf(first.store, picture);
    const blames = subjects.map((of) =>
      firstBlameOf(first.store.events(of), contextOf(first.store, picture)),
    );
    expect(new Set(blames.map((found) => found?.blame.party)).size).toBeGreaterThan(1);
    const left = first.passes.leave(first.store);
    const second = shared.next();
    second.passes.take(JSON.parse(JSON.stringify(left)));
    const found = subjects.map((of) => second.passes.firstOf(second.store.events(of), second.store, picture));
    const plain = (each: ReturnType<typeof firstBlameOf>) => each && [each.at, each.udid, each.blame];
    expect(found.map(plain)).toEqual(blames.map(plain));
    expect(lastLookAt(second.store)).toBeUndefined();
    // one that only answered passes it on
    const third = shared.next();
    third.passes.take(second.passes.leave(second.store));
    expect(third.passes.firstOf(third.store.events({ udids: ['A'] }), third.store, picture)).toMatchObject(
      blames[0] ?? {},
    );
  });

  it.each<[string, Change, string]>([
    [
      'after a new event',
      { kind: 'events', events: [attached('A', now - 60_000, 1), lost('A', now - 50_000, 1)] },
      'A',
    ],
    ['after a phone got another udid', { kind: 'renamed', from: 'A', to: 'A2' }, 'A2'],
  ])('reads the events itself %s', async (_, change, udid) => {
    await using shared = await file();
    const first = shared.next();
    first.write({ kind: 'events', events: [...events, ...lastly] });
    evaluationOf(first.store, picture);
    const left = first.passes.leave(first.store);
    const second = shared.next();
    second.passes.take(left);
    second.write(change);
    const found = second.passes.firstOf(second.store.events({ udids: [udid] }), second.store, picture);
    expect(found).toMatchObject({ udid });
    expect(lastLookAt(second.store)).toBeDefined();
  });

  it('gets nothing that was not judged, and nothing that is too much', async () => {
    await using shared = await file();
    const { store, passes, write } = shared.next();
    write({ kind: 'events', events });
    expect(passes.leave(store)).toBeUndefined();
    evaluationOf(store, picture);
    expect(passes.leave(store)).toBeDefined();
    write({ kind: 'forget', udids: ['A'] });
    expect(passes.leave(store)).toBeUndefined();
    evaluationOf(store, picture);
    write({ kind: 'events', events: lastly });
    expect(passes.leave(store)).toBeUndefined();
    expect(newestBlamesOf(contextOf(store, picture), 3)).toBeUndefined();
  });
});
