/**
 * The table's filter: terms with blanks between them; a phone must match all. Pure.
 *
 *     hot   unauthorized   fine   maintenance   its sign, or the start of a word in its names
 *     slot:S3   slot:"shelf 3"   model:pixel    the start of words in one of its values
 *     android<12   battery<=20   temp>40        a number; a phone without one does not match
 */
import type { PhoneStatus } from '../host-status.ts';

type Test = (phone: PhoneStatus) => boolean;

const conditions: Readonly<Record<PhoneStatus['condition'], string>> = {
  fine: 'fine',
  needsAttention: 'needs attention',
  maintenance: 'maintenance',
  unknown: 'unknown',
};

const texts: Readonly<Record<string, (phone: PhoneStatus) => string | undefined>> = {
  slot: ({ slot }) => slot,
  port: ({ devpath }) => devpath,
  name: ({ name }) => name,
  model: ({ model }) => model,
  brand: ({ brand }) => brand,
  serial: ({ serial }) => serial,
  udid: ({ udid }) => udid,
  state: ({ state }) => state,
  network: ({ network }) => network,
  sign: ({ sign }) => sign,
  condition: ({ condition }) => conditions[condition],
};

const numbers: Readonly<Record<string, (phone: PhoneStatus) => number | undefined>> = {
  android: ({ android }) => (android === undefined ? undefined : Number.parseFloat(android)),
  battery: ({ battery }) => inPercent(battery?.levelRatio),
  temp: ({ battery }) => battery?.temperatureCelsius,
  storage: ({ storage }) => storage && inPercent((storage.usedBytes ?? Number.NaN) / storage.totalBytes),
};

const inPercent = (ratio?: number) => (ratio === undefined ? undefined : Math.round(ratio * 100));

const comparisons: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
  '=': (value, bound) => value === bound,
};

export function parseFilter(filter: string): Test {
  const tests = (filter.match(/(?:"[^"]*"?|[^\s"])+/g) ?? []).map(testOf);
  return (phone) => tests.every((test) => test(phone));
}

function testOf(term: string): Test {
  const [, key = '', sign = '', rest = ''] = /^([a-z]+)(:|<=|>=|<|>|=)(.*)$/i.exec(term) ?? [];
  const wanted = unquoted(rest);
  const [text, number] = [texts[key.toLowerCase()], numbers[key.toLowerCase()]];
  if (number && wanted !== '') {
    const bound = Number(wanted);
    const compare = comparisons[sign === ':' ? '=' : sign];
    return (phone) => compare?.(number(phone) ?? Number.NaN, bound) ?? false;
  }
  if (text && sign === ':') {
    const words = wordsOf(wanted);
    return (phone) => words.test(text(phone) ?? '');
  }
  return anywhere(unquoted(term));
}

/** Finds a phone by the start of a word in its names, or by any part of its serial and udid. */
function anywhere(wanted: string): Test {
  const part = wanted.toLowerCase();
  const words = wordsOf(wanted);
  return (phone) =>
    [phone.serial, phone.udid].some((id) => id.toLowerCase().includes(part)) ||
    words.test([...Object.values(texts).map((text) => text(phone)), phone.connection].join(' | ')) ||
    (part === 'charging' && phone.battery?.isCharging === true);
}

/** A term that ends in a digit matches whole numbers: `shelf 3` does not match `shelf 31`. */
function wordsOf(wanted: string): RegExp {
  const escaped = wanted.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const end = /\d$/.test(wanted) ? '(?!\\d)' : '';
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}${end}`, 'iu');
}

const unquoted = (text: string) => text.replaceAll('"', '');
