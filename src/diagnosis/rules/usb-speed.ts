/** A phone or a hub that negotiated less than it and its port can do. Silent where either is not known. */
import { quantity } from '../../base/words.ts';
import { hasAdb, hubOf, type UsbDevice } from '../../host/usb-devices.ts';
import type { Certainty } from '../finding.ts';
import type { Found, Rule } from '../rule.ts';
import { hubOrControllerName, hubSubject, portSubject, type UsbView, usbView } from './usb-view.ts';

/** Mbit/s. */
const FULL_SPEED = 12;
const HIGH_SPEED = 480;
const SUPER_SPEED = 5000;

/** As many slow phones of one hub have one cause, such as cables without the wires of USB 3. */
const TOGETHER = 3;

interface Slow {
  readonly device: UsbDevice;
  readonly ableMbps: keyof typeof REMEDY;
  readonly certainty: Certainty;
}

export const usbSlow: Rule = {
  code: 'USB_SLOW',
  severity: 'minor',
  sign: 'slow USB',
  plural: 'use USB slower than they can',
  evaluate: (context) => {
    const view = usbView(context);
    if (view === undefined) return undefined;
    const slow = view.devices.flatMap((device) => slowness(device, view) ?? []);
    const groups = Map.groupBy(slow, ({ device, ableMbps }) =>
      device.isHub ? device.port : `${hubOf(device.port)} ${ableMbps}`,
    );
    return [...groups.values()].flatMap(
      (group) => slowTogether(group, view) ?? group.map((one) => slowAlone(one, view)),
    );
  },
};

function slowness(device: UsbDevice, view: UsbView): Slow | undefined {
  const { port, speedMbps, isHub } = device;
  if (!isHub && !hasAdb(device)) return undefined;
  if (speedMbps === HIGH_SPEED) {
    const certainty = superSpeedOf(device, view);
    return certainty && isPortSuperSpeed(device, view)
      ? { device, ableMbps: SUPER_SPEED, certainty }
      : undefined;
  }
  if (speedMbps !== FULL_SPEED || isHub) return undefined;
  const isPortHighSpeed = view.at(hubOf(port))?.speedMbps === HIGH_SPEED;
  // each Android phone runs at high speed where the cable lets it: all since the first have such a controller
  const isHighSpeed = (device.version ?? 0) >= 2;
  return isPortHighSpeed && isHighSpeed ? { device, ableMbps: HIGH_SPEED, certainty: 'likely' } : undefined;
}

/**
 * Can it run at 5 Gbit/s? Its own word counts as likely: the maker may have left out the wires. One of its kind that
 * does run so is proof. bcdUSB 2.1 says nothing: phones whose USB 2 saves power have it too.
 */
function superSpeedOf(device: UsbDevice, view: UsbView): Certainty | undefined {
  if (!device.isHub && view.devices.some((other) => isOfKind(other, device) && isSuper(other)))
    return 'certain';
  return device.isSuperSpeed ? 'likely' : undefined;
}

const isOfKind = (one: UsbDevice, other: UsbDevice): boolean =>
  one.product !== undefined && one.product === other.product && one.vendorId === other.vendorId;

const isSuper = ({ speedMbps = 0 }: UsbDevice): boolean => speedMbps >= SUPER_SPEED;

/** The other half of its socket is certainly there, runs at 5 Gbit/s or more, and is free. */
function isPortSuperSpeed({ peer }: UsbDevice, view: UsbView): boolean {
  if (!peer?.isCertain || view.at(peer.port) !== undefined) return false;
  const hub = view.at(hubOf(peer.port));
  return hub !== undefined && isSuper(hub);
}

const speeds = ({ device, ableMbps }: Slow, them: string): string =>
  `${device.speedMbps} Mbit/s; ${them} can do ${ableMbps}`;

const REMEDY = {
  [SUPER_SPEED]:
    'Use a cable for USB 3: many charging cables have only the wires of USB 2; if it stays slow, turn its plug over, or use another port',
  [HIGH_SPEED]: 'Replace the cable; if it stays slow, try another port',
};

function slowAlone(slow: Slow, view: UsbView): Found {
  const { device, ableMbps, certainty } = slow;
  const phone = view.phoneAt(device.port);
  const below = view.devices.filter(({ port }) => port.startsWith(`${device.port}.`));
  const subject = phone ? { kind: 'phone' as const, key: phone.udid } : portSubject(device, view);
  return {
    ...view.about([device], device.isHub ? below : [device]),
    subject: device.isHub ? hubSubject(device) : subject,
    certainty,
    title: `${view.nameOf(device)} runs at ${speeds(slow, 'it and its port')}`,
    remedy: device.isHub
      ? 'Use a cable for USB 3 between the host and the hub, and push it in firmly'
      : REMEDY[ableMbps],
  };
}

/** Undefined where they are few, or where their hub is not known. */
function slowTogether(group: readonly Slow[], view: UsbView): Found | undefined {
  const [slow] = group;
  const hub = slow && view.at(hubOf(slow.device.port));
  if (slow === undefined || hub === undefined || group.length < TOGETHER) return undefined;
  return {
    ...view.about(group.map(({ device }) => device)),
    subject: hubSubject(hub),
    certainty: group.every(({ certainty }) => certainty === 'certain') ? 'certain' : 'likely',
    title: `${quantity(group.length, 'phone')} at ${hubOrControllerName(hub)} run at ${speeds(slow, 'they and their ports')}`,
    remedy: REMEDY[slow.ableMbps],
  };
}
