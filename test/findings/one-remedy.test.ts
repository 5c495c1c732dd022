/** One problem has one remedy: in the list of causes, beside the phone, in `why` and in the cloud, whatever its code. */
import { expect, it } from 'vitest';
import { evaluatePresent } from '../../src/diagnosis/evaluate.ts';
import type { Finding } from '../../src/diagnosis/finding.ts';
import { KEY_OF_BEFORE, remedyFor } from '../../src/diagnosis/remedies.ts';
import type { PhoneInput } from '../../src/diagnosis/rule-input.ts';
import { findingCodes, presentRules } from '../../src/diagnosis/rules/index.ts';
import type { Facts } from '../../src/facts/index.ts';
import { buildMessage, problemOf } from '../../src/report/message.ts';
import { messageWith } from '../../src/report/remark.ts';
import type { RosterDevice } from '../../src/roster/device.ts';
import {
  causeStatusOf,
  causesOf,
  findingsByPhone,
  signOf,
  withFindings,
  withoutExplained,
} from '../../src/status/causes.ts';
import { FindingsBoard } from '../../src/status/findings-board.ts';
import { resolveName } from '../../src/status/names.ts';
import { whyOf } from '../../src/status/why.ts';
import { findingsIn } from '../support/findings-in.ts';
import { silentLog } from '../support/log.ts';
import { phone as samplePhone } from '../support/sample-status.ts';
import { stories } from './all-stories.ts';
import { scenesOf } from './story.ts';
import { at, phone, START } from './told.ts';

const deviceOf = (input: PhoneInput) => input as unknown as RosterDevice;
const factsOf = ({ bootCompleted, isDataLocked, network }: PhoneInput) =>
  ({
    ...(bootCompleted !== undefined && { boot: { bootCompleted, dataLocked: isDataLocked } }),
    ...(network === 'UNREACHABLE' && { network: { status: network, code: 302 } }),
  }) as Facts;

type Told = ReturnType<typeof causeStatusOf>[];

/** What each place says to do about the phones that need attention: it must be the same. */
function remediesOf(inputs: readonly PhoneInput[], findings: readonly Finding[], now: number) {
  const phones = inputs.map((input) => ({
    ...input,
    remedy: buildMessage(deviceOf(input), factsOf(input), input.isSilent),
  }));
  const board = new FindingsBoard(silentLog, now);
  board.take(findings, { phones });
  const present = Map.groupBy(evaluatePresent(presentRules, { phones }, now), ({ udids }) => udids[0]);
  const problems = [...present.values()].flatMap(withoutExplained);
  const shown = causesOf(
    [...findings, ...problems],
    phones.map((each) => ({ ...each, devpath: each.where.devpath ?? '' })),
  );
  const ofPhone = findingsByPhone(findings);
  const statuses = phones.map(({ udid, serial, name, attached, state }) => {
    const [worst] = withoutExplained(present.get(udid) ?? []);
    const own = samplePhone({ udid, serial, name, attached, state });
    const status = worst ? { ...own, condition: 'needsAttention' as const, sign: signOf(worst) } : own;
    return withFindings(status, ofPhone.get(udid) ?? [], shown.remedies.get(udid));
  });
  const [causes, notices] = [shown.causes, shown.notices].map((some) => some.map(causeStatusOf)) as [
    Told,
    Told,
  ];
  const status = { takenAt: now, phones: statuses, causes, notices, findings: [...findings] };
  return statuses
    .filter(({ condition }) => condition === 'needsAttention')
    .map(({ udid, message }) => {
      const input = phones.find((each) => each.udid === udid) as PhoneInput;
      const told = [...shown.causes, ...shown.notices].filter(({ udids }) => udids.includes(udid));
      const named = resolveName(udid, phones, []);
      const { remedy } = whyOf({
        named,
        present: status,
        timeline: { events: [], hasMore: false },
        limit: 1,
      });
      const problem = problemOf(deviceOf(input), factsOf(input), input.isSilent);
      const inCloud = messageWith(input.remedy ?? '', board.remarkOf(udid), problem);
      return { udid, message, causes: told.map((each) => each.remedy), why: remedy, inCloud };
    });
}

it('of all findings: the phone, why and the cloud say what a cause about it says', () => {
  const walked = new Set<string>();
  for (const { name, context, expected } of scenesOf(stories, [1, 2])) {
    if (expected.every(({ code }) => walked.has(code))) continue;
    const findings = findingsIn(context);
    for (const { code } of findings) walked.add(code);
    for (const { udid, message, causes, why, inCloud } of remediesOf(
      context.now.phones,
      findings,
      context.now.at,
    )) {
      expect(causes, `${udid} of ${name}`).toContain(message);
      expect(why, `${udid} of ${name}`).toBe(message);
      // a finding of the whole host is nobody's own there, and an unplugged phone keeps what the cloud has
      const isTold = !/^(?:adb does not list it|Not connected|Check the power strip|Look in the kernel)/.test(
        `${inCloud}${message}`,
      );
      if (isTold && inCloud !== '')
        expect(
          causes.some((each) => inCloud.startsWith(each)),
          `${inCloud} of ${name}`,
        ).toBe(true);
    }
  }
  // what nobody could tell of a phone has no scene: it is about the host alone
  expect(findingCodes.filter((code) => !walked.has(code))).toEqual(['USB_UNREADABLE']);
});

const battery = (celsius: number) => ({ temperatureDecicelsius: celsius * 10, isPresent: true });

it.each([
  ['hot', phone('A', at('1'), { battery: battery(47) })],
  ['too hot for it', phone('A', at('1'), { battery: { ...battery(50), health: 'OVERHEAT' } })],
  ['dangerously hot', phone('A', at('1'), { battery: battery(61) })],
  ['unauthorized', phone('A', at('1'), { state: 'unauthorized' })],
  ['offline', phone('A', at('1'), { state: 'offline', stateSince: START - 60_000 })],
  ['silent', phone('A', at('1'), { isSilent: true })],
  ['locked', phone('A', at('1'), { bootCompleted: true, isDataLocked: true })],
  ['without internet', phone('A', at('1'), { network: 'UNREACHABLE' })],
  ['unplugged', phone('A', at('1'), { attached: false, state: 'disconnected' })],
])('of a phone that is %s now, before anything is evaluated', (_, input) => {
  const now = START + 1_000;
  const [first] = remediesOf([input], [], now);
  expect(first?.causes).toEqual([first?.message]);
  expect(first?.why).toBe(first?.message);
  expect(['', first?.message]).toContain(first?.inCloud);
  // and once it is
  const context = { now: { at: now, isAdbListed: true, phones: [input] }, events: [], samplesOf: () => [] };
  const [later] = remediesOf([input], findingsIn(context), now);
  expect(later).toMatchObject({ message: first?.message, causes: [first?.message], why: first?.message });
});

it('of phones that went or wait together, it is what they share', () => {
  const gone = ['A', 'B'].map((udid, index) =>
    phone(udid, at(`${index + 1}`), { attached: false, state: 'disconnected', stateSince: START }),
  );
  const waiting = ['A', 'B', 'C'].map((udid, index) =>
    phone(udid, at(`${index + 1}`), { state: 'unauthorized' }),
  );
  for (const [phones, remedy] of [
    [gone, remedyFor.hub],
    [waiting, KEY_OF_BEFORE],
  ] as const)
    for (const told of remediesOf(phones, [], START + 60_000))
      expect(told).toMatchObject({ message: remedy, causes: [remedy], why: remedy });
});
