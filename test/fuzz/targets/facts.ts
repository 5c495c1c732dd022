/** The parsers of what phones print, section by section. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ParseError } from '../../../src/base/errors.ts';
import { omitUndefined } from '../../../src/base/omit-undefined.ts';
import { DeviceInfo } from '../../../src/cloud/contract/report.ts';
import type { Facts } from '../../../src/facts/index.ts';
import { sections } from '../../../src/facts/index.ts';
import { partsOf } from '../../../src/facts/preparation.ts';
import type { CommandOptions, Section } from '../../../src/facts/section.ts';
import { buildDeviceInfo } from '../../../src/report/device-info.ts';
import { standardPolicy } from '../../../src/report/policy.ts';
import type { RosterDevice } from '../../../src/roster/device.ts';
import {
  checkTexts,
  inRange,
  nothingInherited,
  orError,
  printableLine,
  visit,
  wholeInRange,
} from '../invariants.ts';
import { vocabularyOf } from '../literals.ts';
import { answersOf } from '../samples.ts';
import { type Target, target } from '../target.ts';
import { type Text, texts } from '../texts.ts';

const asked: CommandOptions = {
  shellV2: true,
  reachabilityHost: 'example.com',
  reachabilityOnMetered: true,
  telephonyIdentifiers: true,
  readiness: partsOf(['automation', 'battery']),
};

const device: RosterDevice = {
  udid: 'R58M1',
  serial: 'R58M1',
  connection: 'usb',
  devpath: '1-4.2',
  attached: true,
  state: 'device',
  lastSeenAt: 1_717_400_000_000,
};

const MOST_BYTES = 1e18;
/** Longer is nobody's phone: a report of 100 phones would not be taken. */
const LONGEST_REPORT = 64 * 1024;

const size = (what: string, pixels: { width: number; height: number } | undefined) => {
  wholeInRange(`${what}.width`, pixels?.width, 1, 99_999);
  wholeInRange(`${what}.height`, pixels?.height, 1, 99_999);
};
const usage = (what: string, { totalBytes, usedBytes }: { totalBytes: number; usedBytes?: number }) => {
  wholeInRange(`${what}.totalBytes`, totalBytes, 1, MOST_BYTES);
  wholeInRange(`${what}.usedBytes`, usedBytes, 0, totalBytes);
};
const slots = (what: string, list: readonly { slot: number }[]) => {
  for (const { slot } of list) wholeInRange(`${what}.slot`, slot, 0, 99);
  assert.equal(new Set(list.map(({ slot }) => slot)).size, list.length, `${what} has a slot twice`);
};

/** What must hold of each section's facts beyond their types. */
const rules: { [K in keyof Facts]-?: (facts: NonNullable<Facts[K]>) => void } = {
  boot({ bootId, uptimeSeconds }) {
    inRange('uptimeSeconds', uptimeSeconds, 0, 1e12);
    assert.match(
      bootId ?? '00000000-0000-0000-0000-000000000000',
      /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    );
  },
  identity: ({ sdk }) => wholeInRange('sdk', sdk, 0, 1e9),
  name: ({ givenName }) => assert.notEqual(givenName, ''),
  root: ({ isRooted }) => assert.ok(isRooted === undefined || typeof isRooted === 'boolean'),
  battery({ levelPercent, temperatureDecicelsius, voltageMillivolts, healthPercent }) {
    wholeInRange('healthPercent', healthPercent, 1, 100);
    inRange('levelPercent', levelPercent, 0, 100);
    wholeInRange('temperatureDecicelsius', temperatureDecicelsius, -1000, 2000);
    wholeInRange('voltageMillivolts', voltageMillivolts, 0, 1e13);
  },
  wear({ fullMicroampereHours, designMicroampereHours }) {
    wholeInRange('fullMicroampereHours', fullMicroampereHours, 10_000, 48_000_000);
    wholeInRange('designMicroampereHours', designMicroampereHours, 100_000, 40_000_000);
    assert.equal(fullMicroampereHours === undefined, designMicroampereHours === undefined);
  },
  readiness: ({ dialog }) =>
    assert.ok(
      [undefined, 'NONE', 'CRASHED', 'NOT_RESPONDING', 'PERMISSION', 'CHOOSER', 'USB'].includes(dialog),
    ),
  storage: (facts) => usage('storage', facts),
  memory: (facts) => usage('memory', facts),
  screen({ physical, override }) {
    size('physical', physical);
    size('override', override);
  },
  display({ physical, logical, rotationDegrees }) {
    size('physical', physical);
    size('logical', logical);
    assert.ok([undefined, 0, 90, 180, 270].includes(rotationDegrees), `rotation ${rotationDegrees}`);
  },
  mobile: ({ subscriptions = [] }) => slots('subscriptions', subscriptions),
  identifiers({ carriers }) {
    slots('carriers', carriers);
    for (const { imei, meid, iccid } of carriers) {
      assert.match(imei ?? '490154203237518', /^\d{15}$/);
      assert.match(meid ?? 'A10000009296F2', /^[0-9A-Fa-f]{14}$/);
      assert.match(iccid ?? '89860045101234567890', /^89\d{16,18}$/);
    }
  },
  browsers({ names }) {
    assert.ok(names.length <= 100, `${names.length} browsers`);
    assert.deepEqual(names, [...new Set(names)].sort());
  },
  network({ code, host, ipAddress }) {
    wholeInRange('code', code, 100, 999);
    for (const text of [host, ipAddress]) printableLine('host or address', text ?? '', 300);
  },
};

/** The facts of one section, as the cloud gets them. */
function report(facts: Facts): void {
  const who = facts.identity ? { ...device, identity: facts.identity } : device;
  const info = buildDeviceInfo({
    device: who,
    facts,
    policy: standardPolicy,
    adbHost: '127.0.0.1',
    adbPort: 5037,
  });
  DeviceInfo.parse(info);
  visit(info, { text: (where, text) => printableLine(where, text, 1000) });
  const { length } = JSON.stringify(info);
  assert.ok(length <= LONGEST_REPORT, `the report has ${length} characters`);
}

function sectionTarget(section: Section<unknown>): Target {
  const name = section.name as keyof Facts;
  const commands = Object.keys(section.commands(asked));
  const vocabulary = vocabularyOf(`facts/${name}.ts`);
  const text = texts({ samples: answersOf(name), vocabulary });
  const inputs = fc.record(Object.fromEntries(commands.map((command) => [command, text])), {
    requiredKeys: commands.length === 1 ? commands : [],
  });
  const parse = (answers: Record<string, string>) => {
    const facts = orError(() => section.parse(answers), ParseError);
    if (facts === undefined) return;
    visit(facts, {});
    (rules[name] as (facts: unknown) => void)(facts);
    report({ [name]: facts });
  };
  return target<Record<string, Text>>({
    name: `facts-${name}`,
    inputs: inputs as fc.Arbitrary<Record<string, Text>>,
    check(input) {
      const given = Object.entries(omitUndefined(input));
      checkTexts(
        given.map(([, text]) => text),
        (spelt) => parse(Object.fromEntries(given.map(([command], index) => [command, spelt[index] ?? '']))),
      );
      nothingInherited();
    },
  });
}

export const factsTargets: readonly Target[] = sections.map(sectionTarget);
