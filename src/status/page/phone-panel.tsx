import type { DayUptime } from '../../history/store/history.ts';
import {
  type HostStatus,
  type PhoneDetail,
  type PhoneStatus,
  type ReportStatus,
  remedyOnTop,
  type Why,
} from '../host-status.ts';
import { writeAddress } from './address.ts';
import { Cards } from './cards.tsx';
import { CopyButton } from './copy-button.tsx';
import { Events } from './events.tsx';
import { FactList } from './fact-list.tsx';
import { useHeld, useKeptHeight } from './held.ts';
import { History } from './history.tsx';
import { Sign, Wrench } from './icons.tsx';
import { maintenanceCommand } from './maintenance-command.ts';
import { Panel } from './panel.tsx';
import { signOf } from './tile.tsx';
import { Age, Ago, At } from './time.tsx';
import { Uptime } from './uptime.tsx';
import { eachHour, eachMoment, useAnswer } from './use-answer.ts';
import { WhySection } from './why.tsx';

interface Props {
  udid: string;
  status: HostStatus;
  onClose(): void;
}

/** All about one phone: what and how it is, why, how it was. */
export function PhonePanel({ udid, status, onClose }: Props) {
  const address = `api/phones/${encodeURIComponent(udid)}`;
  const { answer: detail, failure } = useAnswer<PhoneDetail>(address, status.takenAt);
  const phone = status.phones.find((each) => each.udid === udid) ?? detail;
  return (
    <Panel title={phone?.name ?? udid} onClose={onClose}>
      {failure && (
        <p class="failure">
          {failure === 'unknown' ? 'This host does not know the phone.' : 'The agent does not answer.'}
        </p>
      )}
      {!phone && !failure && <p class="loading">loading…</p>}
      {phone && <All phone={phone} detail={detail} address={address} status={status} />}
    </Panel>
  );
}

interface AllProps {
  phone: PhoneStatus;
  detail: PhoneDetail | undefined;
  address: string;
  status: HostStatus;
}

function All({ phone, detail, address, status: { takenAt, reports } }: AllProps) {
  const { udid, since, sign, state, refused, findings, maintenance, drain } = phone;
  const happened = eachMoment(takenAt, since, sign, state, refused, findings, maintenance, drain);
  const { answer: why } = useAnswer<Why>(`api/why/${encodeURIComponent(udid)}`, happened);
  const { answer: days } = useAnswer<DayUptime[]>(
    `${address}/uptime`,
    `${eachHour(takenAt)} ${since} ${state}`,
  );
  const { element, isHeld } = useHeld<HTMLDivElement>();
  const head = useKeptHeight<HTMLDivElement>(isHeld && why !== undefined && detail !== undefined);
  const simulatedUntil = detail?.simulatedUntil;
  return (
    <div ref={element}>
      <div ref={head} class="head">
        <Now phone={phone} why={why} />
      </div>
      {days && <Uptime days={days} simulatedUntil={simulatedUntil} />}
      {detail && (
        <History udid={udid} now={takenAt} samples={detail.history} simulatedUntil={simulatedUntil} />
      )}
      <Events udid={udid} occasion={happened} simulatedUntil={simulatedUntil} isHeld={isHeld} />
      <Connection phone={phone} reports={reports} />
      {detail && (
        <section>
          <FactList facts={detail.facts} />
        </section>
      )}
    </div>
  );
}

/** How it is and what to do; then why. */
function Now({ phone, why }: { phone: PhoneStatus; why: Why | undefined }) {
  const { slot, devpath, message, maintenance, drain, condition, sign, since } = phone;
  return (
    <>
      <section aria-label="Now">
        <p class={`condition ${condition}`}>
          <Sign condition={condition} />
          <strong>{signOf(phone) || 'fine'}</strong>
          {(sign !== '' || condition === 'fine') && (
            <span class="age">
              for <Age at={since} />
            </span>
          )}
          <span class="place">
            {slot === undefined ? devpath : <a href={writeAddress({ view: 'place', name: slot })}>{slot}</a>}
          </span>
        </p>
        <Cards phone={phone} />
      </section>
      <WhySection why={why} remedy={why?.remedy ? remedyOnTop(why) : message}>
        {maintenance && (
          <p>
            In maintenance until <At at={maintenance.until} />
            {maintenance.reason !== '' && `: ${maintenance.reason}`}
          </p>
        )}
        {drain && (
          <p>
            Drained until <At at={drain.until} />
            {drain.by !== undefined && ` by ${drain.by}`}
            {drain.reason !== '' && `: ${drain.reason}`}
          </p>
        )}
      </WhySection>
    </>
  );
}

function Connection({ phone, reports }: { phone: PhoneStatus; reports: ReportStatus }) {
  const { name, slot, devpath, udid, serial, attached, state, answeredAt, refused } = phone;
  return (
    <section aria-labelledby="connection">
      <h3 id="connection">Connection</h3>
      <dl class="facts">
        <dt>Slot</dt>
        <dd>{slot ?? 'none'}</dd>
        {devpath !== undefined && (
          <>
            <dt>USB port</dt>
            <dd>{devpath}</dd>
          </>
        )}
        <dt>State</dt>
        <dd>{state}</dd>
        {(attached || answeredAt !== undefined) && (
          <>
            <dt>Answered</dt>
            <dd>{answeredAt === undefined ? 'not since the agent started' : <Ago at={answeredAt} />}</dd>
          </>
        )}
        <dt>Cloud</dt>
        <dd class={refused === undefined ? undefined : 'trouble'}>
          <CloudAnswer refused={refused} reports={reports} />
        </dd>
        <dt>{udid === serial ? 'UDID, serial' : 'UDID'}</dt>
        <dd>
          <code>{udid}</code> <CopyButton label={`Copy UDID ${udid}`} text={udid} />
        </dd>
        {udid !== serial && (
          <>
            <dt>Serial</dt>
            <dd>
              <code>{serial}</code> <CopyButton label={`Copy serial ${serial}`} text={serial} />
            </dd>
          </>
        )}
      </dl>
      <p class="copies">
        <CopyButton
          word="maintenance command"
          isUnseen
          icon={<Wrench />}
          label={`Copy the maintenance command for ${name}`}
          text={maintenanceCommand([udid])}
        />
      </p>
    </section>
  );
}

/** The cloud's last answer about the phone. */
function CloudAnswer({ refused, reports }: { refused: string | undefined; reports: ReportStatus }) {
  const { notReporting, storedAt } = reports;
  if (refused !== undefined) return <>rejected it: {refused}</>;
  if (notReporting !== undefined) return <>not reporting: {notReporting}</>;
  if (storedAt === undefined) return <>nothing reported yet</>;
  return (
    <>
      stored it with the last report, <Ago at={storedAt} />
    </>
  );
}
