import type { Why } from '../host-status.ts';
import { Timeline } from './events.tsx';
import { Panel } from './panel.tsx';
import { eachMinute, useAnswer } from './use-answer.ts';
import { WhyWords } from './why.tsx';

interface Props {
  /** A slot, or a shelf: the common part of its slots' names. */
  name: string;
  /** The host's time. */
  now: number;
  onClose(): void;
}

/** Why a slot or a shelf is as it is, and what happened there. */
export function PlacePanel({ name, now, onClose }: Props) {
  const { answer: why, failure } = useAnswer<Why>(`api/why/${encodeURIComponent(name)}`, eachMinute(now));
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
          <section class="why" aria-labelledby="why">
            <h3 id="why">Why</h3>
            {why.remedy !== '' && <p class="remedy">{why.remedy}</p>}
            <WhyWords why={why} />
          </section>
          <section aria-labelledby="events">
            <h3 id="events">What happened</h3>
            {why.timeline.length === 0 ? (
              <p class="none">nothing yet</p>
            ) : (
              <Timeline entries={why.timeline} />
            )}
          </section>
        </>
      )}
    </Panel>
  );
}
