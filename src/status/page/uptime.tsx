import { useState } from 'preact/hooks';
import type { DayUptime } from '../../history/store/history.ts';
import { useTime } from './clock.ts';
import { SimulatedUntil } from './history.tsx';
import { dayInWords, kindOf, lossesInWords, uptimeInWords } from './uptime-words.ts';

interface Props {
  /** Oldest first. */
  days: readonly DayUptime[];
  simulatedUntil: number | undefined;
}

const WEEK = 7;
const MONTH = 30;

/**
 * A bar for each of the last 90 days. Pointer and keyboard choose one, which the line below tells; to a screen reader it
 * is a slider over the days.
 */
export function Uptime({ days, simulatedUntil }: Props) {
  const [chosen, choose] = useState<number>();
  const last = days.length - 1;
  const day = days[chosen ?? last];
  const go = (place: number) => choose(Math.max(0, Math.min(last, place)));
  const point = ({ currentTarget, clientX }: PointerEvent & { currentTarget: HTMLElement }) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    go(Math.floor(((clientX - left) / width) * days.length));
  };
  const press = (event: KeyboardEvent) => {
    const next = placeByKey(event.key, chosen ?? last, last);
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(next);
  };
  const said = useTime((now) => (day === undefined ? '' : dayInWords(day, now)));
  if (day === undefined) return null;
  const month = days.slice(-MONTH);
  return (
    <section aria-labelledby="uptime">
      <h3 id="uptime">
        Online{' '}
        <span class="summary-words">
          {uptimeInWords(month)}
          {lossesInWords(month)}
        </span>{' '}
        <SimulatedUntil at={simulatedUntil} />
      </h3>
      <div
        class="strip"
        role="slider"
        tabIndex={0}
        aria-label={`Day of the last ${days.length}`}
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={(chosen ?? last) + 1}
        aria-valuetext={said}
        onKeyDown={press}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && choose(undefined)}
        onBlur={() => choose(undefined)}
      >
        {days.map((each, place) => (
          <span key={each.at} class={`${kindOf(each)}${place === chosen ? ' chosen' : ''}`} />
        ))}
      </div>
      <p class="strip-words">
        {chosen === undefined ? (
          <>
            <span>{days.length} d ago</span>
            <span>today</span>
          </>
        ) : (
          <strong>{said}</strong>
        )}
      </p>
    </section>
  );
}

function placeByKey(key: string, place: number, last: number): number | undefined {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return place - 1;
  if (key === 'ArrowRight' || key === 'ArrowUp') return place + 1;
  if (key === 'PageDown') return place - WEEK;
  if (key === 'PageUp') return place + WEEK;
  if (key === 'Home') return 0;
  return key === 'End' ? last : undefined;
}
