/**
 * Identifies the phone's current boot, and how far it has come. Collected first in every round: cached facts are valid
 * only within one boot.
 *
 * Sources: Linux drivers/char/random.c (boot_id) and fs/proc/uptime.c; AOSP ActivityManagerService
 * (sys.boot_completed), UserDataPreparer (sys.user.0.ce_available), vold cryptfs and init's mount_all (vold.decrypt,
 * ro.crypto.*), adbd's restart_root_service() (service.adb.root), system/core/bootstat/bootstat.cpp (sys.boot.reason).
 */
import { ParseError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { phoneText, plainText } from './phone-text.ts';
import { type Properties, parseProperties } from './properties.ts';
import { KIB, type Section } from './section.ts';

export interface BootFacts {
  /** `/proc/sys/kernel/random/boot_id`: a UUID, new with each boot. */
  bootId?: string;
  /** Seconds since boot, suspended time included. */
  uptimeSeconds?: number;
  /** `sys.boot_completed` is 1. Before that, services are missing. */
  bootCompleted?: boolean;
  /** /data is still locked (no PIN entered since boot), or a tmpfs is mounted in its place. */
  dataLocked?: boolean;
  /** `gsm.sim.state` as printed: it changes when a SIM is swapped. */
  simState?: string;
  /**
   * `service.adb.root` as printed: it changes when adbd becomes root or stops being root (`adb root`, `adb unroot`).
   */
  adbRoot?: string;
  /** Why it booted, as Android writes it: `reboot,userrequested`, `kernel_panic`, `shutdown,thermal`. */
  bootReason?: string;
}

/**
 * Parses boot_id with /proc/uptime, and the properties; either may be missing.
 *
 * @throws {ParseError} when nothing can be parsed
 */
export function parseBoot(answers: { clock?: string; properties?: string }): BootFacts {
  const facts = { ...readClock(answers.clock ?? ''), ...readProgress(answers.properties ?? '') };
  if (Object.keys(facts).length === 0) {
    throw new ParseError('boot_id, /proc/uptime and getprop', answers.clock ?? answers.properties ?? '');
  }
  return facts;
}

function readClock(text: string): Pick<BootFacts, 'bootId' | 'uptimeSeconds'> {
  const plain = plainText(text);
  const bootId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=[ \t]*$)/m.exec(plain)?.[0];
  const uptime = /^(\d{1,12}(?:\.\d{1,9})?) \d{1,12}(?:\.\d{1,9})?[ \t]*$/m.exec(plain)?.[1];
  return omitUndefined({ bootId, uptimeSeconds: uptime === undefined ? undefined : Number(uptime) });
}

/** A phone that answers `getprop` without sys.boot_completed is still booting. */
function readProgress(
  text: string,
): Pick<BootFacts, 'bootCompleted' | 'dataLocked' | 'simState' | 'adbRoot' | 'bootReason'> {
  const properties = parseProperties(text);
  if (properties.size === 0) return {};
  return omitUndefined({
    bootCompleted: properties.get('sys.boot_completed') === '1',
    dataLocked: isDataLocked(properties),
    simState: phoneText(properties.get('gsm.sim.state'), 'name'),
    adbRoot: phoneText(properties.get('service.adb.root'), 'word'),
    bootReason: bootReasonIn(properties),
  });
}

/**
 * Android 9 and newer write sys.boot.reason once the boot is complete. Before that, the boot loader's word is often only
 * `reboot`; persist.sys.boot.reason has what Android itself wrote when it went down, and counts where it says the same in
 * more detail.
 */
function bootReasonIn(properties: Properties): string | undefined {
  const final = reasonWord(properties.get('sys.boot.reason'));
  if (final !== undefined) return final;
  const loaders = reasonWord(properties.get('ro.boot.bootreason'));
  const written = reasonWord(properties.get('persist.sys.boot.reason'));
  return loaders !== undefined && written?.startsWith(`${loaders},`) ? written : loaders;
}

/**
 * In the form that bootstat gives it: lower case, `_` for blanks. What is no such word, or has a number as long as an
 * identifier, is no reason; nor is the `0` of old makers.
 */
function reasonWord(said = ''): string | undefined {
  if (said.length > 100) return undefined;
  let word = said.trim().toLowerCase().replace(/[ \t]/g, '_');
  while (word.endsWith(',')) word = word.slice(0, -1); // some makers leave the detail empty
  const isReason = word.length <= 64 && /^[a-z][a-z0-9_.,:-]*$/.test(word) && !/\d{9}/.test(word);
  return isReason ? word : undefined;
}

/** Values of vold.decrypt while a tmpfs replaces an encrypted /data whose PIN has not been entered. */
export const STAND_IN_STATES: readonly string[] = ['1', 'trigger_restart_min_framework'];

/**
 * Full-disk encryption (until 9) shows in vold.decrypt. With file-based encryption (7.0 on), ce_available becomes
 * `true` when user 0 is unlocked. We have seen it in 8.1; from 9 on its absence counts as locked.
 */
function isDataLocked(properties: Properties): boolean | undefined {
  if (STAND_IN_STATES.includes(properties.get('vold.decrypt') ?? '')) return true;
  if (properties.get('sys.user.0.ce_available') === 'true') return false;
  if (properties.get('vold.decrypt') === 'trigger_restart_framework') return false;
  if (properties.get('ro.crypto.state') === 'unencrypted') return false;
  const always = Number(properties.get('ro.build.version.sdk')) >= 28;
  return always && properties.get('ro.crypto.type') === 'file' ? true : undefined;
}

const PROPERTIES =
  'sys.boot_completed|(persist.)?sys.boot.reason|ro.boot.bootreason|sys.user.0.ce_available|gsm.sim.state|vold.decrypt|ro.crypto.(type|state)|ro.build.version.sdk|service.adb.root';

export const boot = {
  name: 'boot',
  cadence: 'round',
  limitSeconds: 3,
  limitBytes: 256 * KIB,
  // Android 4.0 has no grep: it prints all properties
  commands: () => ({
    clock: 'cat /proc/sys/kernel/random/boot_id /proc/uptime',
    properties: `getprop|grep -E "^.(${PROPERTIES})]"||getprop`,
  }),
  parse: ({ clock, properties }) => parseBoot(omitUndefined({ clock, properties })),
} as const satisfies Section<BootFacts>;
