import { useRef } from 'preact/hooks';
import type { HostStatus, PhoneStatus } from '../host-status.ts';
import type { Address, Sort } from './address.ts';
import { type Column, columns, sorted } from './columns.tsx';
import { CopyButton } from './copy-button.tsx';
import { parseFilter } from './filter.ts';
import { useFlash } from './flash.ts';
import { Wrench } from './icons.tsx';
import { maintenanceCommand } from './maintenance-command.ts';
import { Scroller } from './scroller.tsx';

type TableAddress = Extract<Address, { view: 'table' }>;

interface Props {
  status: HostStatus;
  address: TableAddress;
  /** A person points at the table: the rows stay in place. */
  isHeld: boolean;
  onChange(address: Address): void;
}

/** All phones, one per row. */
export function Table({ status, address, isHeld, onChange }: Props) {
  const { sort, filter } = address;
  const wanted = sorted(inRackOrder(status).filter(parseFilter(filter)), sort);
  const shown = useSteady(wanted, status.phones, isHeld, `${sort.column} ${sort.isDescending} ${filter}`);
  const change = (changed: Partial<TableAddress>) => onChange({ ...address, ...changed });
  return (
    <section class="table" aria-label="All phones">
      <p class="help">
        Filter by any word, or{' '}
        {examplesFor(status).map((example) => (
          <button key={example} type="button" class="example" onClick={() => change({ filter: example })}>
            {example}
          </button>
        ))}
      </p>
      <Scroller>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <Head key={column.key} column={column} sort={sort} onSort={(sort) => change({ sort })} />
              ))}
              <th scope="col">
                <span class="unseen">Maintenance</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((phone) => (
              <Row key={phone.udid} phone={phone} />
            ))}
          </tbody>
        </table>
        {shown.length === 0 && (
          <p class="nothing">{filter === '' ? 'No phones yet.' : 'No phone matches the filter.'}</p>
        )}
      </Scroller>
    </section>
  );
}

function Head({ column, sort, onSort }: { column: Column; sort: Sort; onSort(sort: Sort): void }) {
  const isSorted = column.key === sort.column;
  const direction = !isSorted ? undefined : sort.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" class={column.isNumber ? 'number' : undefined} aria-sort={direction}>
      <button
        type="button"
        onClick={() => onSort({ column: column.key, isDescending: isSorted && !sort.isDescending })}
      >
        <span class="title">{column.title}</span>
        <span class="arrow" aria-hidden="true">
          {direction === undefined ? '' : sort.isDescending ? '▼' : '▲'}
        </span>
      </button>
    </th>
  );
}

function Row({ phone }: { phone: PhoneStatus }) {
  const row = useFlash<HTMLTableRowElement>(`${phone.condition} ${phone.sign}`);
  return (
    <tr ref={row} class={phone.condition}>
      {columns.map(({ key, isNumber, show }) =>
        key === 'name' ? (
          <th key={key} scope="row">
            {show(phone)}
          </th>
        ) : (
          <td key={key} class={isNumber ? 'number' : undefined}>
            {show(phone)}
          </td>
        ),
      )}
      <td class="copies">
        <CopyButton
          icon={<Wrench />}
          label={`Copy the maintenance command for ${phone.name}`}
          text={maintenanceCommand([phone.udid])}
        />
      </td>
    </tr>
  );
}

/**
 * Keeps the rows in place while a person points at them; new phones then come last.
 *
 * @param asked changes when a person sorts or filters; that reorders the rows
 */
function useSteady(
  wanted: PhoneStatus[],
  all: readonly PhoneStatus[],
  isHeld: boolean,
  asked: string,
): PhoneStatus[] {
  const before = useRef<{ udids: string[]; asked: string }>({ udids: [], asked: '' });
  const { udids } = before.current;
  let rows = wanted;
  if (isHeld && before.current.asked === asked) {
    const known = new Map(all.map((phone) => [phone.udid, phone]));
    const kept = new Set(udids);
    rows = [
      ...udids.flatMap((udid) => known.get(udid) ?? []),
      ...wanted.filter(({ udid }) => !kept.has(udid)),
    ];
  }
  before.current = { udids: rows.map(({ udid }) => udid), asked };
  return rows;
}

/** Examples for every host, and one with a shelf of this host. */
function examplesFor({ bands }: HostStatus): string[] {
  const shelf = bands.find(({ name }) => name !== '')?.name.replaceAll('"', '');
  const own = shelf === undefined ? [] : [shelf.includes(' ') ? `slot:"${shelf}"` : `slot:${shelf}`];
  return ['hot', 'unauthorized', ...own, 'android<12', 'battery<20', 'storage>90'];
}

function inRackOrder({ bands, phones }: HostStatus): PhoneStatus[] {
  const places = new Map(bands.flatMap(({ bays }) => bays).map(({ udid }, place) => [udid, place]));
  const placeOf = ({ udid }: PhoneStatus) => places.get(udid) ?? places.size;
  return phones.toSorted((a, b) => placeOf(a) - placeOf(b));
}
