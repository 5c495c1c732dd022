/**
 * What a lab may want of its phones before they are used: one row a setting, and what hostnode knows of it. The phone's
 * answers are read by the section `readiness`; here is what they mean, and what sets them right.
 *
 * AOSP's own Test Harness Mode sets the same of these (TestHarnessModeService.configureSettings): developer options, stay
 * awake, no package verifier for adb, no expiry of authorizations, no automatic updates, no lock screen.
 */
import type { Dialog, ReadinessFacts } from './readiness.ts';
import type { ReadinessPart } from './section.ts';

/** A want by its name in the configuration. */
export const settingNames = [
  'screenLock',
  'screenOn',
  'stayAwake',
  'developerOptions',
  'dialog',
  'errorDialogs',
  'animations',
  'adbExpiry',
  'systemUpdates',
  'packageVerifier',
  'autoBlocker',
  'inputInjection',
  'chargeLimit',
] as const;
export type SettingName = (typeof settingNames)[number];

/** What is wanted together. Each stands for its settings. */
export const profiles = {
  /** A person uses the phone, at it or from afar. */
  manual: ['screenLock', 'developerOptions', 'adbExpiry', 'systemUpdates', 'autoBlocker', 'inputInjection'],
  /** Programs use it, day and night. */
  automation: settingNames.filter((name) => name !== 'chargeLimit'),
  /** It stays plugged in for months. */
  battery: ['chargeLimit'],
} as const satisfies Record<string, readonly SettingName[]>;
export type Profile = keyof typeof profiles;

const profileNames = Object.keys(profiles) as Profile[];
/** What a configuration may list: profiles and single settings. */
export const wants = [...profileNames, ...settingNames];
export type Want = (typeof wants)[number];

/** The settings that these stand for. */
export function settingsOf(wanted: readonly Want[]): SettingName[] {
  const names = new Set<Want>(
    wanted.flatMap((want): readonly Want[] => [want, ...(profiles[want as Profile] ?? [])]),
  );
  return settingNames.filter((name) => names.has(name));
}

/** Where the phone's shell reads and sets a value: a key in a table of `settings`, as `global adb_enabled`. */
export type Place = `${'global' | 'secure' | 'system'} ${string}`;

/** What stands in the way: `is` completes `Pixel 5 …`. */
export interface Obstacle {
  is: string;
  remedy: string;
}

/** One setting; one that each maker keeps in a place of its own has a row for each. */
export interface Preparation extends Obstacle {
  readonly name: SettingName;
  /** In a checklist: what is wanted. */
  readonly title: string;
  readonly reads: readonly ReadinessPart[];
  /** The API level that has it first. Absent: all that have the command `settings`. */
  readonly since?: number;
  /** Whose phones alone have it. */
  readonly maker?: string;
  /** What Android takes where nobody has set it. Absent: that differs. */
  readonly unset?: number;
  /** Is it as wanted? Undefined: not known. */
  isRight(facts: ReadinessFacts): boolean | undefined;
  /** What the shell sets, and can put back. Absent: only a person at the phone can. */
  readonly puts?: readonly (readonly [Place, number])[];
}

/** Are all values that the phone has of these keys as wanted? */
const eachIs =
  (isWanted: (value: number) => boolean, ...keys: ReadinessPart[]) =>
  ({ settings = {} }: ReadinessFacts): boolean | undefined => {
    const values = keys.map((key) => settings[key]).filter((value) => value !== undefined);
    if (values.some(Number.isNaN) || values.length === 0) return undefined;
    return values.every(isWanted);
  };

/** A setting that is one value in all its keys, which the shell can set. */
const valued = (
  value: number,
  keys: readonly Place[],
  row: Omit<Preparation, 'reads' | 'isRight' | 'puts'>,
): Preparation => ({
  ...row,
  reads: keys,
  isRight: eachIs((found) => found === value, ...keys),
  puts: keys.map((key) => [key, value]),
});

const not = (value: boolean | undefined): boolean | undefined => (value === undefined ? undefined : !value);

const dialogs: Readonly<Record<Dialog, Obstacle>> = {
  CRASHED: {
    is: 'shows that an app has crashed',
    remedy: 'Close the dialog on the phone, and look into the app that crashed',
  },
  NOT_RESPONDING: {
    is: 'shows that an app does not respond',
    remedy: 'Close the app from the dialog on the phone; if the dialog comes back, restart the phone',
  },
  PERMISSION: {
    is: 'asks whether an app may have a permission',
    remedy: 'Answer the dialog on the phone, or grant the permission when you install the app',
  },
  CHOOSER: {
    is: 'asks which app to use',
    remedy: 'Choose an app on the phone, and make it the default',
  },
  USB: {
    is: 'asks about its USB connection',
    remedy: 'Answer the dialog on the phone',
  },
};

const chargeLimit = {
  name: 'chargeLimit',
  title: 'Charges to a limit of its own',
  is: 'charges its battery to the full',
} as const;

/** In the order in which a person would go through them. */
export const preparations: readonly Preparation[] = [
  {
    // flutter/flutter#92583. AOSP LockSettingsShellCommand, LockPatternUtils.isLockScreenDisabled: never with a PIN
    name: 'screenLock',
    title: 'Screen lock: none',
    is: 'shows its lock screen',
    remedy: 'Unlock the phone, and set its screen lock to None',
    reads: ['lock'],
    since: 28,
    isRight: ({ isLocked }) => not(isLocked),
  },
  {
    name: 'screenOn',
    title: 'Screen on',
    is: 'is asleep with the screen off',
    remedy: 'Wake the phone, and switch on "Stay awake" in its developer options',
    reads: ['power'],
    isRight: ({ isAwake }) => isAwake,
  },
  {
    // flutter/flutter#89260. AOSP Settings.Global.STAY_ON_WHILE_PLUGGED_IN; BatteryManager: mains, USB, wireless
    name: 'stayAwake',
    title: 'Stays awake while plugged in',
    is: 'does not stay awake while it is plugged in',
    remedy: 'Switch on "Stay awake" in the developer options of the phone',
    reads: ['power'],
    isRight: ({ staysAwake }) => staysAwake,
    puts: [['global stay_on_while_plugged_in', 7]],
  },
  valued(1, ['global development_settings_enabled'], {
    name: 'developerOptions',
    title: 'Developer options on',
    is: 'has its developer options switched off',
    remedy: 'Switch the developer options on: tap the build number seven times',
  }),
  {
    name: 'dialog',
    title: 'No dialog of the system in front',
    is: 'shows a dialog of the system',
    remedy: 'Answer or close the dialog on the phone',
    reads: ['focus'],
    isRight: ({ dialog }) => (dialog === undefined ? undefined : dialog === 'NONE'),
  },
  // AOSP Settings.Global.HIDE_ERROR_DIALOGS; ActivityTaskManagerService: 0 where it is unset
  valued(1, ['global hide_error_dialogs'], {
    name: 'errorDialogs',
    title: 'No dialogs of crashed apps',
    is: 'shows a dialog when an app crashes',
    remedy: 'Hide error dialogs: adb shell settings put global hide_error_dialogs 1',
    since: 24,
  }),
  // AOSP Settings.Global.WINDOW_ANIMATION_SCALE and the two beside it
  valued(
    0,
    ['global window_animation_scale', 'global transition_animation_scale', 'global animator_duration_scale'],
    {
      name: 'animations',
      title: 'Animations off',
      is: 'shows animations',
      remedy: 'Set the three animation scales in the developer options of the phone to off',
      since: 17,
    },
  ),
  // AOSP AdbDebuggingManager.getAllowedConnectionTime: 0 is never; DEFAULT_ADB_ALLOWED_CONNECTION_TIME, ms
  valued(0, ['global adb_allowed_connection_time'], {
    name: 'adbExpiry',
    title: 'USB authorizations do not expire',
    is: 'forgets an authorised computer that stays away for days',
    remedy: 'Switch on "Disable adb authorization timeout" in the developer options of the phone',
    since: 30,
    unset: 604_800_000,
  }),
  // flutter/flutter#88113. AOSP Settings, DisableAutomaticUpdatesPreferenceController: 1 switches them off
  valued(1, ['global ota_disable_automatic_update'], {
    name: 'systemUpdates',
    title: 'Automatic system updates off',
    is: 'installs system updates by itself',
    remedy: 'Switch off "Automatic system updates" in the developer options of the phone',
    since: 24,
  }),
  // AOSP Settings.Global.PACKAGE_VERIFIER_INCLUDE_ADB; VerifyAppsOverUsbPreferenceController
  valued(0, ['global verifier_verify_adb_installs'], {
    name: 'packageVerifier',
    title: 'Apps over USB not verified',
    is: 'verifies apps that are installed over USB',
    remedy: 'Switch off "Verify apps over USB" in the developer options of the phone',
    since: 17,
  }),
  {
    // Genymobile/scrcpy#5840, keymapperorg/KeyMapper#2155; One UI's Settings and AdbService (488315/android_samsung_…). From
    // One UI 8.5 on it comes back after 30 minutes. It asks for the owner: hostnode sets none of it
    name: 'autoBlocker',
    title: 'Auto Blocker off',
    is: 'has Auto Blocker on, or it comes back by itself',
    remedy:
      'Switch off Auto Blocker, and that it switches itself on again: Settings > Security and privacy > Auto Blocker',
    maker: 'Samsung',
    reads: ['secure rampart_main_switch_enabled', 'secure rampart_auto_enabled_switch_enabled'],
    isRight: eachIs(
      (value) => value === 0,
      'secure rampart_main_switch_enabled',
      'secure rampart_auto_enabled_switch_enabled',
    ),
  },
  {
    // DeviceFarmer/STFService.apk#144, openatx/uiautomator2#520, Genymobile/scrcpy#4352. MIUI's PermissionManagerService lets
    // the shell inject input where it is true; only root may set it
    name: 'inputInjection',
    title: 'Input from the computer allowed',
    is: 'refuses taps and keys from the computer',
    remedy:
      'Switch on "USB debugging (Security settings)" in the developer options of the phone, then restart it',
    maker: 'Xiaomi',
    reads: ['property persist.security.adbinput'],
    isRight: eachIs((value) => value === 1, 'property persist.security.adbinput'),
  },
  // One UI's BatteryService: 1 is the limit; 0 is off, 2 adapts, 3 pauses when full
  valued(1, ['global protect_battery'], {
    ...chargeLimit,
    maker: 'Samsung',
    remedy: 'Choose "Maximum" in Settings > Battery > Battery protection',
  }),
  {
    // HyperOS: 0 charges to the full, 1 adapts, 2 is the limit of 80 % where the phone has it. From the shell untested
    ...chargeLimit,
    maker: 'Xiaomi',
    remedy:
      'Choose "Battery protection" or "Intelligent charging" in Settings > Battery > Battery protection',
    reads: ['secure security_pc_secure_protect_mode_key'],
    isRight: eachIs((value) => value > 0, 'secure security_pc_secure_protect_mode_key'),
  },
  valued(1, ['system regular_charge_protection_switch_state'], {
    ...chargeLimit,
    maker: 'Oppo, OnePlus, realme',
    remedy: 'Switch on "Charging limit" in Settings > Battery > Battery health',
  }),
  // AOSP Settings.Secure.CHARGE_OPTIMIZATION_MODE: 1 is a limit of 80 %
  valued(1, ['secure charge_optimization_mode'], {
    ...chargeLimit,
    maker: 'Google',
    since: 35,
    remedy: 'Choose "Limit to 80%" in Settings > Battery > Battery health > Charging optimization',
  }),
];

/** What to read of a phone to know these. */
export const partsOf = (wanted: readonly Want[]): ReadinessPart[] => {
  const names = settingsOf(wanted);
  return [...new Set(preparations.filter(({ name }) => names.includes(name)).flatMap(({ reads }) => reads))];
};

/** Where hostnode may set a value: nowhere else. */
export const places: readonly Place[] = preparations.flatMap(({ puts = [] }) => puts.map(([place]) => place));

/** `unset`: Android has it, nobody has set it, and what counts then differs. `absent`: the phone has no such thing. */
export type Judgement = 'right' | 'unset' | 'unknown' | 'absent' | Obstacle;

/** @param sdk the API level of the phone, if it is known */
export function judge(row: Preparation, facts: ReadinessFacts, sdk: number | undefined): Judgement {
  const { since = 0, unset, maker, reads } = row;
  const isOfKeys = reads.some((part) => part.includes(' '));
  const hasNone = isOfKeys && reads.every((key) => facts.settings?.[key] === undefined);
  if (hasNone) {
    if (maker !== undefined) return 'absent';
    // each phone that adb reaches has this one: its table was read
    const isRead = facts.settings?.['global adb_enabled'] !== undefined && sdk !== undefined;
    if (!isRead) return 'unknown';
    if (sdk < since) return 'absent';
    if (unset === undefined) return 'unset';
    const settings = Object.fromEntries(reads.map((key) => [key, unset]));
    return judge(row, { settings }, sdk);
  }
  const isRight = row.isRight(facts);
  if (isRight === undefined) return 'unknown';
  if (isRight) return 'right';
  const { dialog = 'NONE' } = facts;
  return row.name === 'dialog' && dialog !== 'NONE' ? dialogs[dialog] : row;
}

/** The rows of these settings, each with what the phone says of it. */
export function judged(wanted: readonly Want[], facts: ReadinessFacts, sdk: number | undefined) {
  const names = settingsOf(wanted);
  return preparations
    .filter(({ name }) => names.includes(name))
    .map((row) => ({ row, judgement: judge(row, facts, sdk) }));
}
