import { useMemo } from 'preact/hooks';
import type { Sample } from '../host-status.ts';
import { Plot, type Quantity } from './plot.tsx';
import { At } from './time.tsx';
import { celsius, moment, percent } from './words.ts';

const HOUR_MS = 3_600_000;

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
  range: [20, 40],
  read: ({ temperatureCelsius }) => temperatureCelsius,
};

/** Battery and temperature of the last day, as plots and a table. */
export function History({
  samples,
  simulatedUntil,
}: {
  samples: readonly Sample[];
  simulatedUntil: number | undefined;
}) {
  const hours = useMemo(() => hourly(samples), [samples]);
  const last = samples.at(-1);
  return (
    <section aria-labelledby="history">
      <h3 id="history">
        Last day <SimulatedUntil at={simulatedUntil} />
      </h3>
      {last === undefined ? (
        <p class="none">no measurements yet</p>
      ) : (
        <>
          <Plot samples={samples} quantity={level} />
          <Plot samples={samples} quantity={temperature} />
          <details>
            <summary>As a table</summary>
            <table class="hours">
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  <th scope="col" class="number">
                    Battery
                  </th>
                  <th scope="col" class="number">
                    Temperature
                  </th>
                </tr>
              </thead>
              <tbody>
                {hours.map(({ at, levelRatio, temperatureCelsius }) => (
                  <tr key={at}>
                    <th scope="row">{moment(at, last.at)}</th>
                    <td class="number">{percent(levelRatio)}</td>
                    <td class="number">{celsius(temperatureCelsius)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        </>
      )}
    </section>
  );
}

/** Says which part of what stands below is made up; nothing where none is. */
export const SimulatedUntil = ({ at }: { at: number | undefined }) =>
  at !== undefined && (
    <small class="simulated">
      simulated before <At at={at} />
    </small>
  );

/** The last sample of each hour, newest first. */
function hourly(samples: readonly Sample[]): Sample[] {
  const hours = new Map(samples.map((sample) => [Math.floor(sample.at / HOUR_MS), sample]));
  return [...hours.values()].reverse();
}
