import type { Fact } from '../host-status.ts';
import { Age } from './time.tsx';

/** The phone's facts, each with its age, or why it is missing. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <section aria-labelledby="facts">
      <h3 id="facts">Facts</h3>
      <table class="fact-list">
        <thead class="unseen">
          <tr>
            <th scope="col">Fact</th>
            <th scope="col">Value</th>
            <th scope="col">Age</th>
          </tr>
        </thead>
        <tbody>
          {facts.map(({ name, value, why, takenAt }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class={value === undefined ? 'none' : undefined}>{value ?? why}</td>
              <td class="number">{takenAt !== undefined && <Age at={takenAt} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
