import { useState } from 'preact/hooks';
import type { Band, HostStatus, PhoneStatus } from '../host-status.ts';
import { writeAddress } from './address.ts';
import { parseFilter } from './filter.ts';
import { Empty, Tile } from './tile.tsx';
import { needsAttention } from './words.ts';

interface Props {
  status: HostStatus;
  /** Tiles that do not match stay in place, less visible. */
  filter: string;
  /** The phone whose panel is open. */
  open: string | undefined;
  isWall: boolean;
}

/** So many tiles stand side by side at most; a longer shelf takes more lines. Narrow screens show a half, a third, a quarter. */
const MOST_ASIDE = 10;

/** The phones in rack order. Only the configuration moves them. */
export function Rack({ status: { bands, phones }, filter, open, isWall }: Props) {
  const [entry, setEntry] = useState<string>();
  const known = new Map(phones.map((phone) => [phone.udid, phone]));
  const all = bands.flatMap(({ bays }) => bays.flatMap(({ udid }) => (udid && known.has(udid) ? udid : [])));
  const entered = entry !== undefined && all.includes(entry) ? entry : all[0];
  const meets = parseFilter(filter);
  const matching = new Set(phones.filter(meets).map(({ udid }) => udid));
  const standing = { known, matching, entered, open, isWall, onEnter: setEntry };
  const longest = Math.max(1, ...bands.map(({ bays }) => bays.length));
  const aside = Math.min(longest, MOST_ASIDE);
  return (
    <div
      class={filter === '' ? 'rack' : 'rack filtered'}
      style={{
        '--aside': aside,
        '--half': Math.ceil(aside / 2),
        '--third': Math.ceil(aside / 3),
        '--quarter': Math.ceil(aside / 4),
      }}
    >
      {bands.map((band) => (
        <Shelf key={`${hasSlots(band)} ${band.name}`} band={band} {...standing} />
      ))}
      {isWall && <p class="more" />}
    </div>
  );
}

interface ShelfProps extends Omit<Props, 'status' | 'filter'> {
  band: Band;
  known: ReadonlyMap<string, PhoneStatus>;
  /** The udids of the phones that match the filter. */
  matching: ReadonlySet<string>;
  /** The phone that gets the focus first. */
  entered: string | undefined;
  onEnter(udid: string): void;
}

function Shelf({ band, known, matching, entered, open, isWall, onEnter }: ShelfProps) {
  const { name, bays } = band;
  const title = name || (hasSlots(band) ? 'Slots' : UNPLACED);
  const attached = bays.filter(({ udid }) => udid && known.get(udid)?.attached).length;
  const inTrouble = bays.filter(({ udid }) => udid && known.get(udid)?.condition === 'needsAttention').length;
  return (
    <section class={bays.length > MOST_ASIDE ? 'shelf long' : 'shelf'} aria-label={title}>
      <h2>
        {name === '' || isWall ? title : <a href={writeAddress({ view: 'place', name })}>{name}</a>}{' '}
        <small>
          {attached} of {bays.length} attached
        </small>{' '}
        {title === UNPLACED && !isWall && (
          <>
            <small>
              name them: <code>hostnode slots learn</code>
            </small>{' '}
          </>
        )}
        {inTrouble > 0 && <small class="trouble">{needsAttention(inTrouble)}</small>}
      </h2>
      <ul>
        {bays.map(({ name, slot, udid }) => {
          const phone = udid === undefined ? undefined : known.get(udid);
          return (
            <li key={udid ?? slot}>
              {phone ? (
                <Tile
                  bay={name}
                  phone={phone}
                  isEntry={phone.udid === entered}
                  isOpen={phone.udid === open}
                  isMatching={matching.has(phone.udid)}
                  isWall={isWall}
                  onEnter={onEnter}
                />
              ) : (
                <Empty bay={name} />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const UNPLACED = 'Without a slot';

/** False for the band of phones without a slot; its name is '', like that of slots without a shelf. */
const hasSlots = ({ bays }: Band) => bays.some(({ slot }) => slot !== undefined);
