/**
 * USB_POWER: a hub without a power supply, whose phones want more than it may give.
 *
 * Source: USB 2.0 specification, 7.2.1 (a hub that its port feeds has 500 mA: 100 mA for itself, 100 mA for each of four
 * ports), USB 3.2, 11.4 (900 mA, 150 mA). Where the hub's status says so too, Linux leaves a device that wants more than
 * its port's share without a configuration (drivers/usb/core/generic.c, usb_choose_configuration): it has no interface.
 * A configured device that wants more shows that the hub contradicts itself: then the finding is only possible.
 */
import type { UsbDevice } from '../../host/usb-devices.ts';
import type { Finding } from '../finding.ts';
import type { Judge } from '../rule.ts';
import { longAgo } from '../settle-time.ts';
import { hubSubject, isPhone, lastPlugged, type UsbView, udidsAt, usbView } from './usb-view.ts';

/** For all ports of the hub together, mA. */
const BUDGET = { usb2: 400, usb3: 750 };
/** For one port, mA. */
const SHARE = { usb2: 100, usb3: 150 };
/** So much of it is near its end. */
const NEAR = 0.9;

export const judgeUsbPower: Judge = (context) => {
  const view = usbView(context.now);
  if (view === undefined) return [];
  const otherwise = longAgo(context);
  return view.devices
    .filter((hub) => hub.isHub && hub.isSelfPowered === false && !isSecondHalf(hub, view))
    .flatMap((hub) => judgeHub(hub, view, otherwise) ?? []);
};

const otherHalf = ({ peer }: UsbDevice, view: UsbView): UsbDevice | undefined => {
  const other = peer && view.at(peer.port);
  return other?.isHub ? other : undefined;
};

/** Both halves of a USB 3 hub have one supply: it is judged once. */
const isSecondHalf = (hub: UsbDevice, view: UsbView): boolean =>
  isUsb3(hub) && otherHalf(hub, view) !== undefined;

const isUsb3 = ({ speedMbps = 0 }: UsbDevice): boolean => speedMbps >= 5000;

const wantsMoreThanShare = (child: UsbDevice): boolean =>
  child.interfaces.length > 0 && (child.maxPowerMilliamps ?? 0) > (isUsb3(child) ? SHARE.usb3 : SHARE.usb2);

function judgeHub(hub: UsbDevice, view: UsbView, otherwise: number): Finding | undefined {
  const halves = [hub, otherHalf(hub, view)].filter((half) => half !== undefined);
  const children = halves.flatMap((half) => view.below(half));
  const isForPhones = children.some((child) => isPhone(child, view));
  const unfed = children.filter(({ interfaces, isHub }) => interfaces.length === 0 && !isHub);
  const wantedMilliamps = children.reduce((sum, { maxPowerMilliamps = 0 }) => sum + maxPowerMilliamps, 0);
  const budget = halves.some(isUsb3) ? BUDGET.usb3 : BUDGET.usb2;
  const isContradicted = children.some(wantsMoreThanShare);
  const isOver = wantedMilliamps > budget || unfed.length > 0;
  if (!(isForPhones || unfed.length > 0) || !(isOver || wantedMilliamps >= NEAR * budget)) return undefined;
  const wanted = `want ${wantedMilliamps} mA, and it may give ${budget} mA`;
  const refused = unfed.length === 0 ? '' : `; ${unfed.length} got none`;
  return {
    code: 'USB_POWER',
    severity: unfed.length > 0 || (isOver && !isContradicted) ? 'major' : 'minor',
    subject: hubSubject(hub),
    certainty: unfed.length > 0 ? 'likely' : isContradicted ? 'possible' : 'certain',
    title: `The hub at USB port ${hub.port} has no power supply: its devices ${wanted}${refused}`,
    remedy: "Connect the hub's power supply, or use a hub that has one",
    since: lastPlugged(children, otherwise),
    udids: udidsAt(children, view),
    evidence: [],
  };
}
