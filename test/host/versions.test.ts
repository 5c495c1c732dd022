import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readNodeId } from '../../src/host/identity.ts';
import { Roster } from '../../src/roster/roster.ts';
import { readRoster, writeRoster } from '../../src/roster/store.ts';
import { PhonePlan } from '../../src/status/phone-plan.ts';
import { keptLog } from '../support/log.ts';
import { newer, older, withMore } from '../support/versions.ts';

let dir: string;
let said: string[];
const { log } = keptLog('info', ({ msg }) => said.push(msg));

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hostnode-versions-'));
  said = [];
});
afterEach(() => rmSync(dir, { recursive: true }));

const place = (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
};

/** All that an agent reads at its start and writes down later; why it could not read something. */
async function run(): Promise<string[]> {
  const roster = await readRoster(dir);
  const plan = await PhonePlan.read('maintenance', dir, log);
  const { value: record } = roster;
  const known = new Roster({ nodeId: 'rack-2', offlineNetworkMs: 60_000, ...(record && { record }) });
  await writeRoster(dir, known.record);
  await plan.keep();
  return [roster.problem, ...said].filter((text) => text !== undefined);
}

/** What a person would miss if it were not there. */
async function known() {
  const roster = await readRoster(dir);
  const plan = await PhonePlan.read('maintenance', dir, log);
  return {
    udids: roster.value?.devices.map(({ udid }) => udid),
    shared: roster.value?.sharedSerials,
    reason: plan.of('RE47644423')?.reason,
    nodeId: (await readNodeId(undefined, dir, { root: dir, env: {} })).nodeId,
  };
}

const all = {
  udids: ['RE47644423'],
  shared: ['0123456789ABCDEF'],
  reason: 'new battery',
  nodeId: '3f0c2a5e-7d61-4b7c-9c0e-5b8d1f64a927',
};

describe('the state of another version', () => {
  it('loses nothing where fields are missing that came later', async () => {
    place(older);
    expect(await run()).toEqual([]);
    expect(await known()).toEqual(all);
  });

  it('loses nothing that is known here where fields are added', async () => {
    const files = Object.entries(older).filter(([name]) => name.endsWith('.json'));
    place({ ...older, ...Object.fromEntries(files.map(([name, text]) => [name, withMore(text)])) });
    expect(await run()).toEqual([]);
    expect(await known()).toEqual(all);
  });

  it('is kept byte for byte where it is newer, and said, and the name of the host stays', async () => {
    place({ ...older, ...newer });
    const troubles = await run();
    expect(troubles).toHaveLength(2);
    for (const text of troubles)
      expect(text).toMatch(/written by a newer hostnode \(version 2, this one reads 1\)/);
    for (const [name, text] of Object.entries(newer)) {
      const [aside = ''] = readdirSync(dir).filter((each) => each.startsWith(`${name}.newer-`));
      expect(readFileSync(join(dir, aside), 'utf8')).toBe(text);
    }
    expect((await known()).nodeId).toBe(all.nodeId);
  });

  it('is not touched again by the next starts, so that a person can put it back', async () => {
    place({ ...older, ...newer });
    await run();
    said = [];
    const kept = () =>
      readdirSync(dir)
        .filter((name) => name.includes('.newer-'))
        .sort();
    const before = kept();
    expect(await run()).toEqual([]);
    expect(kept()).toEqual(before);
    for (const [name, text] of Object.entries(older)) writeFileSync(join(dir, name), text);
    await run();
    expect(await known()).toEqual(all);
    expect(kept()).toEqual(before);
  });
});
