/** Which rule of the configuration matches which known phone, and which phone sits in which slot. */
import { localTime } from '../base/calendar.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Line } from '../base/styled-text.ts';
import type { Config } from '../config/load.ts';
import type { UsbTopology } from '../host/usb-buses.ts';
import { matches, subjectOf } from '../report/policy.ts';
import type { RosterDevice } from '../roster/device.ts';
import { Slots } from '../roster/slots.ts';
import { layOut } from './columns.ts';

export interface KnownPhone {
  readonly udid: string;
  readonly name?: string;
  /** Its current or last slot. */
  readonly slot?: string;
  readonly attached: boolean;
  /** Ms since the epoch. */
  readonly lastSeenAt: number;
}

export interface ConfigMatch {
  readonly rules: readonly {
    readonly match: Config['devices'][number]['match'];
    /** The keys that the rule sets for the phones that it matches. */
    readonly sets: Omit<Config['devices'][number], 'match'>;
    readonly phones: readonly KnownPhone[];
  }[];
  readonly slots: readonly (Config['slots'][number] & { readonly phones: readonly KnownPhone[] })[];
  /** Known phones that sit in no slot. */
  readonly withoutSlot: readonly KnownPhone[];
}

/** @param devices all known phones */
export function matchPhones(
  { devices: rules, slots }: Pick<Config, 'devices' | 'slots'>,
  devices: readonly RosterDevice[],
  topology: UsbTopology,
): ConfigMatch {
  const places = new Slots(slots, topology);
  const known = devices
    .filter(({ supersededBy }) => supersededBy === undefined)
    .map((device) => ({ device, slot: places.slotOf(device) }))
    .map(({ device, slot }) => ({ subject: subjectOf(device, slot), phone: phoneOf(device, slot) }));
  const phones = known.map(({ phone }) => phone);
  return {
    rules: rules.map(({ match, ...sets }) => ({
      match,
      sets,
      phones: known.filter(({ subject }) => matches(match, subject)).map(({ phone }) => phone),
    })),
    slots: slots.map((slot) => ({ ...slot, phones: phones.filter((phone) => phone.slot === slot.name) })),
    withoutSlot: phones.filter(({ slot }) => slot === undefined),
  };
}

const phoneOf = (device: RosterDevice, slot: string | undefined): KnownPhone => {
  const { udid, givenName, identity, attached, lastSeenAt } = device;
  const name = givenName ?? identity?.marketingName ?? identity?.model;
  return omitUndefined({ udid, name, slot, attached, lastSeenAt });
};

/** Two tables: rules and slots. Omits an empty table. */
export function matchLines({ rules, slots, withoutSlot }: ConfigMatch, width?: number): Line[] {
  const ruleRows = rules.flatMap(({ match, sets, phones }, index) =>
    rowsOf(
      [String(index + 1), wordsOf(match), wordsOf(sets)],
      phones.map(({ udid, name = '', slot = '' }) => [udid, name, slot]),
      'no known phone',
    ),
  );
  const slotRows = [
    ...slots.flatMap(({ name, paths, phones }) => rowsOf([name, paths.join(' ')], phones.map(cellsOf), '')),
    ...(withoutSlot.length > 0 ? rowsOf(['(no slot)', ''], withoutSlot.map(cellsOf), '') : []),
  ];
  const ruleTable = layOut(titled('RULE', 'MATCHES', 'SETS', 'UDID', 'NAME', 'SLOT'), ruleRows, { width });
  const slotTable = layOut(titled('SLOT', 'PATHS', 'UDID', 'NAME', 'SEEN'), slotRows, { width });
  return [...(rules.length > 0 ? ['', ...ruleTable] : []), ...(slots.length > 0 ? ['', ...slotTable] : [])];
}

const titled = (...titles: string[]) => titles.map((title) => ({ title }));

const cellsOf = ({ udid, name = '', attached, lastSeenAt }: KnownPhone): string[] => [
  udid,
  name,
  attached ? 'plugged in' : `until ${localTime(lastSeenAt)}`,
];

/** One row per phone; only the first row has the first cells. */
function rowsOf(first: string[], phones: string[][], none: string): string[][] {
  const rows = phones.length > 0 ? phones : [[none]];
  return rows.map((cells, index) => [...(index === 0 ? first : first.map(() => '')), ...cells]);
}

/** `model "Pixel *", slot "rack 2*"`, `isHidden, support.appiumDisabled false`. */
function wordsOf(settings: object, above = ''): string {
  return Object.entries(settings)
    .map(([key, value]) => {
      if (value === true) return above + key;
      if (typeof value === 'object' && value !== null) return wordsOf(value, `${above}${key}.`);
      return `${above}${key} ${JSON.stringify(value)}`;
    })
    .join(', ');
}
