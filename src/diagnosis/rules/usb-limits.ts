/**
 * USB_FULL and USB_ENDPOINTS: a controller that soon takes no further phone.
 *
 * A bus has 127 addresses (USB 2.0, 4.1.1), of which the root hub has one. An xHCI controller has a slot for each device
 * (xHCI 1.2, 4.3.2), and memory for so many endpoints: where either is used up, Linux logs "Max number of devices this
 * xHCI host supports is 32" or "Not enough host controller resources for new device state", and the phone is not there.
 */
import { isRootHub, type UsbController, type UsbDevice } from '../../host/usb-devices.ts';
import type { Finding } from '../finding.ts';
import type { Judge } from '../rule.ts';
import { longAgo } from '../settle-time.ts';
import { isPhone, lastPlugged, phones, type UsbView, udidsAt, usbView } from './usb-view.ts';

const ADDRESSES = 127;
/** So much of a limit is near it. */
const NEAR = 0.9;

/** By PCI vendor and device, as Linux logged them: Renesas µPD720201 and 720202, VIA VL805, Fresco Logic FL1100. */
const SLOTS: Readonly<Record<string, number>> = {
  '1912:0014': 32,
  '1912:0015': 32,
  '1106:3483': 32,
  '1b73:1100': 32,
};

const INTEL = '8086';
/**
 * Intel publishes no number for most; Microchip's knowledge base and labs found 96. A phone with adb alone takes three
 * (one of them for control), so about 30 phones fit; one with MTP and adb takes six.
 */
const INTEL_ENDPOINTS = 96;
/** Panther Point (Linux drivers/usb/host/xhci-pci.c, XHCI_EP_LIMIT_QUIRK). */
const ENDPOINTS: Readonly<Record<string, number>> = { '1e31': 64 };

export const judgeUsbLimits: Judge = (context) => {
  const view = usbView(context.now);
  if (view === undefined) return [];
  const otherwise = longAgo(context);
  const byController = Map.groupBy(view.tree.devices, ({ controller, bus }) => controller ?? `usb${bus}`);
  return [...byController].flatMap(([name, devices]) => {
    const controller = view.tree.controllers.find((each) => each.name === name) ?? { name };
    return [full(controller, devices), endpoints(controller, devices)].flatMap((limit) =>
      limit === undefined || limit.used < NEAR * limit.of
        ? []
        : findingOf(controller, devices, limit, view, otherwise),
    );
  });
};

interface Limit extends Pick<Finding, 'code' | 'certainty' | 'remedy'> {
  readonly used: number;
  readonly of: number;
  /** `128 devices`, without the number. */
  readonly what: string;
}

const MOVE = 'Move phones to another USB controller, such as a PCIe card';

/** The bus, or the slots, whichever is nearer to its limit. */
function full({ vendorId, deviceId }: UsbController, devices: readonly UsbDevice[]): Limit {
  const slots = SLOTS[`${vendorId}:${deviceId}`];
  const counts = [...Map.groupBy(devices, ({ bus }) => bus).values()].map((bus) => bus.length);
  const ofBus = { used: Math.max(...counts), of: ADDRESSES };
  const ofSlots = slots === undefined ? ofBus : { used: pluggedIn(devices).length, of: slots };
  const nearer = ofSlots.used / ofSlots.of > ofBus.used / ofBus.of ? ofSlots : ofBus;
  const what = 'devices, hubs among them';
  return { ...nearer, code: 'USB_FULL', certainty: 'certain', what, remedy: MOVE };
}

function endpoints(controller: UsbController, devices: readonly UsbDevice[]): Limit | undefined {
  const { driver = '', vendorId, deviceId = '' } = controller;
  if (!driver.startsWith('xhci') || vendorId !== INTEL) return undefined;
  const used = pluggedIn(devices).reduce(
    (sum, { interfaces }) => sum + 1 + interfaces.reduce((own, each) => own + each.endpoints, 0),
    0,
  );
  return {
    used,
    of: ENDPOINTS[deviceId] ?? INTEL_ENDPOINTS,
    code: 'USB_ENDPOINTS',
    certainty: ENDPOINTS[deviceId] === undefined ? 'likely' : 'certain',
    what: 'endpoints',
    remedy: `${MOVE} of another maker, or turn off file transfer on them: a phone with adb alone takes 3 endpoints, with MTP 6`,
  };
}

const pluggedIn = (devices: readonly UsbDevice[]) => devices.filter(({ port }) => !isRootHub(port));

function findingOf(
  { name }: UsbController,
  devices: readonly UsbDevice[],
  { code, certainty, remedy, used, of, what }: Limit,
  view: UsbView,
  otherwise: number,
): Finding[] {
  const ofPhones = pluggedIn(devices).filter((device) => isPhone(device, view));
  if (ofPhones.length === 0) return [];
  const about = certainty === 'certain' ? '' : 'about ';
  return [
    {
      code,
      severity: used >= of ? 'major' : 'minor',
      subject: { kind: 'hub', key: name },
      certainty,
      title: `The USB controller ${name} has ${used} of ${about}${of} ${what}, for ${phones(ofPhones.length)}`,
      remedy,
      since: lastPlugged(devices, otherwise),
      udids: udidsAt(ofPhones, view),
      evidence: [],
    },
  ];
}
