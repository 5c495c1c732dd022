import { useMemo, useState } from 'preact/hooks';
import { HOUR_MS } from '../../base/calendar.ts';
import type { Sample } from '../host-status.ts';
import { Plot, type Quantity } from './plot.tsx';
import { dayLong, monthsLong, type Span } from './plot-times.ts';
import { At } from './time.tsx';
import { eachHour, useAnswer } from './use-answer.ts';
import { celsius, dayName, moment, percent } from './words.ts';

const level: Quantity = {
  title: 'Battery',
  unit: '%',
  digits: 0,
  range: [0, 100],
  read: ({ levelRatio }) => (levelRatio === undefined ? undefined : levelRatio * 100),
};

const temperature: Quantity = {
  title: 'Temperature',
  unit: '°C',
  digits: 1,
  range: [20, 50],
  limit: 45,
  read: ({ temperatureCelsius }) => temperatureCelsius,
};

interface Props {
  udid: string;
  /** The host's time. */
  now: number;
  /** Those of the last day. */
  samples: readonly Sample[];
  simulatedUntil: number | undefined;
}

/** Battery and temperature of a day, and of 90 days once somebody wants them. */
export function History({ udid, now, samples, simulatedUntil }: Props) {
  const [isLong, setLong] = useState(false);
  const path = `api/phones/${encodeURIComponent(udid)}/samples?days=90`;
  const { answer, failure } = useAnswer<Sample[]>(isLong ? path : undefined, eachHour(now));
  const choices: [string, boolean][] = [
    ['Day', false],
    ['90 days', true],
  ];
  return (
    <section aria-labelledby="history">
      <h3 id="history">
        Battery and temperature <SimulatedUntil at={simulatedUntil} />
      </h3>
      {/* biome-ignore lint/a11y/useSemanticElements: buttons, not fields of a form */}
      <div class="choices" role="group" aria-label="How long">
        {choices.map(([word, choice]) => (
          <button key={word} type="button" aria-pressed={choice === isLong} onClick={() => setLong(choice)}>
            {word}
          </button>
        ))}
      </div>
      {!isLong ? (
        <Plots samples={samples} span={dayLong} until={now} />
      ) : answer ? (
        <Plots samples={answer} span={monthsLong} until={now} />
      ) : (
        <p class="none">{failure ? 'The agent does not answer.' : 'loading…'}</p>
      )}
    </section>
  );
}

function Plots({ samples, span, until }: { samples: readonly Sample[]; span: Span; until: number }) {
  if (samples.length === 0) return <p class="none">no measurements yet</p>;
  return (
    <>
      <Plot samples={samples} quantity={level} span={span} until={until} />
      <Plot samples={samples} quantity={temperature} span={span} until={until} />
      <AsTable samples={samples} isLong={span === monthsLong} />
    </>
  );
}

/** A row for each hour or day. */
function AsTable({ samples, isLong }: { samples: readonly Sample[]; isLong: boolean }) {
  const rows = useMemo(() => lastOfEach(samples, isLong), [samples, isLong]);
  const last = samples.at(-1)?.at ?? 0;
  return (
    <details>
      <summary>As a table</summary>
      <table class="hours">
        <thead>
          <tr>
            <th scope="col">{isLong ? 'Day' : 'Time'}</th>
            <th scope="col" class="number">
              Battery
            </th>
            <th scope="col" class="number">
              Temperature
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ at, levelRatio, temperatureCelsius }) => (
            <tr key={at}>
              <th scope="row">{isLong ? dayName(at, last) : moment(at, last)}</th>
              <td class="number">{percent(levelRatio)}</td>
              <td class="number">{celsius(temperatureCelsius)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** Says which part of what stands below is made up; nothing where none is. */
export const SimulatedUntil = ({ at }: { at: number | undefined }) =>
  at !== undefined && (
    <small class="simulated">
      simulated before <At at={at} />
    </small>
  );

/** The last sample of each hour or day, newest first. */
function lastOfEach(samples: readonly Sample[], isDay: boolean): Sample[] {
  const periodOf = ({ at }: Sample) => (isDay ? new Date(at).toDateString() : Math.floor(at / HOUR_MS));
  return [...new Map(samples.map((sample) => [periodOf(sample), sample])).values()].reverse();
}
