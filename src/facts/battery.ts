/**
 * Battery facts, read from `dumpsys battery`.
 *
 * Source: AOSP BatteryService.java, dumpInternal(): a heading, then one indented `key: value` per line. Makers add
 * lines (`Capacity level`, `status_smb`, Android 16's `The last voltage value …`), repeat keys for a second cell and
 * append blocks for a dock or a coupled device: the first block is the battery, and in it the first line of each key.
 * Samsung adds a block `BatteryInfoBackUp` with its own figure of the battery's health, Motorola and some builds of Android
 * 16 the battery's capacity.
 *
 * `Charge counter` is left alone: some phones count from 0 at each boot, some in mAh, so it says nothing of the wear.
 */
import { ParseError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { phoneText, plainText } from './phone-text.ts';
import { KIB, type Section } from './section.ts';

/** BatteryManager.BATTERY_STATUS_*, from 1. */
const statuses = ['UNKNOWN', 'CHARGING', 'DISCHARGING', 'NOT_CHARGING', 'FULL'] as const;
export type BatteryStatus = (typeof statuses)[number];

/** BatteryManager.BATTERY_HEALTH_*, from 1. */
export const healths = [
  'UNKNOWN',
  'GOOD',
  'OVERHEAT',
  'DEAD',
  'OVER_VOLTAGE',
  'UNSPECIFIED_FAILURE',
  'COLD',
] as const;
export type BatteryHealth = (typeof healths)[number];

/** What the phone reports about its battery. A missing field means that it did not report it. */
export interface BatteryFacts {
  /** False if the phone reports no battery; the other facts are then absent. */
  isPresent?: boolean;
  /** Charge left, percent of full, 0 to 100, not rounded. */
  levelPercent?: number;
  temperatureDecicelsius?: number;
  voltageMillivolts?: number;
  status?: BatteryStatus;
  health?: BatteryHealth;
  technology?: string;
  /** What the maker says the battery still holds, percent of a new one, 1 to 100. */
  healthPercent?: number;
}

/**
 * Parses the output of `dumpsys battery`. Returns no facts if a tester has replaced the values with `dumpsys battery
 * set` (`UPDATES STOPPED`).
 *
 * @throws {ParseError} when no line is a battery field, e.g. "Can't find service: battery"
 */
export function parseBattery(dump: string): BatteryFacts {
  const plain = plainText(dump);
  if (plain.includes('(UPDATES STOPPED')) return {};
  const fields = firstBlock(plain);
  const facts = omitUndefined({
    isPresent: flag(fields.get('present')),
    levelPercent: percent(fields.get('level'), fields.get('scale')),
    temperatureDecicelsius: temperature(fields.get('temperature'), fields.get('voltage')),
    voltageMillivolts: millivolts(fields.get('voltage')),
    status: word(statuses, fields.get('status')),
    health: word(healths, fields.get('health')),
    technology: technology(fields.get('technology')),
    healthPercent: makersHealth(plain),
  });
  if (Object.keys(facts).length === 0) throw new ParseError('dumpsys battery', dump);
  return facts.isPresent === false || isMadeUp(facts) ? { isPresent: false } : withoutBlanks(facts);
}

/**
 * Samsung's `mSavedBatteryAsoc: 86` or `[86]`, else `mSavedBatteryBsoh`, anywhere in the dump; −1 is its "don't know".
 * Else what the capacity comes to.
 * Sources: Samsung's BatteryService of One UI 1 to 6; dumps of a 2016 and a 2018 Galaxy and of an S24.
 */
function makersHealth(plain: string): number | undefined {
  const figure =
    /^[ \t]{0,8}mSavedBatteryAsoc:[ \t]{0,4}(\d{1,3}|\[\d{1,3}\])[ \t]{0,4}$/m.exec(plain)?.[1] ??
    /^[ \t]{0,8}mSavedBatteryBsoh:[ \t]{0,4}(\d{1,3}|\[\d{1,3}\])[ \t]{0,4}$/m.exec(plain)?.[1];
  const percent = figure === undefined ? capacityLeft(plain) : Number(figure.replace(/[[\]]/g, ''));
  return percent >= 1 && percent <= 100 ? percent : undefined;
}

/**
 * Motorola's `Full capacity: 6977000` as percent of its `Full design capacity`, or others' `Maximum capacity` of their
 * `Design capacity`; 0 if it is not known. A new battery may hold somewhat more than it was designed for; a gauge that has
 * not learned yet says far less, or far more.
 */
function capacityLeft(plain: string): number {
  const now = /^[ \t]{0,8}(?:Full|Maximum) capacity: (\d{1,9})[ \t]{0,4}$/m.exec(plain)?.[1];
  const asNew = /^[ \t]{0,8}(?:Full design|Design) capacity: (\d{1,9})[ \t]{0,4}$/m.exec(plain)?.[1];
  const percent = Math.round((Number(now ?? 0) * 100) / Number(asNew ?? 0));
  return percent >= 10 && percent <= 120 ? Math.min(percent, 100) : 0;
}

/** No battery has 0 mV: a driver prints it for an unknown voltage, and then 0.0 °C is unknown too. */
function withoutBlanks({ voltageMillivolts, temperatureDecicelsius, ...facts }: BatteryFacts): BatteryFacts {
  const isBlank = voltageMillivolts === 0;
  return omitUndefined({
    ...facts,
    voltageMillivolts: isBlank ? undefined : voltageMillivolts,
    temperatureDecicelsius: isBlank && temperatureDecicelsius === 0 ? undefined : temperatureDecicelsius,
  });
}

/**
 * What healthd reports for a device without a battery, until Android 8.1: ALWAYS_PLUGGED_CAPACITY and
 * FAKE_BATTERY_TEMPERATURE of system/core, healthd/BatteryMonitor.cpp, and no voltage.
 */
const isMadeUp = ({ levelPercent, temperatureDecicelsius, voltageMillivolts, technology }: BatteryFacts) =>
  levelPercent === 100 &&
  temperatureDecicelsius === 424 &&
  voltageMillivolts === 0 &&
  technology === undefined;

const keys = new Set([
  'present',
  'level',
  'scale',
  'temperature',
  'voltage',
  'status',
  'health',
  'technology',
]);
const heading = 'Current Battery Service state:';

/** The heading of another block: a line without a value that names a battery or a dock, unlike makers' empty values. */
const nextHeading = /battery|dock/i;

/** The lines of the first block by key, the first of each. */
function firstBlock(plain: string): Map<string, string> {
  const fields = new Map<string, string>();
  const start = plain.indexOf(heading);
  for (const line of plain.slice(start < 0 ? 0 : start + heading.length).split('\n')) {
    const colon = line.indexOf(':');
    const key = line.slice(0, Math.max(0, colon)).trim();
    const value = line.slice(colon + 1).trim();
    if (keys.has(key)) {
      if (!fields.has(key)) fields.set(key, value);
    } else if (fields.size > 0 && (colon < 0 || value === '') && nextHeading.test(line)) {
      break;
    }
  }
  return fields;
}

const flag = (text: string | undefined): boolean | undefined =>
  text === 'true' ? true : text === 'false' ? false : undefined;

const integer = (text: string | undefined): number | undefined =>
  text !== undefined && /^-?\d{1,10}$/.test(text) ? Number(text) : undefined;

/** BatteryService always prints its scale, the constant 100; services of old makers may use another one. */
function percent(level: string | undefined, scale: string | undefined): number | undefined {
  const part = integer(level);
  const whole = scale === undefined ? 100 : integer(scale);
  if (part === undefined || whole === undefined) return undefined;
  return part >= 0 && whole > 0 && part <= whole ? (part * 100) / whole : undefined;
}

/**
 * Tenths of °C. Beyond −100 °C and +200 °C it is a driver's "don't know". A board that prints whole volts (`voltage: 13`) may
 * print whole °C as well: what is then below 10 °C may be either.
 */
function temperature(text: string | undefined, voltage = ''): number | undefined {
  const tenths = integer(text);
  if (tenths === undefined || tenths < -1000 || tenths > 2000) return undefined;
  return /^[1-9]\d?$/.test(voltage) && Math.abs(tenths) < 100 ? undefined : tenths;
}

/** Of a truck with 24 V; beyond that it is a gauge's "don't know": 65535 mV, 2147483647 µV. */
const MOST_MILLIVOLTS = 32_000;

/** Without a unit the size shows it: a battery has about 3 to 20 V. Some phones of OnePlus and OPPO print whole volts. */
function millivolts(text = ''): number | undefined {
  const [, digits, unit] = /^(\d{1,10}(?:\.\d{1,6})?) ?(V|mV|uV|\u00b5V)?$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits) * (perUnit[unit ?? unitOf(Number(digits))] ?? Number.NaN);
  return value <= MOST_MILLIVOLTS ? Math.round(value) : undefined;
}

const perUnit: Partial<Record<string, number>> = { mV: 1, V: 1000, uV: 0.001, '\u00b5V': 0.001 };

function unitOf(value: number): string {
  if (value === 0 || (value >= 1000 && value < 100_000)) return 'mV';
  if (value < 100) return 'V';
  return value >= 1_000_000 ? 'uV' : '';
}

/** The word for a number from 1; a number that BatteryManager does not define is UNKNOWN. */
function word<W extends string>(words: readonly W[], text: string | undefined): W | 'UNKNOWN' | undefined {
  const number = integer(text);
  return number === undefined ? undefined : (words[number - 1] ?? 'UNKNOWN');
}

const technology = (text = ''): string | undefined =>
  /^(?:null|unknown)?$/i.test(text) ? undefined : phoneText(text, 'word');

export const battery = {
  name: 'battery',
  cadence: 'round',
  limitSeconds: 4,
  limitBytes: 64 * KIB,
  commands: () => ({ dump: 'dumpsys battery' }),
  parse: ({ dump }) => parseBattery(dump ?? ''),
} as const satisfies Section<BatteryFacts>;
