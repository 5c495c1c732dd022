import { useState } from 'preact/hooks';
import type { Band, HostStatus, PhoneStatus } from '../host-status.ts';
import { Empty, Tile } from './tile.tsx';
import { needsAttention, phones as phoneCount } from './words.ts';

interface Props {
  status: HostStatus;
  /** The phone whose panel is open. */
  open: string | undefined;
  isWall: boolean;
}

/** The phones in rack order. Only the configuration moves them. */
export function Rack({ status: { bands, phones }, open, isWall }: Props) {
  const [entry, setEntry] = useState<string>();
  const known = new Map(phones.map((phone) => [phone.udid, phone]));
  const all = bands.flatMap(({ bays }) => bays.flatMap(({ udid }) => (udid && known.has(udid) ? udid : [])));
  const entered = entry !== undefined && all.includes(entry) ? entry : all[0];
  const standing = { known, entered, open, isWall, onEnter: setEntry };
  return (
    <div class="rack">
      {bands.map((band) => (
        <Shelf key={`${hasSlots(band)} ${band.name}`} band={band} {...standing} />
      ))}
    </div>
  );
}

interface ShelfProps extends Omit<Props, 'status'> {
  band: Band;
  known: ReadonlyMap<string, PhoneStatus>;
  /** The phone that gets the focus first. */
  entered: string | undefined;
  onEnter(udid: string): void;
}

function Shelf({ band, known, entered, open, isWall, onEnter }: ShelfProps) {
  const { name, bays } = band;
  const title = name || (hasSlots(band) ? 'Slots' : 'Without a slot');
  const inTrouble = bays.filter(({ udid }) => udid && known.get(udid)?.condition === 'needsAttention').length;
  return (
    <section class="shelf" aria-label={title}>
      <h2>
        {title}{' '}
        <small>{phoneCount(bays.filter(({ udid }) => udid && known.get(udid)?.attached).length)}</small>
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

/** False for the band of phones without a slot; its name is '', like that of slots without a shelf. */
const hasSlots = ({ bays }: Band) => bays.some(({ slot }) => slot !== undefined);
