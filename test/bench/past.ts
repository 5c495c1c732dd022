/** A past of the phones of the bench, as an agent would have written it. */
import { closeSync, openSync } from 'node:fs';
import { openDatabase } from '../../src/history/store/database.ts';
import { historyFile } from '../../src/history/store/file.ts';
import type { Change } from '../../src/history/store/history.ts';
import { Store } from '../../src/history/store/store.ts';
import { pastOf, pastUdid } from '../support/history-days.ts';

/** Writes a history of the first phones of the bench, each lost eight times a day. @returns how many events it has */
export function writePast(stateDir: string, { phones, days }: { phones: number; days: number }): number {
  const file = historyFile(stateDir);
  closeSync(openSync(file, 'wx', 0o600));
  const store = new Store(openDatabase(file));
  const names = new Map(Array.from({ length: phones }, (_, phone) => [pastUdid(phone), `BENCH${phone}`]));
  let count = 0;
  for (const batch of pastOf({ phones, days, until: Date.now() })) {
    const changes = batch.map((change): Change => {
      if (change.kind !== 'events' && change.kind !== 'samples') return change;
      const named = <T extends { udid?: string | undefined }>(one: T): T => ({
        ...one,
        ...(one.udid !== undefined && { udid: names.get(one.udid) ?? one.udid }),
      });
      if (change.kind === 'samples') return { ...change, samples: change.samples.map(named) };
      count += change.events.length;
      return { ...change, events: change.events.map(named) };
    });
    store.write(changes);
  }
  store.close();
  return count;
}
