/**
 * What a person should do, by who is to blame and by what ails a phone: findings, `verdict` and the present say the same. One
 * sentence each, what ended it for most people first; a step that disturbs other phones, or erases one, comes last and says so.
 */
import type { Party } from './losses/attribution.ts';

export const remedyFor: Readonly<Record<Party, string>> = {
  phone: 'Restart the phone and check its battery; take it out of tests if it goes on',
  port: 'Replace the cable and restart the phone; if it is lost again, move it to another port',
  link: 'See that the phone does not switch Wi-Fi off while it sleeps, and keeps its address and port, then connect it again; check the Wi-Fi signal there, or connect it by USB',
  hub: 'Check the hub’s power supply and its cable to the host, and switch the hub off and on; if that does not help, plug it into another port of the host, or replace it',
  network: 'Check the Wi-Fi access point, the switch and the network cable of this host',
  adb: 'Find what runs `adb kill-server`, another version of adb or a server of its own (hostnode doctor); stop it, or have it use the same adb',
  host: 'Check the power of all hubs of the USB controller; if phones stay away, bind its driver anew or restart the host; then look in the kernel log (`dmesg`) for it, and use another USB card if it goes on',
  room: 'Check the power strip and the fuse that the hubs and the host share; switch on, or plug in anew, what stays away',
  person: 'Ask who had it in hand; begin a maintenance before somebody takes a phone',
  unknown: 'Run the test again; if the phone is lost again, hostnode why tells more',
};

export const ofEmulator =
  'Start the emulator anew, and look in its log why it ended; give it more memory, if this host has it, or another image of Android, or wipe its data';

/** The phones do not know the key that adb has now. */
export const KEY_OF_BEFORE =
  'Start adb with the key of before (~/.android/adbkey), and keep that file where adb runs in a container: hostnode doctor names the server; or accept the USB debugging prompt on each phone, with “Always allow” ticked';

export const UNSTUCK =
  'Hold its power button until it restarts, and charge it; take out its memory card, and remove the apps and updates that came last, in safe mode; if that does not help, erase it in recovery, or flash it';

export const CHARGE =
  'Charge it at a charger of its own; then check whether its cable, its port and its hub give enough power, and its USB setting charges this device; or replace its battery';

export const FREE_STORAGE =
  'Remove the apps, videos and logs that tests left on the phone, then restart it; if that does not help, erase it';
