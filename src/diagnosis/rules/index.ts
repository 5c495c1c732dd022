/** All rules. A finding more is one file here, one line in a list, and one row in docs/findings.md, in the same order. */
import type { Rule } from '../rule.ts';
import { batteryDraining, batteryFullAndHot, batteryHot, batteryWorn } from './battery.ts';
import { cloudDisagrees, elsewhere } from './cloud.ts';
import {
  adbLosesPhones,
  adbRestarting,
  flapping,
  offlineLong,
  silentLong,
  unauthorizedAfterUpdate,
} from './connection.ts';
import { attachedTwice, expectedMissing, phoneCloned, phoneMoved, unexpectedPhone } from './expected.ts';
import { adb, cloud, history } from './host.ts';
import { hostSleeps } from './host-sleeps.ts';
import { internetLost } from './internet.ts';
import { hubLost, hubUnstable, networkLost, networkUnstable } from './lost-at-once.ts';
import { hostLostPhones, powerCut } from './outages.ts';
import { notPrepared } from './preparation.ts';
import * as present from './present.ts';
import { bootLoop, unexplainedReboot } from './reboots.ts';
import { roomWarm } from './room-temperature.ts';
import { storageFilling } from './storage.ts';
import { linkUnstable, phoneUnstable, portUnstable } from './unstable.ts';
import { usbEndpoints, usbFull, usbPower } from './usb-limits.ts';
import { usbSlow } from './usb-speed.ts';
import { notInAdb, usbUnreadable } from './usb-unlisted.ts';

/** Those with a code for people. They look at what happened, too: where that is kept they are evaluated. */
export const historyRules: readonly Rule[] = [
  // who is to blame for lost phones
  phoneUnstable,
  portUnstable,
  hubLost,
  hubUnstable,
  linkUnstable,
  networkLost,
  networkUnstable,
  internetLost,
  adbRestarting,
  adbLosesPhones,
  hostLostPhones,
  powerCut,
  hostSleeps,
  // how a phone behaves
  flapping,
  unexplainedReboot,
  bootLoop,
  offlineLong,
  silentLong,
  unauthorizedAfterUpdate,
  // USB
  usbSlow,
  usbPower,
  usbFull,
  usbEndpoints,
  notInAdb,
  usbUnreadable,
  // battery and storage
  batteryHot,
  batteryFullAndHot,
  batteryDraining,
  batteryWorn,
  storageFilling,
  roomWarm,
  // preparation
  notPrepared,
  // expected inventory
  expectedMissing,
  unexpectedPhone,
  phoneMoved,
  phoneCloned,
  attachedTwice,
  cloudDisagrees,
];

/** Codes are stable: labs alert on them. */
export const findingCodes: readonly string[] = historyRules.map(({ code }) => code);

/** Those of the present alone: evaluated with each status. The worst first: a phone has the sign of the first one. */
export const presentRules: readonly Rule[] = [
  adb,
  cloud,
  history,
  present.battery,
  present.hot,
  elsewhere,
  present.booked,
  present.unplugged,
  present.unauthorized,
  present.state,
  present.silent,
  present.locked,
  present.refused,
  present.storage,
  present.network,
];

const byCode = new Map([...historyRules, ...presentRules].map((rule) => [rule.code, rule]));
const presentCodes = new Set(presentRules.map(({ code }) => code));

export const ruleOf = (code: string): Rule | undefined => byCode.get(code);

export const isOfPresent = ({ code }: { code: string }): boolean => presentCodes.has(code);
