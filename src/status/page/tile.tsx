import type { PhoneStatus } from '../host-status.ts';
import { writeAddress } from './address.ts';
import { useTime } from './clock.ts';
import { useFlash } from './flash.ts';
import { Charging, Sign } from './icons.tsx';
import { nextByKey } from './walk.ts';
import { celsius, day, duration, exactly, percent } from './words.ts';

/** Two rounds at the default schedule; a phone that answers every round is never older, ms. */
const OLD_MS = 2 * 60_000;

interface Props {
  /** The bay's own part of the slot's name. */
  bay: string;
  phone: PhoneStatus;
  /** The one tile that Tab focuses. */
  isEntry: boolean;
  isOpen: boolean;
  /** Does it match the filter? */
  isMatching: boolean;
  isWall: boolean;
  /** Called when the tile gets the focus. */
  onEnter(udid: string): void;
}

/** One phone in its bay. */
export function Tile({ bay, phone, isEntry, isOpen, isMatching, isWall, onEnter }: Props) {
  const { udid, name, condition, attached, since, answeredAt, battery, findings = [] } = phone;
  const sign = signOf(phone);
  const flashing = useFlash<HTMLAnchorElement>(`${condition} ${sign} ${attached}`);
  const age = useTime((now) =>
    attached && answeredAt !== undefined && now - answeredAt > OLD_MS ? duration(now - answeredAt) : '',
  );
  const left = useTime((now) => (attached ? '' : day(since, now)));
  const content = (
    <>
      {findings.length > 0 && (
        <i class="mark">
          <span class="unseen">{findings.length === 1 ? 'a finding' : `${findings.length} findings`} </span>
        </i>
      )}
      <span class="bay">
        <span class="text">{bay}</span>
        {attached && battery?.levelRatio !== undefined && (
          <span class="level">
            {battery.isCharging && <Charging />}
            {percent(battery.levelRatio)}
          </span>
        )}
      </span>
      <span class="name">{attached || condition === 'needsAttention' ? name : `last: ${name}`}</span>
      <span class="detail">
        {sign === '' ? (
          <span class="text">{attached ? celsius(battery?.temperatureCelsius) : ''}</span>
        ) : (
          <span class="sign">
            <Sign condition={condition} />
            <span class="text">{sign}</span>
          </span>
        )}
        {(age || left) && <span class="age">{age || left}</span>}
      </span>
    </>
  );
  const kind = `tile ${condition}${attached ? '' : ' absent'}${isMatching ? '' : ' unmatched'}`;
  if (isWall) return <div class={kind}>{content}</div>;
  return (
    <a
      ref={flashing}
      class={kind}
      href={writeAddress({ view: 'phone', udid })}
      data-udid={udid}
      tabIndex={isEntry ? 0 : -1}
      onFocus={() => onEnter(udid)}
      onKeyDown={walk}
      aria-current={isOpen ? 'true' : undefined}
      title={[name, answeredAt && `answered ${exactly(answeredAt)}`, ...findings].filter(Boolean).join(', ')}
    >
      {content}
    </a>
  );
}

/** A bay without a known phone. */
export const Empty = ({ bay }: { bay: string }) => (
  <div class="tile empty">
    <span class="bay">
      <span class="text">{bay}</span>
    </span>
    <span class="name">empty</span>
  </div>
);

export function signOf({ condition, sign, battery, drain }: PhoneStatus): string {
  if (sign === 'hot' && battery?.temperatureCelsius !== undefined)
    return `hot ${celsius(battery.temperatureCelsius)}`;
  if (sign === '' && condition === 'fine') return drain ? 'drained' : '';
  return sign === '' ? condition : sign;
}

function walk(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const { currentTarget, key, altKey, ctrlKey, metaKey } = event;
  if (altKey || ctrlKey || metaKey) return;
  const tiles = document.querySelectorAll<HTMLElement>('a.tile:not(.unmatched)');
  const next = nextByKey(key, currentTarget, [...tiles]);
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
