import type { Fact } from '../host-status.ts';
import { Age } from './time.tsx';

/** The report's fields, folded: each value with its age, and once per reason the fields without one. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  const known = facts.filter(({ value }) => value !== undefined);
  const missing = Map.groupBy(
    facts.filter(({ value }) => value === undefined),
    ({ why = 'not known' }) => why,
  );
  return (
    <details class="fact-list">
      <summary>All fields of the report ({facts.length})</summary>
      <table>
        <thead class="unseen">
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Value</th>
            <th scope="col">Age</th>
          </tr>
        </thead>
        <tbody>
          {known.map(({ name, value, takenAt }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
              <td class="number">{takenAt !== undefined && <Age at={takenAt} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {[...missing].map(([why, fields]) => (
        <p key={why} class="missing">
          <strong>{capital(why)}:</strong> {fields.map(({ name }) => name).join(', ')}
        </p>
      ))}
    </details>
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
