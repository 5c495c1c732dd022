/** Why something is as it is: now, since when, who is to blame, what to do. */
import type { Blame, Certainty, Party } from '../../findings/finding.ts';
import type { FindingStatus, Why } from '../host-status.ts';
import { CopyButton } from './copy-button.tsx';
import { At } from './time.tsx';

const parties: Readonly<Record<Party, string>> = {
  phone: 'the phone itself',
  port: 'the cable or the port',
  hub: 'the hub',
  adb: 'the adb server',
  host: 'this host',
  room: 'the power of the room',
  person: 'a person',
  unknown: 'not known',
};

export function WhyWords({ why: { now, since, blame, findings } }: { why: Why }) {
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
      {blame && <BlameWords blame={blame} />}
      {findings.length > 0 && (
        <ol class="findings">
          {findings.map((finding) => (
            <Finding key={`${finding.code} ${finding.title}`} finding={finding} />
          ))}
        </ol>
      )}
    </>
  );
}

const BlameWords = ({ blame: { party, certainty, because } }: { blame: Blame }) => (
  <p class="blame">
    To blame: <strong>{parties[party]}</strong>
    {party !== 'unknown' && ` (${certainty})`}. {because}
  </p>
);

function Finding({ finding }: { finding: FindingStatus }) {
  const { code, severity, certainty, title, remedy, since } = finding;
  const command = commandIn(remedy);
  return (
    <li class={severity}>
      <p class="title">
        {title} <FindingCode code={code} certainty={certainty} />
      </p>
      <p>
        {remedy}
        {command !== undefined && (
          <>
            {' '}
            <CopyButton word="command" label={`Copy command: ${command}`} text={command} />
          </>
        )}
      </p>
      <p class="since">
        since <At at={since} />
      </p>
    </li>
  );
}

/** The command of a remedy that says `Run hostnode doctor …`. */
const commandIn = (remedy: string): string | undefined => /\bRun (hostnode [a-z]+)/i.exec(remedy)?.[1];

/** The stable code, and how sure it is where it is not certain. */
export const FindingCode = ({ code, certainty }: { code: string; certainty: Certainty | undefined }) => (
  <small class="code">
    <code>{code}</code>
    {certainty !== undefined && certainty !== 'certain' && ` ${certainty}`}
  </small>
);
