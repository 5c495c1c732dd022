import { type HostStatus, remedyOnTop, type Why } from '../host-status.ts';
import { writeAddress } from './address.ts';
import { Timeline } from './events.tsx';
import { Sign } from './icons.tsx';
import { Panel } from './panel.tsx';
import { eachMoment, useAnswer } from './use-answer.ts';
import { WhySection } from './why.tsx';

interface Props {
  /** A slot, or a shelf: the common part of its slots' names. */
  name: string;
  status: HostStatus;
  onClose(): void;
}

/** Why a slot or a shelf is as it is, and what happened there. */
export function PlacePanel({ name, status: { takenAt, phones }, onClose }: Props) {
  const { answer: why, failure } = useAnswer<Why>(`api/why/${encodeURIComponent(name)}`, eachMoment(takenAt));
  const names = new Map(phones.map(({ udid, name }) => [udid, name]));
  const bayOf = (slot: string) => (slot.startsWith(`${name}, `) ? slot.slice(name.length + 2) : slot);
  return (
    <Panel title={name} onClose={onClose}>
      {failure && (
        <p class="failure">
          {failure === 'unknown' ? 'This host does not know the place.' : 'The agent does not answer.'}
        </p>
      )}
      {!why && !failure && <p class="loading">loading…</p>}
      {why && (
        <>
          <WhySection why={why} remedy={remedyOnTop(why)} />
          {why.phones && why.phones.length > 0 && <Phones phones={why.phones} bayOf={bayOf} />}
          <section aria-labelledby="events">
            <h3 id="events">What happened</h3>
            {why.timeline.length === 0 ? (
              <p class="none">nothing yet</p>
            ) : (
              <Timeline entries={why.timeline} names={names} slotAs={bayOf} />
            )}
          </section>
        </>
      )}
    </Panel>
  );
}

/** The phones that are there, or were there last. */
const Phones = ({ phones, bayOf }: { phones: NonNullable<Why['phones']>; bayOf(slot: string): string }) => (
  <section aria-labelledby="phones">
    <h3 id="phones">Phones</h3>
    <ul class="place-phones">
      {phones.map(({ udid, name, slot, devpath, condition, sign }) => (
        <li key={udid} class={condition}>
          <small>{slot === undefined ? devpath : bayOf(slot)}</small>
          <a href={writeAddress({ view: 'phone', udid })}>{name}</a>
          <span class="sign">
            <Sign condition={condition} />
            {sign || (condition === 'maintenance' && condition)}
          </span>
        </li>
      ))}
    </ul>
  </section>
);
