/** Files of the state directory, as a crash, a person or another version may have left them. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { isAnotherHost, markHost, readHostMark, readNodeId } from '../../../src/host/identity.ts';
import { maintenanceRemark } from '../../../src/report/remark.ts';
import { Roster } from '../../../src/roster/roster.ts';
import { readRoster, writeRoster } from '../../../src/roster/store.ts';
import { PhonePlan } from '../../../src/status/phone-plan.ts';
import { silentLog } from '../../support/log.ts';
import { nothingInherited } from '../invariants.ts';
import { type Target, target } from '../target.ts';
import { hostile, spelt, type Text, texts } from '../texts.ts';

/** No build of these years calls it wrong. */
const NOW = Date.UTC(2030, 0, 1);

const record = {
  version: 1,
  devices: [
    {
      udid: 'R58M1',
      serial: 'R58M1',
      connection: 'usb',
      devpath: '1-4.2',
      portPaths: ['pci-0000:00:14.0-usb-0:4.2', '1-4.2'],
      attached: true,
      state: 'device',
      lastSeenAt: NOW,
      identity: { serialNumber: 'R58M1', model: 'SM-G991B', sdk: 34, isEmulator: false },
      givenName: 'Kiosk',
      boot: { id: '9b1f0c4a-0000-4000-8000-1234567890ab', bootTimeSeconds: NOW / 1000 - 400_000 },
      reported: true,
      wasStored: true,
    },
    {
      udid: '192.168.1.7:5555@rack-2',
      serial: '192.168.1.7:5555',
      connection: 'tcp',
      attached: false,
      state: 'disconnected',
      lastSeenAt: NOW - 86_400_000,
      goneAt: NOW - 80_000_000,
      supersededBy: 'R58M1',
    },
  ],
  sharedSerials: ['0123456789ABCDEF'],
  partedPlaces: ['1-4.3'],
};
const plan = { version: 1, phones: [{ udid: 'R58M1', until: NOW + 3_600_000, reason: 'new battery' }] };
/** A good file's text, with parts of it changed, left out or added, whole values or single letters. */
function files(good: object): fc.Arbitrary<Text> {
  const text = JSON.stringify(good);
  const words = [...text.matchAll(/"[^"]*"|-?\d+|true|false|null/g)].map(([word]) => word);
  const values = fc.oneof(
    fc.constantFrom(
      'null',
      '{}',
      '[]',
      '-1',
      '1e999',
      '0.5',
      'true',
      '""',
      '"__proto__"',
      '9007199254740993',
    ),
    fc.constantFrom(
      '['.repeat(5000),
      '{"a":'.repeat(5000),
      '"\\ud800"',
      '"\\u0000"',
      '2',
      '"2"',
      '8.64e15',
      '8.65e15',
    ),
    fc.json({ maxDepth: 2 }),
  );
  const changed = fc
    .array(fc.tuple(fc.nat(words.length - 1), values), { minLength: 1, maxLength: 4 })
    .map((changes) => {
      let at = -1;
      const replaced = new Map(changes);
      return text.replace(/"[^"]*"|-?\d+|true|false|null/g, (word) => {
        at += 1;
        return replaced.get(at) ?? word;
      });
    });
  const whole = texts({ samples: [text], vocabulary: { words: [...words, ...hostile], phrases: [] } });
  return fc.oneof(
    { arbitrary: changed, weight: 4 },
    { arbitrary: whole, weight: 4 },
    { arbitrary: fc.json(), weight: 1 },
  );
}

let folder: string;
const open = async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostnode-fuzz-'));
  return () => rm(folder, { recursive: true, force: true });
};

/** One file of a state directory that has no other. `check` gets the directory, and what was written to the file. */
const fileTarget = (
  name: string,
  file: string,
  inputs: fc.Arbitrary<Text>,
  check: (dir: string, text: string) => Promise<void>,
): Target =>
  target<Text>({
    name,
    inputs,
    open,
    async check(input) {
      const text = spelt(input, 20_000);
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder);
      await writeFile(join(folder, file), text);
      await check(folder, text);
      nothingInherited();
    },
  });

/** What could not be used is still somewhere, as it was. */
async function keptAside(dir: string, text: string): Promise<void> {
  const names = await readdir(dir);
  const found = await Promise.all(names.map((name) => readFile(join(dir, name))));
  assert.ok(
    found.some((bytes) => bytes.equals(Buffer.from(text))),
    `it is lost: ${names.join()}`,
  );
}

const rosterFile = fileTarget('state-roster', 'roster.json', files(record), async (dir, text) => {
  const { value } = await readRoster(dir);
  if (value === undefined) return keptAside(dir, text);
  const roster = new Roster({ nodeId: 'rack-2', offlineNetworkMs: 60_000, record: value, now: NOW });
  for (const { udid, attached } of roster.devices) assert.ok(udid !== '' && !attached);
  roster.observe([{ serial: 'R58M1', state: 'device', devpath: '1-4.2', transportId: 3 }], NOW);
  await writeRoster(dir, roster.record);
  const again = await readRoster(dir);
  assert.equal(again.problem, undefined);
  assert.deepEqual(again.value?.devices.length, roster.record.devices.length);
});

const maintenanceFile = fileTarget(
  'state-maintenance',
  'maintenance.json',
  files(plan),
  async (dir, text) => {
    const read = await PhonePlan.read('maintenance', dir, silentLog);
    for (const entry of read.list(NOW)) {
      assert.ok(entry.until > NOW);
      maintenanceRemark(entry, true, NOW);
    }
    if ((await readdir(dir)).every((name) => name !== 'maintenance.json')) await keptAside(dir, text);
    await read.begin(['R58M2'], { until: NOW + 1e12, reason: 'x' });
    const again = await PhonePlan.read('maintenance', dir, silentLog);
    assert.equal(again.of('R58M2', NOW)?.reason, 'x');
  },
);

const markFile = fileTarget(
  'state-host-mark',
  'host-mark.json',
  files(markHost('rack-2', ['a', 'b'], '0011223344556677')),
  async (dir, text) => {
    const { value } = await readHostMark(dir);
    if (value === undefined) return keptAside(dir, text);
    assert.ok(!isAnotherHost(value, []), 'without a sign it is no other host');
    isAnotherHost(value, ['a', '__proto__', '']);
  },
);

const nodeIdFile = fileTarget(
  'state-node-id',
  'node-id',
  fc.oneof(
    texts({ samples: ['3f0c2a5e-7d61-4b7c-9c0e-5b8d1f64a927\n'], vocabulary: { words: [], phrases: [] } }),
    fc.constantFrom('', '\n', '0'.repeat(32)),
  ),
  async (dir) => {
    const place = { root: dir, env: {} };
    const { nodeId } = await readNodeId(undefined, dir, place);
    assert.match(nodeId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.equal((await readNodeId(undefined, dir, place)).nodeId, nodeId);
  },
);

export const stateTargets: readonly Target[] = [rosterFile, maintenanceFile, markFile, nodeIdFile];
