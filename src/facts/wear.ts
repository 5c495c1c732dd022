/**
 * What the battery holds when it is full, beside what it held when it was new: how much it has worn.
 *
 * Sources: Linux Documentation/ABI/testing/sysfs-class-power, charge_full and charge_full_design, in µAh; AOSP
 * sepolicy shell.te lets the shell read sysfs_batteryinfo. The gauge of Qualcomm's chips may have a folder of its own,
 * `bms`. Most phones have no such file or deny it: then nothing is known.
 */
import { ParseError } from '../base/errors.ts';
import { plainText } from './phone-text.ts';
import { KIB, type Section } from './section.ts';

/** Both or none. */
export interface WearFacts {
  /** The charge when full, as the gauge learned it, µAh. */
  fullMicroampereHours?: number;
  /** The charge when full of a new battery, µAh. */
  designMicroampereHours?: number;
}

/** A watch has 0.2 Ah, a large tablet 15: beyond that the number has another unit, or is a driver's "don't know". */
const LEAST_DESIGN = 100_000;
const MOST_DESIGN = 40_000_000;
/** A gauge that has not learned yet gives 0, or more than a new battery holds. */
const LEAST_RATIO = 0.1;
const MOST_RATIO = 1.2;

/**
 * Parses lines `battery/charge_full:4000000`. Takes both numbers from one folder, the first that has both.
 *
 * @throws {ParseError} when it is neither such a line nor the shell's word on such a file
 */
export function parseWear(text: string): WearFacts {
  if (!/charge_full|power_supply/.test(text)) throw new ParseError('charge_full', text);
  const values = new Map<string, number>();
  for (const line of plainText(text).split('\n')) {
    const [, path, digits] = /^(\w{1,20}\/charge_full(?:_design)?):(\d{1,10})\s{0,4}$/.exec(line) ?? [];
    if (path !== undefined && !values.has(path)) values.set(path, Number(digits));
  }
  return folders.flatMap((folder) => pairIn(values, folder))[0] ?? {};
}

const folders = ['battery', 'bms'];

function pairIn(values: ReadonlyMap<string, number>, folder: string): WearFacts[] {
  const fullMicroampereHours = values.get(`${folder}/charge_full`) ?? 0;
  const designMicroampereHours = values.get(`${folder}/charge_full_design`) ?? 0;
  const ratio = fullMicroampereHours / designMicroampereHours;
  const isPlausible =
    designMicroampereHours >= LEAST_DESIGN &&
    designMicroampereHours <= MOST_DESIGN &&
    ratio >= LEAST_RATIO &&
    ratio <= MOST_RATIO;
  return isPlausible ? [{ fullMicroampereHours, designMicroampereHours }] : [];
}

export const wear = {
  name: 'wear',
  cadence: { everySeconds: 6 * 3600 },
  limitSeconds: 3,
  limitBytes: 8 * KIB,
  // with several files, grep writes the name before each line; a single one is no use
  commands: () => ({ charge: 'cd /sys/class/power_supply&&grep . b*/charge_full*;:' }),
  parse: ({ charge }) => parseWear(charge ?? ''),
} as const satisfies Section<WearFacts>;
