/** Why something is as it is: now, since when, who is to blame, what to do. */
import type { Certainty } from '../../diagnosis/finding.ts';
import type { Blame, Party } from '../../diagnosis/losses/attribution.ts';
import type { FindingStatus, Why } from '../host-status.ts';
import { CopyButton } from './copy-button.tsx';
import { At } from './time.tsx';

const parties: Readonly<Record<Party, string>> = {
  phone: 'the phone itself',
  port: 'the cable or the port',
  link: 'its own Wi-Fi or network',
  hub: 'the hub',
  network: 'the network of the phones',
  adb: 'the adb server',
  host: 'this host',
  room: 'the power of the room',
  person: 'a person',
  unknown: 'not known',
};

/** @param remedy what to do; '' where nothing is to be done */
export function WhyWords({ why, remedy }: { why: Why | undefined; remedy: string }) {
  return (
    <>
      {remedy !== '' && (
        <p class="remedy">
          <Remedy text={remedy} />
        </p>
      )}
      {why && <Reasons why={why} remedy={remedy} />}
    </>
  );
}

function Reasons({ why, remedy }: { why: Why; remedy: string }) {
  const { now, since, blame, lostAt, lostName, findings, historyProblem } = why;
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

/** A remedy, and the command in it to copy. */
function Remedy({ text }: { text: string }) {
  const command = commandIn(text);
  return (
    <>
      {text}
      {command !== undefined && (
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
