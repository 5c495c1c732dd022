import { useEffect, useRef } from 'preact/hooks';
import type { HostStatus, PhoneDetail, PhoneStatus, ReportStatus } from '../host-status.ts';
import { Cards } from './cards.tsx';
import { CopyButton } from './copy-button.tsx';
import { FactList } from './fact-list.tsx';
import { History, SimulatedUntil } from './history.tsx';
import { Cross, Sign, Wrench } from './icons.tsx';
import { maintenanceCommand } from './maintenance-command.ts';
import { signOf } from './tile.tsx';
import { Age, Ago, At, AtSecond } from './time.tsx';
import { usePhone } from './use-phone.ts';

interface Props {
  udid: string;
  status: HostStatus;
  onClose(): void;
}

/** All about one phone, beside the rack. Takes the keyboard focus when it opens. */
export function Panel({ udid, status, onClose }: Props) {
  const { phone: detail, failure } = usePhone(udid, status.takenAt);
  const phone = status.phones.find((each) => each.udid === udid) ?? detail;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  useEffect(() => {
    const close = ({ key }: KeyboardEvent) => key === 'Escape' && onClose();
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [onClose]);
  return (
    <aside class="panel" aria-labelledby="phone">
      <div class="heading">
        <h2 id="phone" ref={title} tabIndex={-1}>
          {phone?.name ?? udid}
        </h2>
        <button
          type="button"
          class="close"
          onClick={onClose}
          aria-label="Close the panel"
          title="Close (Escape)"
        >
          <Cross />
        </button>
      </div>
      {phone && <Now phone={phone} reports={status.reports} />}
      {failure && <p class="failure">{failure}</p>}
      {!phone && !failure && <p class="loading">loading…</p>}
      {detail && <Detail phone={detail} />}
    </aside>
  );
}

function Now({ phone, reports }: { phone: PhoneStatus; reports: ReportStatus }) {
  const { name, slot, devpath, udid, serial, attached, state, message, maintenance } = phone;
  const { condition, sign, since, answeredAt, refused } = phone;
  return (
    <section aria-label="Now">
      <p class={`condition ${condition}`}>
        <Sign condition={condition} />
        <strong>{signOf(phone) || 'fine'}</strong>
        {(sign !== '' || condition === 'fine') && (
          <span class="age">
            for <Age at={since} />
          </span>
        )}
      </p>
      {message !== '' && <p class="remedy">{message}</p>}
      {maintenance && (
        <p>
          In maintenance until <At at={maintenance.until} />
          {maintenance.reason !== '' && `: ${maintenance.reason}`}
        </p>
      )}
      <Cards phone={phone} />
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

function Detail({ phone: { history, facts, timeline, simulatedUntil } }: { phone: PhoneDetail }) {
  return (
    <>
      <History samples={history} simulatedUntil={simulatedUntil} />
      <section aria-labelledby="timeline">
        <h3 id="timeline">
          What happened <SimulatedUntil at={simulatedUntil} />
        </h3>
        {timeline.length === 0 ? (
          <p class="none">nothing since the agent started</p>
        ) : (
          <ol class="timeline">
            {timeline.map(({ at, what }) => (
              <li key={`${at} ${what}`}>
                <AtSecond at={at} /> <span>{what}</span>
              </li>
            ))}
          </ol>
        )}
      </section>
      <section>
        <FactList facts={facts} />
      </section>
    </>
  );
}
