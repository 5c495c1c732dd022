import { Fragment } from 'preact';
import { firstStep, quantity } from '../../base/words.ts';
import {
  type Band,
  type Bay,
  type Cause,
  type HostStatus,
  isHostProblem,
  type PhoneStatus,
} from '../host-status.ts';
import { writeAddress } from './address.ts';
import { useTime } from './clock.ts';
import { CopyButton } from './copy-button.tsx';
import { useFlash } from './flash.ts';
import { Check, Warning, Wrench } from './icons.tsx';
import { maintenanceCommand } from './maintenance-command.ts';
import { problemsAsMarkdown } from './markdown.ts';
import { At } from './time.tsx';
import { FindingCode, Remedy } from './why.tsx';
import { moment, withUnits } from './words.ts';

/** Names at most this many phones of a cause, and counts the rest. */
const NAMED = 3;

interface Props {
  status: HostStatus;
  isWall: boolean;
}

/** What needs attention: the problems of the host, and a row for each cause of the phones; the worst first. */
export function Causes({ status, isWall }: Props) {
  const { causes, phones, bands } = status;
  const [ofHost, ofPhones] = [causes.filter(isHostProblem), causes.filter((cause) => !isHostProblem(cause))];
  const known = new Map(phones.map((phone) => [phone.udid, phone]));
  return (
    <>
      {causes.length === 0 && <AllFine status={status} />}
      {ofHost.map((cause) => (
        <HostProblem key={cause.key} cause={cause} isWall={isWall} />
      ))}
      {ofPhones.length > 0 && (
        <section class="causes" aria-labelledby="causes">
          <div class="heading">
            <h2 id="causes">Needs attention</h2>
            {!isWall && (
              <CopyButton
                word="Copy as Markdown"
                label="Copy as Markdown: the list of problems"
                text={problemsAsMarkdown(status)}
              />
            )}
          </div>
          <ol>
            {ofPhones.map((cause) => (
              <Row
                key={cause.key}
                cause={cause}
                bands={bands}
                phones={cause.udids.flatMap((udid) => known.get(udid) ?? [])}
                isWall={isWall}
              />
            ))}
          </ol>
        </section>
      )}
    </>
  );
}

/** What is wrong, what the cloud says of it, what to do, and since when. */
export function CauseWords({
  cause: { title, code, certainty, said, remedy, since },
  isWall,
}: {
  cause: Cause;
  isWall: boolean;
}) {
  return (
    <>
      <p class="title">
        {withUnits(title)} {code !== undefined && <FindingCode code={code} certainty={certainty} />}
        {said !== undefined && <span class="said">The cloud says: {said}</span>}
      </p>
      <p class="remedy">
        <Remedy text={isWall ? firstStep(remedy) : remedy} isWall={isWall} />
      </p>
      <p class="since">
        since <At at={since} />
      </p>
    </>
  );
}

/** A problem of the host itself. */
function HostProblem({ cause, isWall }: { cause: Cause; isWall: boolean }) {
  const { command } = cause;
  return (
    <section class="host-problem" aria-label="Problem of this host">
      <Warning />
      <CauseWords cause={cause} isWall={isWall} />
      {!isWall && command !== undefined && (
        <CopyButton word="command" label={`Copy command: ${command}`} text={command} />
      )}
    </section>
  );
}

function AllFine({ status: { counts, fineSince, adb } }: { status: HostStatus }) {
  const since = useTime((now) => (fineSince === undefined ? '' : ` since ${moment(fineSince, now)}`));
  if (counts.phones > 0)
    return (
      <section class="all-fine" aria-label="Needs attention">
        <Check />
        {counts.fine === counts.phones
          ? `All ${quantity(counts.fine, 'phone')} fine`
          : 'Nothing needs attention'}
        {since}
      </section>
    );
  return (
    <section class="all-fine" aria-label="Needs attention">
      {adb.state === 'listed' ? 'No phones yet' : 'Waiting for adb’s list of phones…'}
    </section>
  );
}

interface RowProps {
  cause: Cause;
  phones: readonly PhoneStatus[];
  bands: readonly Band[];
  isWall: boolean;
}

function Row({ cause, phones, bands, isWall }: RowProps) {
  const { title, command } = cause;
  const row = useFlash<HTMLLIElement>(title);
  const serials = phones.map(({ serial }) => serial).join('\n');
  return (
    <li ref={row} class={isCritical(cause) ? 'critical' : undefined}>
      <Warning />
      <p class="where">
        <Where phones={phones} bands={bands} isWall={isWall} />
      </p>
      <CauseWords cause={cause} isWall={isWall} />
      {!isWall && (
        <p class="copies">
          {phones.length > 0 && (
            <CopyButton
              word={phones.length === 1 ? 'serial' : 'serials'}
              label={phones.length === 1 ? `Copy serial ${serials}` : `Copy ${phones.length} serials`}
              text={serials}
            />
          )}
          {phones.length > 0 && (
            <CopyButton
              word="maintenance"
              isUnseen
              icon={<Wrench />}
              label={`Copy the maintenance command for ${quantity(phones.length, 'phone')}`}
              text={maintenanceCommand(
                phones.map(({ udid }) => udid),
                bands,
              )}
            />
          )}
          {command !== undefined && (
            <CopyButton word="command" label={`Copy command: ${command}`} text={command} />
          )}
        </p>
      )}
    </li>
  );
}

/** A battery that may catch fire must not look like a phone without internet. */
const isCritical = ({ severity, kind }: Cause): boolean =>
  severity === 'critical' || kind === 'hot' || kind === 'battery';

/** The bays, grouped by shelf: `rack 1, shelf 3: bay 4, bay 5`. */
export function Where({
  phones,
  bands,
  isWall,
}: {
  phones: readonly PhoneStatus[];
  bands: readonly Band[];
  isWall: boolean;
}) {
  return (
    <>
      {shelvesOf(phones.slice(0, NAMED), bands).map(({ name, bays }, index) => (
        <Fragment key={bays[0]?.udid}>
          {index > 0 && '; '}
          {name !== '' && `${name}: `}
          {bays.map(({ name, udid = '' }, index) => (
            <Fragment key={udid}>
              {index > 0 && ', '}
              {isWall ? name : <a href={writeAddress({ view: 'phone', udid })}>{name}</a>}
            </Fragment>
          ))}
        </Fragment>
      ))}
      {phones.length > NAMED && ` and ${phones.length - NAMED} more`}
    </>
  );
}

/** The bays of some phones. Phones whose bay now holds another phone come last, with the full names of their slots. */
function shelvesOf(phones: readonly PhoneStatus[], bands: readonly Band[]): Band[] {
  const wanted = new Set(phones.map(({ udid }) => udid));
  const isWanted = ({ udid }: Bay) => udid !== undefined && wanted.has(udid);
  const shelves = bands.map(({ name, bays }) => ({ name, bays: bays.filter(isWanted) }));
  const standing = new Set(shelves.flatMap(({ bays }) => bays.map(({ udid }) => udid)));
  const others = phones
    .filter(({ udid }) => !standing.has(udid))
    .map(({ udid, slot, devpath, serial }) => ({ name: slot ?? devpath ?? serial, udid }));
  return [...shelves, { name: '', bays: others }].filter(({ bays }) => bays.length > 0);
}
