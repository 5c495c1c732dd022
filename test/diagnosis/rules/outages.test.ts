import { expect, it } from 'vitest';
import { evaluate } from '../../../src/diagnosis/evaluate.ts';
import { attributionOf } from '../../../src/diagnosis/losses/attribution.ts';
import type { Repair } from '../../../src/diagnosis/losses/loss.ts';
import { hostLostPhones, powerCut } from '../../../src/diagnosis/rules/outages.ts';
import { at, contextOf, lost, phone } from '../../findings/told.ts';

it('many outages and many maintenances are not compared each with each', () => {
  const places = ['1-1.1', '1-1.2', '1-1.3', '2-1.1', '2-1.2', '2-1.3'].map((port) => at(port));
  const phones = places.map((where, index) => phone(`P${index}`, where));
  const told = Array.from({ length: 40 }, (_, time) =>
    phones.flatMap(({ udid, where }, index) => lost(1000 + time * 2000 + index * 0.1, udid, where, 30)),
  ).flat();
  const context = contextOf(100_000, told, phones);
  expect(attributionOf(context).placeLosses).toHaveLength(40);
  const codesWith = (repairs: readonly Repair[]) => {
    const noted = { ...context };
    attributionOf(noted).repairs.push(...repairs);
    return evaluate([hostLostPhones, powerCut], noted).map(({ code }) => code);
  };
  let reads = 0;
  const repairs = Array.from({ length: 100 }, (_, index): Repair => {
    return {
      ...{ id: 10_000 + index, at: context.now.at, stretch: 0, udid: 'P0' },
      get isOfHost() {
        reads += 1;
        return undefined as unknown as true;
      },
    };
  });
  expect(codesWith(repairs)).toEqual(['POWER_CUT']);
  expect(reads).toBe(100);
  const note: Repair = { id: 20_000, at: context.now.at, stretch: 0, isOfHost: true };
  expect(codesWith([...repairs, note])).toEqual([]);
  const onHub: Repair = { id: 20_000, at: context.now.at, stretch: 0, hub: '2-1' };
  expect(codesWith([onHub])).toEqual([]);
});
