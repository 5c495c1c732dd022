/**
 * The table's filter: terms with blanks between them; a phone must match all. Pure.
 *
 *     hot   unauthorized   fine   maintenance   drained   its sign, or the start of a word in its names
 *     slot:S3   slot:"shelf 3"   model:pixel    the start of words in one of its values
 *     android<12   battery<=20   temp>40        a number; a phone without one does not match
 *     "a:b"   "x<y"                             in quotes everything is text; quotes themselves count nowhere
 */
import { nearest } from '../../base/nearest.ts';
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
  drain: ({ drain }) => drain && 'drained',
  finding: ({ findings }) => findings?.join(' '),
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

/** A term as a test, or why it cannot be read. */
type Term = { test: Test } | { problem: string };

const termsOf = (filter: string): Term[] => (filter.match(/(?:"[^"]*"?|[^\s"])+/g) ?? []).map(termOf);

/** The phones that match all terms. Terms that cannot be read count as if they were not there: `filterProblems` names them. */
export function parseFilter(filter: string): Test {
  const tests = termsOf(filter).flatMap((term) => ('test' in term ? term.test : []));
  return (phone) => tests.every((test) => test(phone));
}

/** A sentence for each term that cannot be read: which one, why, and what is allowed. */
export const filterProblems = (filter: string): string[] => [
  ...new Set(termsOf(filter).flatMap((term) => ('problem' in term ? term.problem : []))),
];

function termOf(term: string): Term {
  const [, name = '', sign = '', rest = ''] = /^([a-z]+)(:|<=|>=|<|>|=)(.*)$/i.exec(term) ?? [];
  const key = name.toLowerCase();
  const wanted = unquoted(rest);
  const compare = comparisons[sign === ':' ? '=' : sign];
  if (Object.hasOwn(numbers, key) && compare !== undefined) {
    const number = numbers[key] as (typeof numbers)[string];
    if (!/^-?\d+(?:\.\d+)?$/.test(wanted)) {
      return problem(term, `${key} needs a number, as in ${key}${sign === ':' ? '=' : sign}20`);
    }
    return { test: (phone) => compare(number(phone) ?? Number.NaN, Number(wanted)) };
  }
  if (Object.hasOwn(texts, key)) {
    const text = texts[key] as (typeof texts)[string];
    if (sign !== ':') return problem(term, `${key} is text: write ${key}:${wanted.slice(0, 20) || 'word'}`);
    const words = wordsOf(wanted);
    return { test: (phone) => words.test(unquoted(text(phone) ?? '')) };
  }
  const meant = nearest(key, [...Object.keys(texts), ...Object.keys(numbers)]);
  // an address may look like a key: lab:5555
  if (sign === ':' && (meant === undefined || /^\d{1,5}$/.test(wanted)))
    return { test: anywhere(unquoted(term)) };
  if (sign !== '')
    return problem(term, `${meant === undefined ? '' : `did you mean ${meant}? `}Known ${allowed}`);
  if (/^[<>=]|[<>=]$/.test(term)) return problem(term, 'write it without blanks, as in battery<20');
  return { test: anywhere(unquoted(term)) };
}

const allowed = `numbers are ${Object.keys(numbers).join(', ')}; texts are ${Object.keys(texts).join(', ')}; in quotes it is any text`;

const problem = (term: string, why: string): Term => ({
  problem: `Cannot read ${term.length > 40 ? `${term.slice(0, 40)}…` : term}: ${why}`,
});

/** Finds a phone by the start of a word in its names, or by any part of its serial and udid. */
function anywhere(wanted: string): Test {
  const part = wanted.toLowerCase();
  const words = wordsOf(wanted);
  return (phone) =>
    [phone.serial, phone.udid].some((id) => id.toLowerCase().includes(part)) ||
    words.test(
      unquoted([...Object.values(texts).map((text) => text(phone)), phone.connection].join(' | ')),
    ) ||
    (part === 'charging' && phone.battery?.isCharging === true);
}

/** A term that ends in a digit matches whole numbers: `shelf 3` does not match `shelf 31`. */
function wordsOf(wanted: string): RegExp {
  const escaped = wanted.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const end = /\d$/.test(wanted) ? '(?!\\d)' : '';
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}${end}`, 'iu');
}

const unquoted = (text: string) => text.replaceAll('"', '');
