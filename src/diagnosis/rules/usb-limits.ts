/** USB_FULL, USB_ENDPOINTS, USB_POWER: a controller that soon takes no further phone, a hub that cannot feed its phones. */
import { quantity } from '../../base/words.ts';
import { isRootHub, type UsbController, type UsbDevice } from '../../host/usb-devices.ts';
import type { Found, Rule, RuleContext } from '../rule.ts';
import { hubSubject, isPhone, type UsbView, usbView } from './usb-view.ts';

/** So much of a limit is near it. */
const NEAR = 0.9;
/** A bus has 127 addresses (USB 2.0, 4.1.1), of which the root hub has one. */
const ADDRESSES = 127;

/**
 * An xHCI controller has a slot for each device (xHCI 1.2, 4.3.2). By PCI vendor and device, as Linux logged them ("Max
 * number of devices this xHCI host supports is 32"): Renesas µPD720201 and 720202, VIA VL805, Fresco Logic FL1100.
 */
const SLOTS: Readonly<Record<string, number>> = {
  '1912:0014': 32,
  '1912:0015': 32,
  '1106:3483': 32,
  '1b73:1100': 32,
};

const INTEL = '8086';
/**
 * It has memory for so many endpoints; where that is used up, Linux logs "Not enough host controller resources for new
 * device state", and the phone is not there. Intel publishes no number for most; Microchip's knowledge base and labs found
 * 96. A phone with adb alone takes three (one of them for control), so about 30 phones fit; one with MTP and adb takes six.
 */
const INTEL_ENDPOINTS = 96;
/** Panther Point (Linux drivers/usb/host/xhci-pci.c, XHCI_EP_LIMIT_QUIRK). */
const ENDPOINTS: Readonly<Record<string, number>> = { '1e31': 64 };

const MOVE = 'Move phones to another USB controller, such as a PCIe card';

export const usbFull: Rule = {
  code: 'USB_FULL',
  severity: 'minor',
  evaluate: (context) =>
    controllers(context).map((each) =>
      nearLimit(each, deviceLimit(each), { what: 'devices, hubs among them', remedy: MOVE }),
    ),
};

export const usbEndpoints: Rule = {
  code: 'USB_ENDPOINTS',
  severity: 'minor',
  evaluate: (context) =>
    controllers(context).map((each) => {
      const { driver = '', vendorId, deviceId = '' } = each.controller;
      if (!driver.startsWith('xhci') || vendorId !== INTEL) return undefined;
      const known = ENDPOINTS[deviceId];
      const limit = { used: endpointsOf(pluggedIn(each.devices)), of: known ?? INTEL_ENDPOINTS };
      return nearLimit(each, limit, {
        certainty: known === undefined ? 'likely' : 'certain',
        what: 'endpoints',
        remedy: `${MOVE} of another maker, or turn off file transfer on them: a phone with adb alone takes 3 endpoints, with MTP 6`,
      });
    }),
};

interface Controller {
  controller: UsbController;
  devices: readonly UsbDevice[];
  view: UsbView;
}

function controllers(context: RuleContext): Controller[] {
  const view = usbView(context);
  if (view === undefined) return [];
  const byName = Map.groupBy(view.tree.devices, ({ controller, bus }) => controller ?? `usb${bus}`);
  return [...byName].map(([name, devices]) => {
    const controller = view.tree.controllers.find((each) => each.name === name) ?? { name };
    return { controller, devices, view };
  });
}

/** The bus, or the slots, whichever is nearer to its limit. */
function deviceLimit({ controller, devices }: Controller): { used: number; of: number } {
  const slots = SLOTS[`${controller.vendorId}:${controller.deviceId}`];
  const counts = [...Map.groupBy(devices, ({ bus }) => bus).values()].map((bus) => bus.length);
  const ofBus = { used: Math.max(...counts), of: ADDRESSES };
  const ofSlots = slots === undefined ? ofBus : { used: pluggedIn(devices).length, of: slots };
  return ofSlots.used / ofSlots.of > ofBus.used / ofBus.of ? ofSlots : ofBus;
}

const endpointsOf = (devices: readonly UsbDevice[]): number =>
  devices.reduce(
    (sum, { interfaces }) => sum + 1 + interfaces.reduce((own, { endpoints }) => own + endpoints, 0),
    0,
  );

const pluggedIn = (devices: readonly UsbDevice[]) => devices.filter(({ port }) => !isRootHub(port));

/** Undefined where it has no phones, too: then it is no concern of ours. */
function nearLimit(
  { controller: { name }, devices, view }: Controller,
  { used, of }: { used: number; of: number },
  { what, certainty = 'certain', remedy }: Pick<Found, 'certainty' | 'remedy'> & { what: string },
): Found | undefined {
  const ofPhones = pluggedIn(devices).filter((device) => isPhone(device, view));
  if (used < NEAR * of || ofPhones.length === 0) return undefined;
  const about = certainty === 'certain' ? '' : 'about ';
  return {
    ...view.about(devices, ofPhones),
    severity: used >= of ? 'major' : 'minor',
    subject: { kind: 'hub', key: name },
    certainty,
    title: `The USB controller ${name} has ${used} of ${about}${of} ${what}, for ${quantity(ofPhones.length, 'phone')}`,
    remedy,
  };
}

/**
 * What the ports of a hub that its own port feeds may take, mA: all together, and each. Source: USB 2.0, 7.2.1 (the hub has
 * 500 mA: 100 mA for itself, 100 mA for each of four ports), USB 3.2, 11.4 (900 mA, 150 mA).
 */
const POWER = { usb2: { budget: 400, share: 100 }, usb3: { budget: 750, share: 150 } };

/**
 * A hub without a power supply, whose phones want more than it may give. Where its status says so too, Linux leaves a
 * device that wants more than its port's share without a configuration (drivers/usb/core/generic.c,
 * usb_choose_configuration): it has no interface. A configured device that wants more shows that the hub contradicts
 * itself: then the finding is only possible.
 */
export const usbPower: Rule = {
  code: 'USB_POWER',
  severity: 'minor',
  sign: 'USB power',
  plural: 'get too little power over USB',
  evaluate: (context) => {
    const view = usbView(context);
    const hubs = view?.devices.filter(({ isHub, isSelfPowered }) => isHub && isSelfPowered === false) ?? [];
    return hubs.map((hub) => view && unpowered(hub, view));
  },
};

const isUsb3 = ({ speedMbps = 0 }: UsbDevice): boolean => speedMbps >= 5000;

const powerOf = (devices: readonly UsbDevice[]) => (devices.some(isUsb3) ? POWER.usb3 : POWER.usb2);

function unpowered(hub: UsbDevice, view: UsbView): Found | undefined {
  const peer = hub.peer && view.at(hub.peer.port);
  const halves = peer?.isHub ? [hub, peer] : [hub];
  // both halves of a USB 3 hub have one supply: it is looked at once
  if (isUsb3(hub) && halves.length > 1) return undefined;
  const children = halves.flatMap((half) => view.below(half));
  const isUnfed = ({ interfaces, isHub, isBlocked }: UsbDevice) =>
    interfaces.length === 0 && !isHub && !isBlocked;
  const unfed = children.filter(isUnfed).length;
  const wantedMilliamps = children.reduce((sum, { maxPowerMilliamps = 0 }) => sum + maxPowerMilliamps, 0);
  const { budget } = powerOf(halves);
  const isContradicted = children.some(
    (child) => child.interfaces.length > 0 && (child.maxPowerMilliamps ?? 0) > powerOf([child]).share,
  );
  const isForPhones = children.some((child) => isPhone(child, view)) || unfed > 0;
  const isOver = wantedMilliamps > budget || unfed > 0;
  if (!isForPhones || !(isOver || wantedMilliamps >= NEAR * budget)) return undefined;
  const refused = unfed === 0 ? '' : `; ${unfed} got none`;
  return {
    ...view.about(children),
    severity: unfed > 0 || (isOver && !isContradicted) ? 'major' : 'minor',
    subject: hubSubject(hub),
    certainty: unfed > 0 ? 'likely' : isContradicted ? 'possible' : 'certain',
    title: `The hub at USB port ${hub.port} has no power supply: its devices want ${wantedMilliamps} mA, and it may give ${budget} mA${refused}`,
    remedy:
      'Connect the hub’s power supply, or use a hub that has one; or move phones to other ports of the host',
  };
}
