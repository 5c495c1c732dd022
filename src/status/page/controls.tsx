/** The filter, and the links to the other views. */
import type { HostStatus } from '../host-status.ts';
import { type Address, unsorted, writeAddress } from './address.ts';
import { filterProblems, parseFilter } from './filter.ts';

/** A view with controls. */
export type Filtered = Extract<Address, { filter: string }>;

interface Props {
  status: HostStatus;
  address: Filtered;
  onChange(address: Filtered): void;
}

const FILTER = 'filter';

/** Puts the cursor into the filter. */
export function enterFilter(): void {
  const input = document.getElementById(FILTER);
  if (input instanceof HTMLInputElement) input.select();
}

export function Controls({ status, address, onChange }: Props) {
  const { filter } = address;
  const views: readonly { address: Address; word: string }[] = [
    { address: { view: 'rack', filter }, word: 'Rack' },
    { address: { view: 'table', sort: unsorted, filter }, word: 'Table' },
    { address: { view: 'wall' }, word: 'Wall' },
  ];
  return (
    <div class="controls">
      <Filter status={status} filter={filter} onFilter={(filter) => onChange({ ...address, filter })} />
      <nav aria-label="View">
        {views.map(({ address: there, word }) => (
          <a
            key={word}
            href={writeAddress(there)}
            aria-current={there.view === address.view ? 'page' : undefined}
          >
            {word}
          </a>
        ))}
      </nav>
    </div>
  );
}

function Filter({
  status: { phones },
  filter,
  onFilter,
}: {
  status: HostStatus;
  filter: string;
  onFilter(filter: string): void;
}) {
  return (
    <div class="filter">
      <input
        id={FILTER}
        type="search"
        value={filter}
        placeholder="Filter ( / )"
        aria-label="Filter"
        aria-describedby="matches filter-problems"
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget: { value } }) => onFilter(value)}
        onKeyDown={leave}
      />
      <p id="matches" class="matches">
        {filter !== '' && (
          <>
            {phones.filter(parseFilter(filter)).length} of {phones.length}
            <span class="unseen"> phones</span>
          </>
        )}
      </p>
    </div>
  );
}

/** The terms of the filter that cannot be read, and why. */
export const FilterProblems = ({ filter }: { filter: string }) => (
  <p id="filter-problems" class="filter-problems" role="status">
    {filterProblems(filter).map((problem) => (
      <span key={problem}>{problem}</span>
    ))}
  </p>
);

/** Enter goes to the first phone that matches; Escape in an empty filter leaves it. */
function leave(event: KeyboardEvent & { currentTarget: HTMLInputElement }): void {
  const { key, currentTarget } = event;
  if (key === 'Escape') {
    event.stopPropagation(); // the panel stays open
    if (currentTarget.value === '') currentTarget.blur();
  }
  if (key === 'Enter') document.querySelector<HTMLElement>('a.tile:not(.unmatched), tbody th a')?.focus();
}
