import { Fragment } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { TimelineEntry } from '../host-status.ts';
import { writeAddress } from './address.ts';
import { useTime } from './clock.ts';
import { daysOf, type Filter, filters, useEvents } from './event-pages.ts';
import { SimulatedUntil } from './history.tsx';
import { TimeOfDay } from './time.tsx';
import { dayName } from './words.ts';

interface Props {
  udid: string;
  /** Asks for new events when it changes. */
  occasion: unknown;
  simulatedUntil: number | undefined;
  /** A person points at them: new ones wait. */
  isHeld: boolean;
}

/** A phone's events with a filter, grouped by day; older ones on demand. */
export function Events({ simulatedUntil, ...props }: Props) {
  const [filter, setFilter] = useState<Filter>('all');
  return (
    <section aria-labelledby="events">
      <h3 id="events">
        What happened <SimulatedUntil at={simulatedUntil} />
      </h3>
      {/* biome-ignore lint/a11y/useSemanticElements: buttons, not fields of a form */}
      <div class="choices" role="group" aria-label="Which events">
        {filters.map((each) => (
          <button key={each} type="button" aria-pressed={each === filter} onClick={() => setFilter(each)}>
            {each}
          </button>
        ))}
      </div>
      <Filtered key={filter} filter={filter} {...props} />
    </section>
  );
}

function Filtered({ udid, occasion, filter, isHeld }: Omit<Props, 'simulatedUntil'> & { filter: Filter }) {
  const { events, failure, hasMore, more } = useEvents(udid, filter, occasion);
  const top = useRef(0);
  if (!isHeld || top.current === 0) top.current = events?.[0]?.id ?? 0;
  if (events === undefined) return <p class="none">{failure ? 'The agent does not answer.' : 'loading…'}</p>;
  const shown = events.filter(({ id }) => id <= top.current);
  if (shown.length === 0)
    return <p class="none">{filter === 'all' ? 'nothing yet' : 'nothing of this kind'}</p>;
  return (
    <>
      <Timeline entries={shown} />
      {hasMore && (
        <button type="button" class="show-more" onClick={more}>
          Show more
        </button>
      )}
    </>
  );
}

/**
 * Events under the names of their days; notes stand out. A slot is written where it is another than in the line above.
 *
 * @param names of the phones by udid, where they are of several
 * @param slotAs how a slot is called here
 */
export function Timeline({
  entries,
  names,
  slotAs = (slot) => slot,
}: {
  entries: readonly TimelineEntry[];
  names?: ReadonlyMap<string, string>;
  slotAs?(slot: string): string;
}) {
  return (
    <>
      {daysOf(entries).map((ofDay) => (
        <Fragment key={ofDay[0]?.id}>
          <Day at={ofDay[0]?.at ?? 0} />
          <ol class="timeline">
            {ofDay.map(({ id, at, kind, text, slot, udid = '' }, index) => (
              <li key={id} class={kind === 'note' ? 'note' : undefined} title={slot}>
                <TimeOfDay at={at} />
                <span>
                  {names?.has(udid) && (
                    <>
                      <a href={writeAddress({ view: 'phone', udid })}>{names.get(udid)}</a>{' '}
                    </>
                  )}
                  {text}{' '}
                  {slot !== undefined && slot !== ofDay[index - 1]?.slot && <small>{slotAs(slot)}</small>}
                </span>
              </li>
            ))}
          </ol>
        </Fragment>
      ))}
    </>
  );
}

const Day = ({ at }: { at: number }) => <h4>{useTime((now) => dayName(at, now))}</h4>;
