/**
 * What a person should do, by who is to blame and by what ails a phone: findings, `verdict` and the present say the same. One
 * sentence each, what ended it for most people first; a step that disturbs other phones, or erases one, comes last and says so.
 */
import { midSentence } from '../base/words.ts';
import type { KernelFault } from '../host/kernel-line.ts';
import type { ByConnection } from '../report/message.ts';
import type { LossBlame } from './losses/blame.ts';
import { areTooBrief, type Loss } from './losses/loss.ts';
import type { Party } from './losses/reasons.ts';
import { isByMode, isByReset, isDead, isOfPhone, isWhenFull, seenAtPort } from './losses/signs.ts';

/** Where a phone that is lost at one port is tried next. */
const ELSEWHERE = 'use another port, of the host or of a powered hub, with USB power saving off';

/** What is tried of a single phone, after another cable. */
const AFTER_CABLE = `clean the USB socket and restart the phone; then ${ELSEWHERE}; then update the phone, connect it by Wi-Fi, or replace it`;

export const remedyFor: Readonly<Record<Party, string>> = {
  phone:
    'Restart the phone, and check its battery and its memory card; if it goes on, update it, or take it out of tests',
  port: `Replace the cable, ${AFTER_CABLE}`,
  link: 'Connect it again, after a restart by wireless debugging or `adb tcpip` over USB; keep it and its Wi-Fi awake, no battery saving or mobile data; try a fixed address, one access point, another band; restart it, undo its update, or use a cable',
  hub: 'Switch the hub off and on, check its power supply, and plug its cable into another port of the host, without an extension; use another hub or none, with USB power saving off; then restart the host, which interrupts all phones',
  network:
    'Check the network cable of this host; restart the access point and the switch, or what runs the emulators and containers; if it goes on, give phones fixed addresses, undo the last update or setting, and try another Wi-Fi channel',
  adb: 'Find what runs `adb kill-server`, another version of adb or a server of its own (hostnode doctor); stop it, or have it use the same adb',
  host: 'Look in the kernel log why the USB controller went; if phones stay away, bind its driver anew, restart the host, or switch it off and on; then check the power of its hubs, and try another kernel, `pcie_aspm=off`, a BIOS update or another USB card',
  room: 'Check the power strip and the fuse that the hubs and the host share; switch on, or plug in anew, what stays away',
  person: 'Ask who had it in hand; begin a maintenance before somebody takes a phone',
  unknown: 'Run the test again; if the phone is lost again, hostnode why tells more',
};

/** What reads a phone as a camera or as storage, by libusb, resets it where it does not answer, or after each use. */
export const BY_PROGRAM =
  'Close, and update, what opens the phone on the host, as a program for photos or the file manager of its desktop (gvfs, MTP); set the USB mode of the phone to “No data transfer”; then replace its cable, and turn off USB power saving';

const OF_EMULATOR =
  'Start the emulator anew, without its snapshot; its log says why it ended: too little memory or disk space, too few cores, no right to /dev/kvm, a missing library; then take another image or a newer host, or wipe its data';

/** An emulator has no cable, no button and no battery: its log says what it lacks. */
export const unlessEmulator = (connection: keyof ByConnection | undefined, ofPhone: string): string =>
  connection === 'emulator' ? OF_EMULATOR : ofPhone;

/** Of one that is lost again and again. */
export const LOST_AGAIN: ByConnection = { usb: remedyFor.port, tcp: remedyFor.link, emulator: OF_EMULATOR };

/** The phones do not know the key that adb has now. */
export const KEY_OF_BEFORE =
  'Start adb with the key of before (~/.android/adbkey), and keep that file where adb runs in a container: hostnode doctor names the server; or accept the USB debugging prompt on each phone, with “Always allow” ticked';

/** Of what restarts, hangs or switches itself off, and nobody knows why. */
export const STOP_RESTARTS =
  'Remove the apps, modules, kernels and settings that came last, undo the last update; check its power supply, battery and temperature; update its Android; take out its memory card and its SIM; if it goes on, replace its battery, flash its earlier version, which erases it, or replace the phone';

/** Of what somebody, or something, restarts. */
const BY_COMMAND =
  'Find the test, the script or the update that restarts it, as by `adb reboot`; if there is none, see whether it hung before: check its memory card, battery and temperature, update its Android, or flash its earlier version, which erases it';

const AS_LAST =
  'then wipe its cache, `fastboot set_active other`, or flash another build; last, a factory reset, which erases it';

/** Of what does not finish booting. */
export const UNSTUCK = `Hold its power button, or power and volume up, until it restarts; charge it; take out its memory card; remove the apps, modules and updates that came last, in safe mode or recovery; ${AS_LAST}`;

/** Of what restarts again and again. */
export const OUT_OF_LOOP = `Charge it, and take out its memory card; remove the apps, modules and updates that came last, in safe mode or recovery; if it hangs, hold its power button until it restarts; ${AS_LAST}`;

export const CHARGE =
  'Charge it, unless it bulges, at a charger of its own, with another cable, clean its USB socket, and restart it by its power button; stop the apps that drain it; see that port, hub, USB setting and charge limit let it charge; update it, replace its battery, or flash it, which erases it';

export const FREE_STORAGE =
  'Remove the apps, videos and logs that tests left on the phone, and restart it; clear the data of the app that takes most, or update it; have tests delete what they leave; if that does not help, erase the phone';

export const GO_ONLINE =
  'Turn off airplane mode and turn on Wi-Fi on the phone, and see that it has the right date, and knows the network and its password; turn off VPN and private DNS; let it forget the network, and join it again; restart the phone; have tests switch back what they switch off';

/** Of a host that sleeps, and its phones with it. */
export const STAY_AWAKE =
  'Turn its sleep off in the settings of its desktop; with systemd set `AllowSuspend=no` in /etc/systemd/sleep.conf, and for a laptop that is shut `HandleLidSwitch=ignore` in logind.conf; then look in its BIOS';

/** What brings back what a sleep of the host took. */
const ANEW: Readonly<Record<LossBlame['medium'], string>> = {
  usb: 'plug it in anew, or restart the host',
  network: 'connect it again',
  emulator: 'start it again',
};

/** Of one that goes when its battery has become full. */
const WHEN_FULL =
  'Limit the charge of the phone to 80 or 90 % in its settings, or try it at another hub: it lets go of USB when its battery is full';

/** Of one that changes its USB mode by itself. */
const BY_MODE =
  'Set the default USB configuration of the phone to “No data transfer” in its developer options: it changes its USB mode, as some do when they are locked';

/** What most helps a phone that is lost so, wherever it is plugged in. */
export function remedyOfPhone(losses: readonly Loss[], connection: keyof ByConnection = 'usb'): string {
  if (connection !== 'usb') return LOST_AGAIN[connection];
  if (losses.every(isDead))
    return 'Check the battery and the temperature of the phone, and update its Android: it switches itself off or hangs; if it goes on, erase it, or replace its battery or the phone';
  if (losses.every(isWhenFull)) return WHEN_FULL;
  if (losses.every(isByMode)) return BY_MODE;
  if (losses.every(isByReset)) return BY_PROGRAM;
  if (losses.every((loss) => isOfPhone(loss) || loss.wasListed))
    return 'Restart the phone, and try another cable; if it hangs again, undo what was last installed on it, update it, or erase it';
  return 'Restart the phone, clean its USB socket and try a short new cable; update it, or undo what came last; turn off USB power saving on the host; then have it repaired, or replace it';
}

/** To the machine it is another device each time that it restarts or changes its USB mode. */
export const attachByItself = (next = ''): string =>
  `Have the virtual machine attach its phones by itself, by port or vendor (WSL: \`usbipd attach --auto-attach\`), or give it a whole USB controller;${next} then restart the machine, then its host, which interrupts all phones`;

/** The kernel cannot read what is plugged in. */
const unreadAt = (newCable: string): string =>
  `${newCable}; turn its plug over, and restart the phone; then use another port, of the host or of a powered hub; switch the hub off and on; update the phone, or flash it, which erases it; then switch the host off and on`;

/** Each controller takes so many devices, hubs among them, and so many endpoints: openstf/stf#966, raspberrypi/linux#3366. */
export const NO_ROOM =
  'Plug fewer devices into this USB controller, hubs count too: move some to another controller, as a USB card, or to another host; if there are few, restart the host, which interrupts all phones, as the controller may have failed';

/** What the port itself or the kernel says leads to other steps. @param newCable tells to replace the cable */
const remedyAtPort: Readonly<Partial<Record<KernelFault, (newCable: string) => string>>> = {
  overCurrent: (newCable) =>
    `${newCable}; if the port cuts the power again, it gives too little: use a hub with a power supply of its own, or a stronger one`,
  emi: (newCable) =>
    `${newCable}; use a short, shielded one, away from motors, radios and USB 3 devices, then another port`,
  bandwidth: () => NO_ROOM,
  resources: () => NO_ROOM,
  descriptor: unreadAt,
  enumerate: unreadAt,
  cable: unreadAt,
};

export const COUNT_ANEW = '; `hostnode note` about the repair starts the count anew';

/** adb goes on listing it, as offline. */
const ONLINE_AGAIN =
  'run `adb reconnect` for it, revoke its authorizations, turn USB debugging off and on; use another port; undo its last update, and update adb';

/**
 * @param newCable tells to replace the cable
 * @param isVirtual the port is one of a virtual machine
 */
export function remedyOfPort(
  { losses, udids }: { losses: readonly Loss[]; udids: readonly string[] },
  newCable: string,
  isVirtual: boolean,
): string {
  const [fault] = seenAtPort(losses) ?? [];
  const ofFault = fault && remedyAtPort[fault]?.(newCable);
  if (ofFault) return ofFault;
  if (isVirtual && !areTooBrief(losses)) return `${attachByItself(' replace the cable;')}${COUNT_ANEW}`;
  if (udids.length > 1) return `${newCable}; if phones are lost there again, ${ELSEWHERE}`;
  return `${newCable}; ${losses.every(({ wasListed }) => wasListed) ? ONLINE_AGAIN : AFTER_CABLE}`;
}

/**
 * What keeps a phone from being lost so again, where no finding says it: what may have been a person was perhaps none.
 *
 * @returns undefined where nothing was seen that could be fixed
 */
export function remedyOfLoss({
  blame,
  cause,
  medium,
  sign,
}: Pick<LossBlame, 'blame' | 'cause' | 'medium' | 'sign'>): string | undefined {
  const { party, certainty } = blame;
  const isRestart = cause === 'restarted' || cause === 'dead';
  const connection = medium === 'network' ? 'tcp' : medium;
  if (cause === 'battery') return CHARGE;
  if (cause === 'sleep')
    return `If it stays away, ${ANEW[medium]}; keep the host awake: ${midSentence(STAY_AWAKE)}`;
  if (cause === 'pause' || (cause === 'start' && party === 'unknown') || sign === 'root') return undefined;
  if (sign === 'full') return WHEN_FULL;
  if (sign === 'mode') return `If nobody changed it: ${midSentence(BY_MODE)}`;
  if (party === 'phone') return unlessEmulator(connection, isRestart ? STOP_RESTARTS : remedyFor.phone);
  if (party === 'port' && sign && sign !== 'unattended') {
    const atPort = remedyAtPort[sign]?.('Replace the cable');
    if (atPort) return atPort;
  }
  if (party !== 'unknown' && (party !== 'person' || certainty !== 'possible')) return remedyFor[party];
  const restarts = cause === 'restarted' ? BY_COMMAND : STOP_RESTARTS;
  const otherwise = isRestart ? unlessEmulator(connection, restarts) : LOST_AGAIN[connection];
  return `If ${unlessOf(isRestart, medium, sign)}: ${midSentence(otherwise)}`;
}

function unlessOf(isRestart: boolean, medium: LossBlame['medium'], sign: LossBlame['sign']): string {
  if (isRestart) return 'nobody restarted it';
  if (medium === 'emulator') return 'no job ended it';
  return sign === 'unattended' ? 'it is lost again' : 'nobody took it';
}
