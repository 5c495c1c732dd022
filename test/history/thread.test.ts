import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/base/log.ts';
import { startHistory } from '../../src/findings/history-thread.ts';
import type { NewEvent } from '../../src/history/event.ts';

const endings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

async function stateDirectory(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'hostnode-history-'));
  endings.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

function start(stateDir: string) {
  const lines: string[] = [];
  const { logger } = createLogger({ level: 'info', format: 'json', destination: (line) => lines.push(line) });
  const history = startHistory({ settings: { stateDir, days: 90, maxMegabytes: 256 }, log: logger });
  endings.push(() => history.close());
  return { history, lines };
}

const attached = (udid: string, at: number): NewEvent => ({
  ...{ kind: 'attached', udid, at, state: 'device' },
  where: { slot: 'bay 4', devpath: '1-4.2', usbPath: 'pci-0000:00:14.0-usb-0:4.2' },
});

describe('the thread of the history', () => {
  it('says what is on the disk, and has it in the next run', async () => {
    const stateDir = await stateDirectory();
    const first = start(stateDir);
    const events = [attached('A', 1000), attached('B', 2000)];
    const isOnDisk = first.history.record(events);
    await first.history.close();
    expect(await isOnDisk).toBe(true);
    const { history, lines } = start(stateDir);
    expect(await history.events({})).toEqual([
      { ...events[1], id: 2 },
      { ...events[0], id: 1 },
    ]);
    expect(await history.ask('lastStates', undefined)).toHaveLength(2);
    expect(lines).toEqual([]);
  });
});
