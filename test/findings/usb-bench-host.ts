/** A small host for the sentences of the USB rules: a hub with a phone, at a controller. */

import { evaluate } from '../../src/diagnosis/evaluate.ts';
import type { Finding } from '../../src/diagnosis/finding.ts';
import type { Rule, RuleContext } from '../../src/diagnosis/rule.ts';
import type { PhoneInput, RuleInput } from '../../src/diagnosis/rule-input.ts';
import type { HistoryEvent } from '../../src/history/events/event.ts';
import type { UsbController, UsbDevice } from '../../src/host/usb-devices.ts';

export const now = Date.UTC(2026, 10, 22, 12);
export const controller: UsbController = {
  name: 'pci-0000:00:14.0',
  driver: 'xhci_hcd',
  vendorId: '8086',
  deviceId: 'a36d',
};

export const device = (port: string, more: Partial<UsbDevice> = {}): UsbDevice => ({
  port,
  usbPath: port.startsWith('usb') ? port : `${controller.name}-usb-0:${port.slice(port.indexOf('-') + 1)}`,
  controller: controller.name,
  bus: Number(/\d+/.exec(port)?.[0]),
  isHub: false,
  interfaces: [],
  connectedAt: now - 3_600_000,
  ...more,
});

export const hub = (port: string, more: Partial<UsbDevice> = {}): UsbDevice =>
  device(port, {
    isHub: true,
    speedMbps: 480,
    version: 2,
    isSelfPowered: true,
    interfaces: [{ kind: '09/00/00', endpoints: 1 }],
    ...more,
  });

export const root = (bus: number, speedMbps = 480): UsbDevice =>
  hub(`usb${bus}`, { speedMbps, version: speedMbps > 480 ? 3.1 : 2 });

export const usbPhone = (port: string, more: Partial<UsbDevice> = {}): UsbDevice =>
  device(port, {
    vendorId: '18d1',
    product: 'Pixel 8',
    serial: 'P8',
    version: 2,
    speedMbps: 480,
    maxPowerMilliamps: 500,
    interfaces: [{ kind: 'ff/42/01', endpoints: 2 }],
    ...more,
  });

export const listed = (devpath: string, more: Partial<PhoneInput> = {}): PhoneInput => ({
  udid: 'P8',
  serial: 'P8',
  name: 'Pixel 8',
  connection: 'usb',
  where: { devpath, slot: 'bay 4' },
  attached: true,
  state: 'device',
  isInMaintenance: false,
  ...more,
});

/** The agent has run for a month. */
export const longRunning: HistoryEvent = {
  id: 1,
  at: now - 30 * 86_400_000,
  kind: 'agentStarted',
  version: '1',
};

/** What these rules find on a host with these devices and phones. */
export function found(
  rules: readonly Rule[],
  devices: readonly UsbDevice[],
  more: Partial<RuleInput> = {},
  events: RuleContext['events'] = [longRunning],
): Finding[] {
  const picture: RuleInput = {
    at: now,
    isAdbListed: true,
    phones: [],
    adbPorts: (more.phones ?? []).flatMap(({ where }) => where.devpath ?? []),
    usb: { controllers: [controller], devices: [root(1), root(2, 5000), ...devices] },
    ...more,
  };
  return evaluate(rules, { now: picture, events, samplesOf: () => [] });
}
