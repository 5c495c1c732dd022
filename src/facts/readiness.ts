/**
 * Whether a test can begin: the lock screen, the screen, a dialog of the system in front, and values of settings. Each part
 * is collected only if the lab asks for it (`preparation.ts`).
 *
 * Sources: AOSP KeyguardServiceDelegate.dump(), `showing=` (6.0 to 16); PhoneWindowManager.dump(), `mShowingLockscreen=`
 * (before); PowerManagerService.dump(), `mWakefulness=` and `mStayOnWhilePluggedInSetting=` (4.2 to 16);
 * DisplayContent.dump() (10 on) and WindowManagerService.dumpWindows() (before), `mCurrentFocus=`; the titles of windows
 * in AppErrorDialog and AppNotRespondingDialog. BatteryManager.BATTERY_PLUGGED_*. SettingsService.listForUser(), a line
 * `key=value` each (7.0 on); Content.printRow() (before); toybox getprop.c.
 */
import { ParseError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { plainText } from './phone-text.ts';
import { type CommandOptions, KIB, type ReadinessPart, type Section } from './section.ts';

/** A dialog that the system shows over all apps. */
export type Dialog = 'CRASHED' | 'NOT_RESPONDING' | 'PERMISSION' | 'CHOOSER' | 'USB';

export interface ReadinessFacts {
  /** The lock screen is shown, with or without a PIN. */
  isLocked?: boolean;
  /** Its screen is on; an always-on clock counts as off. */
  isAwake?: boolean;
  /** The screen stays on while the phone is plugged into USB or a charger. */
  staysAwake?: boolean;
  /** What has the focus in front; `NONE`: an app, or nothing. */
  dialog?: Dialog | 'NONE';
  /** Values by `global adb_enabled`; one that is no number is NaN. Without what nobody has set. */
  settings?: Readonly<Partial<Record<string, number>>>;
}

/**
 * Parses what was answered; what a phone does not say stays absent.
 *
 * @throws {ParseError} when it says nothing of it
 */
export function parseReadiness(answers: {
  lock?: string;
  power?: string;
  focus?: string;
  settings?: string;
}): ReadinessFacts {
  const facts = omitUndefined({
    isLocked: lockIn(plainText(answers.lock ?? '')),
    ...powerIn(plainText(answers.power ?? '')),
    dialog: dialogIn(plainText(answers.focus ?? '')),
    settings: settingsIn(plainText(answers.settings ?? '')),
  });
  if (Object.keys(facts).length === 0) throw new ParseError('window, power and settings', answers.lock ?? '');
  return facts;
}

/** From 6.0 on the delegate's `showing` decides: older lines stay in the dump with other meanings. */
function lockIn(policy: string): boolean | undefined {
  const word =
    /^[ \t]{0,40}showing=(true|false)\s{0,4}$/m.exec(policy)?.[1] ??
    /\bmShowingLockscreen=(true|false)\b/.exec(policy)?.[1];
  return word === undefined ? undefined : word === 'true';
}

/** PowerManagerInternal.wakefulnessToString(); `Napping` until 4.4. */
const wakefulness = /^[ \t]{0,40}mWakefulness=(Awake|Asleep|Dreaming|Dozing|Napping)\s{0,4}$/m;
/** BATTERY_PLUGGED_AC and BATTERY_PLUGGED_USB: a hub counts as one or the other. */
const BY_CABLE = 1 | 2;

function powerIn(power: string): Pick<ReadinessFacts, 'isAwake' | 'staysAwake'> {
  const word = wakefulness.exec(power)?.[1];
  const plugged = /^[ \t]{0,40}mStayOnWhilePluggedInSetting=(\d{1,3})\s{0,4}$/m.exec(power)?.[1];
  return omitUndefined({
    isAwake: word === undefined ? undefined : word === 'Awake',
    staysAwake: plugged === undefined ? undefined : (Number(plugged) & BY_CABLE) !== 0,
  });
}

/** `adb_enabled=1` below `[global]`; `Row: 7 _id=8, name=adb_enabled, value=1`; `[persist.security.adbinput]: [1]`. */
const valueLine =
  /^(?:\[(?<table>global|secure|system)\]|(?:Row: \d{1,6} (?:_id=\d{1,9}, )?name=)?(?<key>[a-z_]{1,80})(?:=|, value=)(?<value>.{0,80})|\[(?<property>[a-z.]{1,80})\]: \[(?<set>.{0,80})\])$/;

function settingsIn(text: string): ReadinessFacts['settings'] {
  let table = '';
  const values: Record<string, number> = {};
  for (const line of text.split('\n')) {
    const found = valueLine.exec(line.trim())?.groups;
    if (found?.table !== undefined) table = found.table;
    const { key, value = '', property, set = '' } = found ?? {};
    if (key !== undefined && table !== '' && value !== '' && value !== 'null')
      values[`${table} ${key}`] = numberIn(value);
    if (property !== undefined && set !== '') values[`property ${property}`] = numberIn(set);
  }
  return Object.keys(values).length === 0 ? undefined : values;
}

const numberIn = (text: string): number =>
  /^-?\d{1,15}(?:\.\d{1,10})?$/.test(text) ? Number(text) : Number.NaN;

/**
 * By the window's title; the first that fits counts. From Android 14 on the chooser is an app of its own; Huawei and Xiaomi
 * have theirs. Samsung asks whether the computer may read the phone.
 */
const dialogs: readonly [Dialog, RegExp][] = [
  ['NOT_RESPONDING', /^Application Not Responding:/],
  ['CRASHED', /^Application Error:/],
  ['PERMISSION', /\.(?:Grant|permission\.ui\.Review)PermissionsActivity$/],
  [
    'CHOOSER',
    /^(?:android|com\.android\.intentresolver|com\.huawei\.android\.internal\.app)\/[a-z.]{0,60}\.(?:Miui|Hw)?(?:Resolver|Chooser)Activity$/,
  ],
  ['USB', /^com\.android\.systemui\/(?:com\.android\.systemui)?\.usb\.\w{1,60}Activity$/],
  ['USB', /^com\.samsung\.android\.MtpApplication\/[\w.]{0,60}\.USBConnection$/],
];

/**
 * The window in front on the first display. From 10 on each display has a line, `mCurrentFocus=null` where it has none;
 * before, there is one line.
 */
function dialogIn(focus: string): Dialog | 'NONE' | undefined {
  const main = focus.slice(Math.max(0, focus.search(/mDisplayId=0\b/)));
  const value = /mCurrentFocus=([^\n]{1,400})/.exec(main)?.[1];
  if (value === undefined) return undefined;
  // Window{3340202 u0 com.example/.Main}; Android 4.0 and 4.1 have no user
  const title = /^Window\{[0-9a-f]{1,16} (?:u\d{1,4} )?([^}]{1,300})/.exec(value)?.[1]?.trim() ?? '';
  return dialogs.find(([, pattern]) => pattern.test(title))?.[0] ?? 'NONE';
}

/** Short, as a script for a phone before Android 7 has 4000 bytes: p is policy, d displays, w windows. */
const commandsFor = {
  lock: 'dumpsys window p|grep -E "^ *showing=|gLockscreen="',
  power: 'dumpsys power|grep -E "mWakefulness=|PluggedInSetting="',
  // From Android 10 on the list of displays has it, before the far longer list of windows. Only the names of activities
  // and the system's own titles leave the phone: an app's title may name a person.
  focus:
    'g(){ dumpsys window $1|grep -oE "mDisplayId=.|mCurrentFocus=(null|W[^ ]+ (u[0-9]+ )?' +
    '(Application (Error|Not Responding):|[^ /]+/[^ }]+)?)";};f=$(g d);case "$f" in *mCu*)echo "$f";;*)g w;esac',
} as const;

/** As few bytes as tell a key from most others: the parser takes what it knows. */
const SHORT = 8;

/**
 * The values of all keys in one go: before Android 8 each call of `settings` starts a Java process, and `list` there is
 * from 6.0 on. `adb_enabled`, which no phone lacks that adb reaches, shows that the global table was read.
 */
function settingsCommand(parts: readonly ReadinessPart[], { shellV2 }: CommandOptions): string | undefined {
  const keys = parts.map((part) => part.split(' ')).filter(([, key]) => key !== undefined);
  if (keys.length === 0) return undefined;
  const tables = ['global', 'secure', 'system'].filter((table) => keys.some(([of]) => of === table));
  const starts = ['global adb_enabled', ...parts]
    .map((part) => part.split(' '))
    .flatMap(([table, key]) => (table === 'property' ? [] : (key?.slice(0, SHORT) ?? [])));
  const wanted = [...new Set(starts)].join('|');
  const properties = keys.flatMap(([table, key]) => (table === 'property' ? [key?.split('.').at(-1)] : []));
  const reading = shellV2
    ? `settings list $t|grep -E "^(${wanted})"`
    : `content query --uri content://settings/$t|grep -E "name=(${wanted})"`;
  return [
    ...(tables.length > 0 ? [`for t in ${tables.join(' ')};do echo "[$t]";${reading};done`] : []),
    ...(properties.length > 0 ? [`getprop|grep -E "(${properties.join('|')})]"`] : []),
  ].join(';');
}

export const readiness = {
  name: 'readiness',
  // it says which app is in front
  isPersonal: true,
  cadence: { everySeconds: 300 },
  limitSeconds: 5,
  limitBytes: 64 * KIB,
  commands(options: CommandOptions): Record<string, string> {
    const { readiness: parts = [] } = options;
    const dumps = Object.entries(commandsFor).filter(([part]) => parts.includes(part as ReadinessPart));
    return omitUndefined({ ...Object.fromEntries(dumps), settings: settingsCommand(parts, options) });
  },
  parse: (answers) => parseReadiness(omitUndefined({ ...answers })),
} as const satisfies Section<ReadinessFacts>;
