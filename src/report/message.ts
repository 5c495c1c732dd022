import type { Facts } from '../facts/index.ts';
import { kindOf } from '../roster/connection.ts';
import type { RosterDevice } from '../roster/device.ts';

/** What a person does to a phone depends on how it is connected. */
export type ByConnection = Readonly<Record<RosterDevice['connection'], string>>;

const WAKE_AND_CONNECT =
  'The phone does not answer: wake it and its Wi-Fi, check its network; run `adb disconnect` and `adb connect` for it; turn its wireless debugging off and on, or run `adb tcpip` over USB; end other adb servers that have it; restart it';

/** In the order of effort; what other phones notice comes last and says so. */
export const NO_ANSWER: ByConnection = {
  usb: 'The phone does not answer: run `adb reconnect` for it; wake and unlock it, or plug it in again; hold its power button, or power and volume up, until it restarts; stop other programs that use adb, and other versions of it; then restart the adb server, which interrupts all phones',
  tcp: `${WAKE_AND_CONNECT}; then restart the adb server, which interrupts all phones`,
  emulator:
    'The emulator does not answer: wait until it has started, or start it again, without its snapshot, on the network connect it too; end the program that has its port, as a second adb server; restart adb, which interrupts all phones; then give it more memory, another image or a newer host, or wipe its data',
};

/** Other than silence, it often comes of authorizations, of an old adb or of the cable. */
export const OFFLINE: ByConnection = {
  ...NO_ANSWER,
  usb: 'The phone does not answer: run `adb reconnect` for it, or plug it in again, with another cable; hold its power button until it restarts; revoke its authorizations, turn USB debugging off and on; undo its last update, flash or module; update adb, then restart its server, which interrupts all phones',
  tcp: `${WAKE_AND_CONNECT}; update adb, then restart its server, which interrupts all phones`,
};

/** It is asked for on the phone; one that is stuck at it asks for nothing. */
export const PROMPT: ByConnection = {
  usb: 'Accept the USB debugging prompt on the phone, with “Always allow” ticked; if it shows none, unlock it, leave a kiosk app, replug it; revoke authorizations, turn USB debugging off and on, choose file transfer, restart it; remove root modules; then update and restart adb, which interrupts all phones',
  tcp: 'Accept the USB debugging prompt on the phone, with “Always allow” ticked; if it shows none, wake it, connect it again, revoke its authorizations, turn its debugging off and on, and restart it; give an Android in a container the key of this adb (~/.android/adbkey.pub); then update and restart adb, which interrupts all phones',
  emulator:
    'Accept the USB debugging prompt in the emulator, or give it the key of this adb (~/.android/adbkey.pub) and start it anew; then restart or update adb, which interrupts all phones; last, wipe the emulator, or create it anew',
};

/** Offline there: some recoveries fail so (TeamWin/Team-Win-Recovery-Project#907, LineageOS/android_device_samsung_a5y17lte#7). */
export const IN_RECOVERY =
  'The phone is in its recovery: choose there once more that adb sends the update, and plug it in again; then update adb, or use another recovery, such as TWRP, or another version of it';

/** adb no longer lists it. */
export const GONE: ByConnection = {
  usb: 'adb does not list it: see that it is on and plugged in; plug it in again, with another cable or no hub; restart it by holding its power button, and charge it; clean its socket; turn USB debugging off and on, try other USB modes; in a virtual machine attach it again; undo its last update, flash or module; restart the adb server or the host, which interrupts all phones; last, erase it',
  tcp: 'Not connected: wake the phone, check its Wi-Fi and password, and connect it again, perhaps to another address or port; after a restart turn wireless debugging on, pair it, or run `adb tcpip` over USB; keep it and its Wi-Fi awake; restart it; then restart the adb server, which interrupts all phones',
  emulator:
    'Not listed: close the emulator if it still runs, start it again, without its snapshot, on the network connect it too; its log says why it ended: too little memory or disk space, no right to /dev/kvm, a missing library; end the program that has its port; then take another image, or wipe its data',
};

/** Where a restart leads back to the same mode. */
const COMES_BACK =
  'if it comes back here, free a stuck button, and hold power and volume for 20 seconds; then wipe its cache, remove what was last installed, or flash its system again; last, do a factory reset, which erases it';

/** The remedy for each state of adb, by its word. */
const remedies: Readonly<Record<string, (device: RosterDevice) => string>> = {
  unauthorized: ({ connection }) => PROMPT[connection],
  authorizing: () =>
    'Connecting; if this lasts, accept the USB debugging prompt on the phone, or plug it in or connect it again',
  connecting: () => 'Connecting; if this lasts, disconnect the phone and connect it again',
  offline: ({ connection }) => OFFLINE[connection],
  'no permissions': ({ reason }) =>
    `No permission on the USB device: on the host add the udev rule for it, and the adb server’s user to its group (plugdev); reload udev, plug the phone in again, restart the adb server; or log in anew, or restart the host${
      reason === undefined ? '' : ` (adb says: ${reason})`
    }`,
  recovery: () => `The phone is in its recovery: choose "Reboot system now" on the phone; ${COMES_BACK}`,
  rescue: () => `The phone is in rescue mode: choose "Try again" or restart it on the phone; ${COMES_BACK}`,
  sideload: () =>
    'The phone waits for an update by sideload: finish it, or restart the phone; if it does not react, hold power and a volume button for 20 seconds, or let its battery run empty; then flash its recovery or system again',
  bootloader: () =>
    `The phone is in its bootloader: choose "Start" on the phone, or run \`fastboot reboot\`; ${COMES_BACK}`,
  detached: () => 'adb released the phone: run "adb attach" on the host',
  host: () => 'This is another computer, not a phone: check what the cable is plugged into',
  disconnected: ({ connection }) => GONE[connection],
};

/**
 * The remedy for a device that needs attention, in one sentence; empty when it needs none.
 *
 * @param facts what the phone said just now; only a phone in the state `device` is collected
 */
export function buildMessage(known: RosterDevice, { boot, network }: Facts, isSilent = false): string {
  const device = { ...known, connection: kindOf(known) };
  if (device.state !== 'device') {
    const remedy = Object.hasOwn(remedies, device.state) ? remedies[device.state] : undefined;
    return remedy?.(device) ?? `adb calls the phone "${device.state}": disconnect it and connect it again`;
  }
  if (isSilent) return NO_ANSWER[device.connection];
  if (boot?.bootCompleted === false) return 'Starting up: wait until the phone has started';
  if (boot?.dataLocked)
    return 'Locked since it started: unlock it once on the phone, and set its screen lock to none';
  if (network?.status === 'UNREACHABLE' && network.code !== undefined) {
    const answers = `answers with HTTP ${network.code} in place of the internet`;
    return device.connection === 'emulator'
      ? `The network of the emulator ${answers}: start it again with a DNS server that you name (-dns-server), check the proxy of this host, or take another image`
      : `The network of the phone ${answers}: open a browser on the phone and sign in (captive portal?); else turn off its VPN, proxy or filter, set private DNS to automatic, and restart its Wi-Fi, or the phone`;
  }
  return '';
}

/** Which problem of the phone that remedy is for, by the code of its rule; '' where that is none that a finding tells. */
export function problemOf(
  { attached, state }: RosterDevice,
  { boot, network }: Facts,
  isSilent = false,
): string {
  if (!attached) return 'unplugged';
  if (state !== 'device') return state === 'unauthorized' ? 'unauthorized' : 'state';
  if (isSilent) return 'silent';
  if (boot?.bootCompleted === false) return 'state';
  return network?.status === 'UNREACHABLE' && !boot?.dataLocked ? 'network' : '';
}
