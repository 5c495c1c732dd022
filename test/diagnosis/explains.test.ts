import { expect, it } from 'vitest';
import { explainsLoss, explainsProblem, withoutExplained } from '../../src/diagnosis/explains.ts';
import { finding } from '../support/sample-finding.ts';

const hub = finding('HUB_UNSTABLE', { subject: { kind: 'hub', key: '1-4' }, udids: ['A', 'B'] });

it('a finding about a hub tells what its phones do because of it', () => {
  const others = [finding('FLAPPING'), finding('BATTERY_HOT')];
  expect(withoutExplained([hub, ...others]).map(({ code }) => code)).toEqual(['HUB_UNSTABLE', 'BATTERY_HOT']);
});

it('but not of another phone, nor what is worse', () => {
  const [ofAnother, worse] = [
    finding('FLAPPING', { subject: { kind: 'phone', key: 'C' } }),
    finding('FLAPPING', { severity: 'critical' }),
  ];
  expect(withoutExplained([hub, ofAnother])).toHaveLength(2);
  expect(withoutExplained([hub, worse])).toHaveLength(2);
});

it('a finding without phones is told by no other', () => {
  expect(withoutExplained([hub, { ...finding('FLAPPING'), udids: [] }])).toHaveLength(2);
});

it('knows which findings say why a phone is lost', () => {
  const codes = ['HUB_LOST', 'PORT_UNSTABLE', 'BATTERY_HOT', 'USB_SLOW'] as const;
  expect(codes.map((code) => explainsLoss({ code }))).toEqual([true, true, false, false]);
  expect(explainsProblem({ code: 'BATTERY_HOT' }, 'hot')).toBe(true);
  expect(explainsProblem({ code: 'BATTERY_HOT' }, 'refused')).toBe(false);
});
