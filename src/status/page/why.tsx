/** Why something is as it is: now, since when, who is to blame, what to do. */
import type { ComponentChildren } from 'preact';
import type { Certainty } from '../../diagnosis/finding.ts';
import type { Blame } from '../../diagnosis/losses/blame.ts';
import { type FindingStatus, parties, type Why } from '../host-status.ts';
import { CopyButton } from './copy-button.tsx';
import { At } from './time.tsx';
import { withUnits } from './words.ts';

interface Props {
  why: Why | undefined;
  /** '' where nothing is to be done. */
  remedy: string;
  /** What else is known of it now. */
  children?: ComponentChildren;
}

/** What to do, and why it is so. */
export const WhySection = ({ why, remedy, children }: Props) => (
  <section class="why" aria-labelledby="why">
    {remedy !== '' && (
      <>
        <h3>What to do</h3>
        <p class="remedy">
          <Remedy text={remedy} />
        </p>
      </>
    )}
    <h3 id="why">Why</h3>
    {children}
    {why && <Reasons why={why} remedy={remedy} />}
  </section>
);

function Reasons({ why, remedy }: { why: Why; remedy: string }) {
  const { now, since, blame, lostAt, lostName, remedyOfLoss, findings, historyProblem } = why;
  return (
    <>
      <p>
        {now}
        {since !== undefined && (
          <>
            , since <At at={since} />
          </>
        )}
      </p>
      {historyProblem !== undefined && <p class="none">The history does not answer: {historyProblem}</p>}
      {blame && <BlameWords blame={blame} lostAt={lostAt} lostName={lostName} />}
      {remedyOfLoss !== undefined && remedy === '' && (
        <p class="remedy">
          <Remedy text={remedyOfLoss} />
        </p>
      )}
      {findings.length > 0 && (
        <ol class="findings">
          {findings.map((finding) => (
            <Finding key={`${finding.code} ${finding.title}`} finding={finding} said={remedy} />
          ))}
        </ol>
      )}
    </>
  );
}

const BlameWords = ({
  blame,
  lostAt,
  lostName,
}: {
  blame: Blame;
  lostAt: number | undefined;
  lostName: string | undefined;
}) => (
  <p class="blame">
    To blame
    {lostAt !== undefined && (
      <>
        {' '}
        for the last loss{lostName !== undefined && `, of ${lostName}`}, <At at={lostAt} />
      </>
    )}
    : <strong>{parties[blame.party]}</strong>
    {blame.party !== 'unknown' && ` (${blame.certainty})`}: {blame.because}
  </p>
);

/** A remedy: what stands in backticks is code, to copy; without them a command that it names. */
export function Remedy({ text, isWall = false }: { text: string; isWall?: boolean }) {
  const command = text.includes('`') ? undefined : commandIn(text);
  return (
    <>
      {text.split('`').map((part, index) =>
        index % 2 === 0 ? (
          withUnits(part)
        ) : (
          <span class="command" key={part}>
            <code>{part}</code>
            {!isWall && <CopyButton label={`Copy command: ${part}`} text={part} />}
          </span>
        ),
      )}
      {command !== undefined && !isWall && (
        <>
          {' '}
          <CopyButton word="command" label={`Copy command: ${command}`} text={command} />
        </>
      )}
    </>
  );
}

/** @param said a remedy that stands above already */
function Finding({ finding, said }: { finding: FindingStatus; said: string }) {
  const { code, severity, certainty, title, remedy, since } = finding;
  return (
    <li class={severity}>
      <p class="title">
        {title} <FindingCode code={code} certainty={certainty} />
      </p>
      {remedy !== said && (
        <p>
          <Remedy text={remedy} />
        </p>
      )}
      <p class="since">
        since <At at={since} />
      </p>
    </li>
  );
}

/** The command of a remedy that says `Run hostnode doctor: …`, or ends in `run hostnode maintenance --end -- UDID`. */
const commandIn = (remedy: string): string | undefined =>
  /\brun (hostnode (?:maintenance --end -- .{1,300}|[a-z]+))/i.exec(remedy)?.[1];

/** The stable code, and how sure it is where it is not certain. */
export const FindingCode = ({ code, certainty }: { code: string; certainty: Certainty | undefined }) => (
  <small class="code">
    <code>{code}</code>
    {certainty !== undefined && certainty !== 'certain' && ` ${certainty}`}
  </small>
);
