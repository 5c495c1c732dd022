/** The host at one instant, as rules see it: plain data, which goes to the thread in one message. */
import type { AdbAt } from '../adb/remedy.ts';
import type { AdbFailureKind } from '../base/errors.ts';
import type { BatteryFacts } from '../facts/battery.ts';
import type { Want } from '../facts/preparation.ts';
import type { ReadinessFacts } from '../facts/readiness.ts';
import type { WearFacts } from '../facts/wear.ts';
import type { Where } from '../history/events/event.ts';
import type { UsbTree } from '../host/usb-devices.ts';
import type { InCloud } from '../roster/device.ts';
import type { ExpectedPhone, SeenPhone } from '../roster/expected-phones.ts';
import type { Slot } from '../roster/slots.ts';
import type { FindingCode } from './finding.ts';

/** One phone of the roster. */
export interface PhoneInput extends SeenPhone {
  where: Where;
  /** A person works on it: no finding affects it, and its losses count for nobody. */
  isInMaintenance: boolean;
  battery?: BatteryFacts;
  wear?: WearFacts;
  storage?: { totalBytes: number; usedBytes?: number };
  bootCompleted?: boolean;
  uptimeSeconds?: number;
  /** It has not been unlocked since it started. */
  isDataLocked?: boolean;
  /** The contract's word: `UNREACHABLE`. */
  network?: string;
  /** What its state asks a person to do, as the cloud is told; '' where it needs nobody. */
  remedy?: string;
  /** Since when adb calls it so, ms since the epoch; absent: not known. */
  stateSince?: number;
  isSilent?: boolean;
  /** Since when, ms since the epoch; absent: not known. */
  silentSince?: number;
  /** What the cloud said when it last rejected it. */
  refused?: string;
  inCloud?: InCloud;
  isBookedAndGone?: true;
  wants?: readonly Want[];
  /** Only what the lab asks for. */
  readiness?: ReadinessFacts;
  sdk?: number;
}

/** What the configuration says about this host's phones. */
export interface Setting {
  /** Empty: the lab keeps no list. */
  expected: readonly ExpectedPhone[];
  slots: readonly Slot[];
  /** Codes that the lab does not want. */
  off?: readonly FindingCode[];
}

/** The ways of the host itself. Times: ms since the epoch. */
export interface HostInput {
  adb: { address: string; state: string; failure?: string; failureKind?: AdbFailureKind; since: number };
  adbAt: AdbAt;
  reports: {
    /** Why nothing is reported, though a cloud is configured. */
    notReporting?: string;
    /** Why the last attempt failed, in the cloud's words too, and what to do; absent while the cloud stores reports. */
    failure?: string;
    said?: string;
    remedy?: string;
    /** The cloud itself rejected it: it was reached. */
    isRejected?: true;
    failingSince?: number;
  };
  /** Since when what happens cannot be written to the disk, ms since the epoch; absent while it can. */
  unwrittenSince?: number;
}

export interface RuleInput {
  /** ms since the epoch. */
  at: number;
  /** Absent where phones alone are looked at. */
  host?: HostInput;
  isAdbListed: boolean;
  /** Without ignored phones. */
  phones: readonly PhoneInput[];
  /** USB ports at which adb lists a phone, ignored ones too: `1-4.2`. Absent: not known. */
  adbPorts?: readonly string[];
  /** What the kernel sees on USB, by `readUsbTree`. Absent where adb is on another machine. */
  usb?: UsbTree;
  setting?: Setting;
}
