import type { Facts } from '../facts/index.ts';
import type { RosterDevice } from '../roster/device.ts';

/** In the order of effort. The last step on USB is the only one that other phones notice. */
export const NO_ANSWER = {
  usb: 'The phone does not answer: run `adb reconnect` for it, or unplug it and plug it back in; then hold its power button until it restarts; then restart the adb server, which interrupts all phones',
  tcp: 'The phone does not answer: check that it is on and in the network; run `adb disconnect` and `adb connect` for it, then restart it',
  emulator:
    'The emulator does not answer: wait until it has started, or start it again; then give it more memory, or wipe its data',
} as const;

export const PROMPT =
  'Accept the USB debugging prompt on the phone, with “Always allow” ticked; if it shows none, revoke its authorizations there, turn USB debugging off and on, and restart it';

/** The remedy for each state of adb, by its word. */
const remedies: Readonly<Record<string, (device: RosterDevice) => string>> = {
  unauthorized: ({ connection }) =>
    connection === 'emulator'
      ? 'Accept the USB debugging prompt in the emulator, or start it anew with the adb key of this host'
      : PROMPT,
  authorizing: () => 'Connecting; if this lasts, accept the USB debugging prompt on the phone',
  connecting: () => 'Connecting; if this lasts, disconnect the phone and connect it again',
  offline: ({ connection }) => NO_ANSWER[connection],
  'no permissions': ({ reason }) =>
    `No permission on the USB device: add the udev rule for it on the host, plug the phone in again, then restart the adb server${
      reason === undefined ? '' : ` (adb says: ${reason})`
    }`,
  recovery: () => 'The phone is in its recovery: choose "Reboot system now" on the phone',
  rescue: () => 'The phone is in rescue mode: choose "Try again" or restart it on the phone',
  sideload: () => 'The phone waits for an update by sideload: finish it, or restart the phone',
  bootloader: () => 'The phone is in its bootloader: choose "Start" on the phone',
  detached: () => 'adb released the phone: run "adb attach" on the host',
  host: () => 'This is another computer, not a phone: check what the cable is plugged into',
  disconnected: ({ connection }) =>
    ({
      usb: 'Not plugged in: plug the phone in again, at both ends of the cable; if it is off or hangs, charge it and hold its power button; if it only charges, turn on USB debugging or use another cable; in a virtual machine, attach the phone again',
      tcp: 'Not connected: check that the phone is on, awake and in the network, then connect it again; after a restart its address or port may be another, or wireless debugging off: turn it on, or run `adb tcpip` over USB',
      emulator: 'Not running: start the emulator again',
    })[connection],
};

/**
 * The remedy for a device that needs attention, in one sentence; empty when it needs none.
 *
 * @param facts what the phone said just now; only a phone in the state `device` is collected
 */
export function buildMessage(device: RosterDevice, { boot, network }: Facts, isSilent = false): string {
  if (device.state !== 'device') {
    const remedy = Object.hasOwn(remedies, device.state) ? remedies[device.state] : undefined;
    return remedy?.(device) ?? `adb calls the phone "${device.state}": disconnect it and connect it again`;
  }
  if (isSilent) return NO_ANSWER[device.connection];
  if (boot?.bootCompleted === false) return 'Starting up: wait until the phone has started';
  if (boot?.dataLocked) return 'Locked since it started: unlock it once on the phone';
  if (network?.status === 'UNREACHABLE' && network.code !== undefined) {
    return `The network of the phone answers with HTTP ${network.code} in place of the internet: open a browser on the phone and sign in (captive portal?)`;
  }
  return '';
}

/** Which problem of the phone that remedy is for, by the code of its rule; '' where that is none that a finding tells. */
export function problemOf({ attached, state }: RosterDevice, { boot }: Facts, isSilent = false): string {
  if (!attached) return 'unplugged';
  if (state !== 'device') return state === 'unauthorized' ? 'unauthorized' : 'state';
  if (isSilent) return 'silent';
  return boot?.bootCompleted === false ? 'state' : '';
}
