import { expect, it } from 'vitest';
import { evaluate } from '../../../src/diagnosis/evaluate.ts';
import { attributionOf } from '../../../src/diagnosis/losses/attribution.ts';
import { hostLostPhones, powerCut } from '../../../src/diagnosis/rules/outages.ts';
import type { Where } from '../../../src/history/events/event.ts';
import { at, contextOf, DAYS, lost, phone, START } from '../../findings/told.ts';

const places = ['1-1.1', '1-1.2', '1-1.3', '2-1.1', '2-1.2', '2-1.3'].map((port) => at(port));
const phones = places.map((where, index) => phone(`P${index}`, where));
const told = Array.from({ length: 40 }, (_, time) =>
  phones.flatMap(({ udid, where }, index) => lost(1000 + time * 2000 + index * 0.1, udid, where, 30)),
).flat();

const codesWith = (...notes: Where[]) => {
  const events = notes.map((where): (typeof told)[number] => [99_000, { kind: 'note', text: 'fuse', where }]);
  const context = contextOf(100_000, [...told, ...events], phones);
  expect(attributionOf(context).placeLosses).toHaveLength(40);
  return evaluate([hostLostPhones, powerCut], context).map(({ code }) => code);
};

it.each<[string, Where[], string[]]>([
  ['no note', [], ['POWER_CUT']],
  ['a note on a hub that lost no phone', [{ hub: '3-1' }], ['POWER_CUT']],
  ['a note on the host', [{}], []],
  ['a note on one of the hubs', [{ hub: '2-1' }], []],
])('with %s, many outages are told so', (_, notes, codes) => {
  expect(codesWith(...notes)).toEqual(codes);
});

it.each([
  ['8086', /^Look in the kernel log why the USB controller went/],
  ['1b36', /^Have the virtual machine attach its phones by itself/],
])('of a controller of the vendor %s', (vendorId, remedy) => {
  const three = [1, 2, 3].map((port) =>
    phone(`P${port}`, { ...at(`1-${port}`), usbPath: `pci-0-usb-0:${port}` }, { attached: false }),
  );
  const events = three.flatMap(({ udid, where }): typeof told => [
    ...lost(1000, udid, where),
    [1002, { kind: 'usb', gone: 'controller', udid, where }],
  ]);
  const context = contextOf(1600, events, three);
  const usb = { controllers: [{ name: 'pci-0', vendorId }], devices: [] };
  const [found] = evaluate([hostLostPhones], { ...context, now: { ...context.now, usb } });
  expect(found?.remedy).toMatch(remedy);
});

it.each([
  ['counted', undefined, []],
  ['seen on USB', 'controller', ['HOST_LOST_PHONES']],
] as const)('two phones of a controller by day, %s', (_, gone, codes) => {
  const two = [at('1-1'), at('1-2')].map((where, index) => phone(`P${index}`, where, { attached: false }));
  const noon = 9 * 3600;
  const events = two.flatMap(({ udid, where }, index): typeof told => [
    ...lost(noon + index * 0.1, udid, where),
    ...(gone === undefined ? [] : [[noon + 2, { kind: 'usb', gone, udid, where }] as (typeof told)[number]]),
  ]);
  const context = contextOf(noon + 600, events, two);
  expect(evaluate([hostLostPhones, powerCut], context).map(({ code }) => code)).toEqual(codes);
});

it('does not call it a power cut where the host may have been shut down properly longer ago than is looked at', () => {
  const codes = (awayDays: number) => {
    const away = { hostBootedAt: START + 5000, lastAliveAt: START - awayDays * DAYS * 1000 };
    const started = { kind: 'agentStarted' as const, version: '1', ...away };
    return evaluate([hostLostPhones, powerCut], contextOf(20, [[10, started]], phones)).map(
      ({ code }) => code,
    );
  };
  expect(codes(2)).toEqual(['POWER_CUT']);
  expect(codes(40)).toEqual([]);
});
