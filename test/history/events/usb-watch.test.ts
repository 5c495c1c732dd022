import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NewEvent, Where } from '../../../src/history/events/event.ts';
import { UsbWatch, usbChange } from '../../../src/history/events/usb-watch.ts';
import type { UsbSight } from '../../../src/host/usb-sight.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const where: Where = { devpath: '1-4.1.2', usbPath: 'pci-usb-0:4.1.2', hub: 'pci-usb-0:4.1' };
const phone = { speedMbps: 480, configuration: 1, interfaces: '06/01/01 ff/42/01' };
const there: UsbSight = { line: ['1 a', '2 b', '3 c', '7 d'], overCurrents: 1, phone };
const before = { speedMbpsBefore: 480, configurationBefore: 1, interfacesBefore: phone.interfaces };
const gone = (...line: string[]): UsbSight => ({ line });

const event = (kind: 'attached' | 'detached', udid = 'A'): NewEvent =>
  kind === 'attached'
    ? { kind, state: 'device', udid, where, at: Date.now() }
    : { kind, udid, where, at: Date.now() };

function watch(sight: UsbSight = there) {
  const told: NewEvent[] = [];
  const usb = { sight };
  const watched = new UsbWatch(
    (events) => void told.push(...events),
    () => usb.sight,
  );
  return { told, usb, watched };
}

describe('usbChange', () => {
  it.each([
    ['nothing', there, { ...phone }],
    ['phone', gone('1 a', '2 b', '3 c', ''), {}],
    ['phone', { ...there, line: ['1 a', '2 b', '3 c', '8 e'] }, { ...phone }],
    ['hub', gone('1 a', '2 b', '', ''), { hub: 'pci-usb-0:4.1' }],
    ['hub', gone('1 a', '', '', ''), { hub: 'pci-usb-0:4' }],
    ['hub', { ...there, line: ['1 a', '2 z', '3 c', '7 d'] }, { hub: 'pci-usb-0:4', ...phone }],
    ['controller', gone('', '', '', ''), {}],
  ] as const)('says that %s left', (what, now, more) => {
    expect(usbChange(there, now, where)).toEqual({ gone: what, ...before, ...more });
  });

  it('counts how often the port has cut its power since, and takes no other hub for the same', () => {
    const cut = { line: ['1 a', '2 b', '3 c', ''], overCurrents: 3 };
    expect(usbChange(there, cut, where)).toMatchObject({ gone: 'phone', overCurrents: 2 });
    const other = { line: ['1 a', '2 b', '9 c', ''], overCurrents: 3 };
    expect(usbChange(there, other, where)).not.toHaveProperty('overCurrents');
  });
});

describe('UsbWatch', () => {
  it('says what USB shows of a lost phone, when no other was lost for a while', () => {
    const { told, usb, watched } = watch();
    watched.sees('A', '1-4.1.2');
    watched.sees('B', '1-4.1.3');
    expect(watched.beside([event('detached')])).toHaveLength(1);
    vi.advanceTimersByTime(1_000);
    watched.beside([event('detached', 'B')]);
    vi.advanceTimersByTime(1_000);
    expect(told).toEqual([]);
    usb.sight = gone('1 a', '2 b', '', '');
    vi.advanceTimersByTime(1_000);
    expect(told).toMatchObject([
      { kind: 'usb', udid: 'A', gone: 'hub', where },
      { kind: 'usb', udid: 'B', gone: 'hub' },
    ]);
  });

  it('waits no longer where one after the other is lost', () => {
    const { told, watched } = watch();
    for (let second = 0; second < 10; second += 1) {
      watched.sees(`P${second}`, '1-4.1.2');
      watched.beside([event('detached', `P${second}`)]);
      vi.advanceTimersByTime(1_000);
    }
    expect(told.length).toBeGreaterThan(5);
  });

  it('says it before the phone is back, and how USB shows that', () => {
    const { usb, watched } = watch();
    watched.sees('A', '1-4.1.2');
    watched.beside([event('detached')]);
    usb.sight = { ...there, line: ['1 a', '2 b', '3 c', '8 e'], phone: { ...phone, speedMbps: 12 } };
    expect(watched.beside([event('attached')])).toMatchObject([
      { kind: 'usb', gone: 'phone', speedMbps: 12, speedMbpsBefore: 480 },
      { kind: 'attached', speedMbps: 12, configuration: 1, interfaces: phone.interfaces },
    ]);
    // from then on that is how it was
    watched.beside([event('detached')]);
    expect(watched.beside([event('attached')])).toMatchObject([{ gone: 'nothing' }, { kind: 'attached' }]);
  });

  it('says that USB still shows a phone that adb calls offline', () => {
    const { told, watched } = watch();
    watched.sees('A', '1-4.1.2');
    watched.beside([{ kind: 'state', state: 'offline', before: 'device', udid: 'A', where, at: 1 }]);
    vi.advanceTimersByTime(10_000);
    expect(told).toMatchObject([{ kind: 'usb', gone: 'nothing' }]);
  });

  it.each([
    ['USB never showed', gone('', '', '', '')],
    ['is no phone there', { ...there, phone: { interfaces: '03/01/01' } }],
  ])('says nothing of a phone that %s', (_, sight) => {
    const { told, watched } = watch(sight);
    watched.sees('A', '1-4.1.2');
    watched.beside([event('detached')]);
    vi.advanceTimersByTime(10_000);
    expect([...told, ...watched.beside([event('attached')])]).toEqual([event('attached')]);
  });

  it('goes on under another udid, and forgets', () => {
    const { told, watched } = watch();
    for (const udid of ['A', 'B']) watched.sees(udid, '1-4.1.2');
    watched.renamed('A', 'A2');
    watched.forgotten('B');
    for (const udid of ['A', 'A2', 'B']) watched.beside([event('detached', udid)]);
    vi.advanceTimersByTime(10_000);
    expect(told).toMatchObject([{ udid: 'A2' }]);
  });
});
