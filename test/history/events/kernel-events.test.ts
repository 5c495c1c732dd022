import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { NewEvent } from '../../../src/history/events/event.ts';
import { kernelEvents } from '../../../src/history/events/kernel-events.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched(controller?: string) {
  const told: NewEvent[] = [];
  const topology = { bus: () => (controller === undefined ? undefined : { controller }), refresh() {} };
  return { told, faults: kernelEvents(topology, (events) => void told.push(...events)) };
}

it('are one event for each port and fault, with their number and place', () => {
  const { told, faults } = watched('pci-0000:00:14.0');
  for (let time = 0; time < 8; time += 1) faults.add({ fault: 'descriptor', port: '1-4.2' }, 1000 + time);
  faults.add({ fault: 'died', controller: '0000:00:14.0' }, 2000);
  vi.advanceTimersByTime(10_000);
  const where = {
    devpath: '1-4.2',
    usbPath: 'pci-0000:00:14.0-usb-0:4.2',
    hub: 'pci-0000:00:14.0-usb-0:4',
  };
  expect(told).toEqual([
    { kind: 'kernel', fault: 'descriptor', count: 8, at: 1000, where },
    { kind: 'kernel', fault: 'died', count: 1, at: 2000, where: {}, controller: '0000:00:14.0' },
  ]);
});

it('of a port that floods are one event a minute', () => {
  const { told, faults } = watched();
  for (let second = 0; second < 130; second += 1) {
    faults.add({ fault: 'overCurrent', port: '1-4' }, second);
    vi.advanceTimersByTime(1_000);
  }
  vi.advanceTimersByTime(60_000);
  expect(told).toHaveLength(3);
  expect(told.reduce((sum, event) => sum + (event.kind === 'kernel' ? event.count : 0), 0)).toBe(130);
});

it('of more ports than a host has are left out', () => {
  const { told, faults } = watched();
  for (let port = 1; port < 1000; port += 1) faults.add({ fault: 'reset', port: `1-${port}` }, 1);
  vi.advanceTimersByTime(60_000);
  expect(told).toHaveLength(100);
});

it('that were just seen are not lost where the agent stops', () => {
  const { told, faults } = watched();
  faults.add({ fault: 'reset', port: '1-2' }, 1000);
  faults.end();
  expect(told).toEqual([expect.objectContaining({ fault: 'reset', count: 1 })]);
  vi.advanceTimersByTime(60_000);
  expect(told).toHaveLength(1);
});
