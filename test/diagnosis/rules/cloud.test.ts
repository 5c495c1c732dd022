import { expect, it } from 'vitest';
import { localMoment } from '../../../src/base/calendar.ts';
import { evaluate, evaluatePresent } from '../../../src/diagnosis/evaluate.ts';
import { cloudDisagrees } from '../../../src/diagnosis/rules/cloud.ts';
import { presentRules } from '../../../src/diagnosis/rules/index.ts';
import type { InCloud } from '../../../src/roster/device.ts';
import { contextOf, NOW, phoneOf } from '../../findings/phones.ts';

const since = NOW - 3_600_000;
const judged = (inCloud: InCloud, attached = true) =>
  evaluate([cloudDisagrees], contextOf([phoneOf('A', { inCloud, attached })]));

it.each([
  ['unplugged', true, 'A is plugged in, and the cloud has it as unplugged'],
  ['here', false, 'A is not plugged in, and the cloud has it as plugged in at this host'],
] as const)('says what the cloud has otherwise, and since when: %s', (there, attached, title) => {
  expect(judged({ there, since, isConfirmed: true }, attached)).toMatchObject([
    { code: 'CLOUD_DISAGREES', severity: 'major', title, since, udids: ['A'] },
  ]);
  expect(judged({ there, since }, attached)).toEqual([]);
});

it('says where a phone is that was moved, and not that it is to be plugged in again', () => {
  const present = (inCloud: InCloud) =>
    evaluatePresent(presentRules, { phones: [phoneOf('A', { attached: false, inCloud })] }, NOW);
  expect(judged({ there: 'elsewhere', host: 'rack-2', since, isConfirmed: true }, false)).toEqual([]);
  expect(present({ there: 'elsewhere', host: 'rack-2', since })).toMatchObject([
    { code: 'elsewhere', title: `A is plugged in at rack-2 since ${localMoment(since, NOW)}`, since },
  ]);
  expect(present({ there: 'elsewhere', since })).toMatchObject([
    { title: `A is plugged in at another host since ${localMoment(since, NOW)}` },
  ]);
  expect(present({ there: 'here', since })).toMatchObject([{ code: 'unplugged' }]);
});
