/** The columns of the table: sort keys and contents. */
import type { ComponentChildren } from 'preact';
import { naturalOrder } from '../../base/words.ts';
import type { PhoneStatus } from '../host-status.ts';
import { type Sort, writeAddress } from './address.ts';
import { Charging, Sign } from './icons.tsx';
import { signOf } from './tile.tsx';
import { Ago } from './time.tsx';
import { celsius, percent, usage } from './words.ts';

export interface Column {
  key: string;
  title: string;
  isNumber?: boolean;
  /** Absent: sorted last, in either direction. */
  value(phone: PhoneStatus): string | number | undefined;
  show(phone: PhoneStatus): ComponentChildren;
}

/** Worst first. */
const severity = { needsAttention: 0, unknown: 1, maintenance: 2, fine: 3 } as const;

/** The first column is the phone's name: it opens the panel, and stays in place when the others scroll. */
export const columns: readonly Column[] = [
  {
    key: 'name',
    title: 'Name',
    value: ({ name }) => name.toLowerCase(),
    show: ({ udid, name }) => (
      <a href={writeAddress({ view: 'phone', udid })} data-udid={udid}>
        {name}
      </a>
    ),
  },
  {
    key: 'slot',
    title: 'Place',
    value: () => undefined, // the phones already come in rack order
    show: ({ slot, devpath }) => slot ?? devpath,
  },
  {
    key: 'condition',
    title: 'Condition',
    value: ({ condition, sign }) => `${severity[condition]} ${sign}`,
    show: (phone) => (
      <span class={`sign ${phone.condition}`}>
        <Sign condition={phone.condition} />
        {signOf(phone) || 'fine'}
      </span>
    ),
  },
  {
    key: 'android',
    title: 'Android',
    isNumber: true,
    value: ({ android }) => (android === undefined ? undefined : Number.parseFloat(android)),
    show: ({ android }) => android,
  },
  {
    key: 'battery',
    title: 'Battery',
    isNumber: true,
    value: ({ battery }) => battery?.levelRatio,
    show: ({ battery }) => (
      <>
        {battery?.isCharging && <Charging />}
        {percent(battery?.levelRatio)}
      </>
    ),
  },
  {
    key: 'temp',
    title: 'Temp.',
    isNumber: true,
    value: ({ battery }) => battery?.temperatureCelsius,
    show: ({ battery }) => celsius(battery?.temperatureCelsius),
  },
  {
    key: 'storage',
    title: 'Storage used',
    isNumber: true,
    value: ({ storage }) =>
      storage?.usedBytes === undefined ? undefined : storage.usedBytes / storage.totalBytes,
    show: ({ storage }) => usage(storage),
  },
  {
    key: 'network',
    title: 'Network',
    value: ({ network }) => network,
    show: ({ network }) => network?.toLowerCase(),
  },
  {
    key: 'answered',
    title: 'Answered',
    isNumber: true,
    value: ({ answeredAt }) => (answeredAt === undefined ? undefined : -answeredAt),
    show: ({ answeredAt }) => answeredAt !== undefined && <Ago at={answeredAt} />,
  },
  { key: 'model', title: 'Model', value: ({ model }) => model?.toLowerCase(), show: ({ model }) => model },
  {
    key: 'serial',
    title: 'Serial',
    value: ({ serial }) => serial,
    show: ({ serial }) => <code>{serial}</code>,
  },
];

/** @param phones in rack order, which breaks ties */
export function sorted(phones: readonly PhoneStatus[], { column, isDescending }: Sort): PhoneStatus[] {
  const value = columns.find(({ key }) => key === column)?.value;
  const direction = isDescending ? -1 : 1;
  if (value === undefined || column === 'slot') return isDescending ? phones.toReversed() : [...phones];
  return phones.toSorted((a, b) => {
    const [one, other] = [value(a), value(b)];
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined);
    if (typeof one === 'number' && typeof other === 'number') return (one - other) * direction;
    return naturalOrder(String(one), String(other)) * direction;
  });
}
