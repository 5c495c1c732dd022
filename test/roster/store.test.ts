import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRoster, rosterBounds } from '../../src/roster/store.ts';

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
