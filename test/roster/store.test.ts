import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DISK_TIMEOUT_MS } from '../../src/host/state-file.ts';
import type { RosterRecord } from '../../src/roster/device.ts';
import { Roster } from '../../src/roster/roster.ts';
import { RosterWriter, readRoster, rosterBounds } from '../../src/roster/store.ts';
import { keptLog, type LogLine } from '../support/log.ts';

describe('the file', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'hostnode-store-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const phone = (udid: string) => ({
    udid,
    serial: 'A',
    connection: 'usb',
    attached: true,
    state: 'device',
    lastSeenAt: 1_790_000_000_000,
    reported: true,
  });

  async function read(devices: unknown[]) {
    await writeFile(join(dir, 'roster.json'), JSON.stringify({ version: 1, devices, sharedSerials: ['S'] }));
    return readRoster(dir);
  }

  describe('a bad record of a roster', () => {
    it.each([
      ['a blank udid', phone(' ')],
      ['an empty udid', phone('')],
      ['no members', {}],
      ['another kind', []],
    ])('with %s costs only itself', async (_, bad) => {
      const { value, problem } = await read([phone('A'), bad, phone('B')]);
      expect([value?.devices.map(({ udid }) => udid), value?.sharedSerials, problem]).toEqual([
        ['A', 'B'],
        ['S'],
        undefined,
      ]);
    });

    it('does not cost the serials that phones share, if its udid is blank', async () => {
      expect((await read([phone(' ')])).value).toMatchObject({ devices: [], sharedSerials: ['S'] });
    });

    it.each([
      ['all records are bad', [{}, []], 'devices.1.udid'],
      ['very many are', [phone('A'), ...Array(200).fill({})], 'devices.2.udid'],
    ])('costs the file where %s', async (_, devices, place) => {
      const { value, movedTo, problem } = await read(devices);
      expect([value, movedTo !== undefined]).toEqual([undefined, true]);
      expect(problem).toContain(`is damaged (unexpected content at ${place})`);
    });
  });

  describe('the bounds of a roster', () => {
    it('are within what can be read, and grow with roster.maxPhones', () => {
      expect([1, 2000, 4000].map((phones) => rosterBounds(phones).mostBytes / 1024 ** 2)).toEqual([
        23.4375, 23.4375, 46.875,
      ]);
      expect(rosterBounds(100_000).mostBytes).toBeLessThan(0x1fffffe8); // V8's longest text
    });

    it('refuse seven million records before they are parsed', async () => {
      await writeFile(join(dir, 'roster.json'), `{"version":1,"devices":[${'[],'.repeat(7e6)}[]]}`);
      expect((await readRoster(dir)).problem).toContain('is damaged (more than 400000 values)');
    });
  });
});

describe('what is written to it', () => {
  const unwritable = 'the roster cannot be written; a restart would forget phones';
  const writable = 'the roster can be written again';

  let stateDir: string;
  let roster: Roster;
  let log: LogLine[];
  beforeEach(() => {
    stateDir = join(mkdtempSync(join(tmpdir(), 'hostnode-keeper-')), 'state');
    mkdirSync(stateDir);
    roster = new Roster({ nodeId: 'node-1', offlineNetworkMs: 600_000 });
    log = [];
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
    rmSync(join(stateDir, '..'), { recursive: true, force: true });
  });

  /** adb lists these phones. */
  const list = (...serials: string[]) =>
    roster.observe(
      serials.map((serial, index) => ({ serial, state: 'device', devpath: `1-${index + 1}` })),
      Date.now(),
    );

  function keeperOf(write?: (record: RosterRecord) => Promise<void>): RosterWriter {
    const { log: logger } = keptLog('info', (line) => log.push(line));
    return new RosterWriter({ stateDir, roster, log: logger, ...(write && { write }) });
  }

  /** A disk whose writes end when the test says so. */
  function slowDisk() {
    const writes: { udids: string[]; end(): void; fail(why: Error): void }[] = [];
    const write = ({ devices }: RosterRecord) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      writes.push({ udids: devices.map(({ udid }) => udid), end: resolve, fail: reject });
      return promise;
    };
    return { writes, write };
  }

  const HOUR_MS = 3_600_000;
  const listed = ['PIXEL-A', 'PIXEL-B', 'PIXEL-C'];
  const said = () => log.map(({ msg, err }) => [msg, (err as Error | undefined)?.message]);
  const written = async () => (await readRoster(stateDir)).value;

  describe('RosterWriter', () => {
    it('writes the phones down, and not again while nothing has changed', async () => {
      const disk = slowDisk();
      list('PIXEL-A');
      const keeper = keeperOf();
      await keeper.save();
      expect((await written())?.devices).toEqual(roster.record.devices);

      const again = keeperOf(disk.write);
      const first = again.save();
      await vi.waitFor(() => expect(disk.writes).toHaveLength(1), 50_000);
      disk.writes[0]?.end();
      await first;
      await again.save();
      expect(disk.writes).toHaveLength(1);
    });

    it('writes once an hour when a phone was last seen', async () => {
      list('PIXEL-A');
      const firstSeenAt = Date.now();
      const keeper = keeperOf();
      await keeper.save();
      const lastSeenAt = async () => (await written())?.devices[0]?.lastSeenAt;

      vi.setSystemTime(firstSeenAt + HOUR_MS - 1);
      list('PIXEL-A');
      await keeper.save();
      expect(await lastSeenAt()).toBe(firstSeenAt);

      vi.setSystemTime(firstSeenAt + HOUR_MS);
      list('PIXEL-A');
      await keeper.save();
      expect(await lastSeenAt()).toBe(firstSeenAt + HOUR_MS);
    });

    it('writes again what somebody has removed or replaced', async () => {
      const file = join(stateDir, 'roster.json');
      const changes = [
        () => rmSync(file),
        () => rmSync(stateDir, { recursive: true }),
        () => writeFileSync(file, '{"version":1,"devices":[],"sharedSerials":[],"partedPlaces":[]}'),
      ];
      list('PIXEL-A');
      const keeper = keeperOf();
      await keeper.save();
      for (const change of changes) {
        change();
        await keeper.save();
        expect((await written())?.devices.map(({ udid }) => udid)).toEqual(['PIXEL-A']);
      }
      expect(said()).toEqual([]);
    });

    it('makes one write of all that comes while one is under way', async () => {
      const { writes, write } = slowDisk();
      const keeper = keeperOf(write);
      const saves = [];
      for (const [index] of listed.entries()) {
        list(...listed.slice(0, index + 1));
        saves.push(keeper.save());
        await vi.waitFor(() => expect(writes).toHaveLength(1), 50_000);
      }
      writes[0]?.end();
      await saves[0];
      await vi.waitFor(() => expect(writes).toHaveLength(2), 50_000);
      writes[1]?.end();
      await Promise.all(saves);
      expect(writes.map(({ udids }) => udids)).toEqual([['PIXEL-A'], listed]);
    });

    it('says once that the disk takes nothing, and once that it does again', async () => {
      rmSync(stateDir, { recursive: true });
      writeFileSync(stateDir, '');
      const keeper = keeperOf();
      list('PIXEL-A');
      await keeper.save();
      list('PIXEL-A', 'PIXEL-B');
      await keeper.save();
      rmSync(stateDir);
      await keeper.save();
      await keeper.save();
      expect(said()).toEqual([
        [unwritable, `cannot write ${join(stateDir, 'roster.json')}: a part of the path is not a directory`],
        [writable, undefined],
      ]);
      expect((await written())?.devices.map(({ udid }) => udid)).toEqual(['PIXEL-A', 'PIXEL-B']);
    });

    it('waits no longer than 5 s for a disk that hangs, says so once, and writes the rest when it is back', async () => {
      const { writes, write } = slowDisk();
      const keeper = keeperOf(write);
      list('PIXEL-A');
      const hung = keeper.save();
      const startedAt = Date.now();
      await vi.advanceTimersByTimeAsync(DISK_TIMEOUT_MS);
      await hung;
      expect(Date.now() - startedAt).toBe(5_000);

      list('PIXEL-A', 'PIXEL-B');
      await keeper.save(); // at once: it is known to hang
      await keeper.save();
      expect(Date.now() - startedAt).toBe(5_000);
      expect(writes).toHaveLength(1);
      expect(said()).toEqual([[unwritable, `cannot write ${stateDir}: the disk has not answered for 5 s`]]);

      writes[0]?.end();
      await vi.waitFor(() => expect(writes).toHaveLength(2), 50_000);
      writes[1]?.end();
      await keeper.save();
      expect(writes.map(({ udids }) => udids)).toEqual([['PIXEL-A'], ['PIXEL-A', 'PIXEL-B']]);
      expect(said().slice(1)).toEqual([[writable, undefined]]);
    });

    it('says of a disk that hung what it answered in the end', async () => {
      const { writes, write } = slowDisk();
      const keeper = keeperOf(write);
      list('PIXEL-A');
      const hung = keeper.save();
      await vi.advanceTimersByTimeAsync(DISK_TIMEOUT_MS);
      await hung;
      writes[0]?.fail(new Error('EIO'));
      await vi.waitFor(() => expect(said()).toHaveLength(2), 50_000);
      expect(said()[1]).toEqual([unwritable, 'EIO']);
    });
  });
});
