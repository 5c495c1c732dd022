/** Compares the phones of this host with the list of those that are expected. Pure. */
import { isPlaceholderSerial } from './udid.ts';

/** A phone that the lab expects on this host: an entry of its list. Either `serial` or `udid` is there. */
export interface ExpectedPhone {
  readonly serial?: string;
  readonly udid?: string;
  readonly model?: string;
  /** The lab's own number for it. */
  readonly assetTag?: string;
  readonly slot?: string;
  readonly owner?: string;
}

/** A phone of this host, as far as it is compared. */
export interface SeenPhone {
  udid: string;
  /** adb's name for it. */
  serial: string;
  /** Its own, as it says; absent while it has not answered. */
  serialNumber?: string;
  model?: string;
  /** adb's names for its other connections that work, such as `192.168.1.7:5555`. */
  alsoAt?: readonly string[];
  /** As people call it. */
  name: string;
  connection: 'usb' | 'tcp' | 'emulator';
  where: { slot?: string; devpath?: string };
  attached: boolean;
  /** adb's word. */
  state: string;
}

export interface Differences<P extends SeenPhone> {
  missing: ExpectedPhone[];
  /** Attached, and not on the list; none where there is no list. */
  unexpected: P[];
  moved: { phone: P; expected: ExpectedPhone }[];
  cloned: Clone<P>[];
  /** Attached over two connections at once. */
  twice: P[];
}

/** Phones that answer to one serial, or one of another model than the list says. */
export interface Clone<P extends SeenPhone> {
  serial: string;
  phones: P[];
  expectedModel?: string;
}

export function differences<P extends SeenPhone>(
  expected: readonly ExpectedPhone[],
  phones: readonly P[],
  slots: ReadonlySet<string>,
): Differences<P> {
  const attached = phones.filter((phone) => phone.attached);
  const named = findExpected(attached);
  const pairs = expected.map((entry) => ({ entry, phones: named(entry) }));
  const known = new Set(pairs.flatMap((pair) => pair.phones));
  return {
    missing: pairs.filter((pair) => pair.phones.length === 0).map(({ entry }) => entry),
    unexpected:
      expected.length === 0 ? [] : attached.filter((phone) => isIdentified(phone) && !known.has(phone)),
    moved: pairs.flatMap((pair) => movedOf(pair.entry, pair.phones, slots)),
    cloned: [...twins(attached), ...pairs.flatMap((pair) => otherModel(pair.entry, pair.phones))],
    twice: attached.filter(({ alsoAt = [] }) => alsoAt.length > 0),
  };
}

/** Where it is: its slot, else its USB port or address. */
export const placeOf = ({ where, serial }: SeenPhone): string =>
  where.slot ?? (where.devpath === undefined ? serial : `USB port ${where.devpath}`);

/** The phones that an entry of the list means, attached or not. */
export function findExpected<P extends SeenPhone>(phones: readonly P[]): (entry: ExpectedPhone) => P[] {
  const byUdid = Map.groupBy(phones, ({ udid }) => udid);
  const byName = new Map<string, Set<P>>();
  for (const phone of phones) {
    for (const name of [phone.serial, phone.serialNumber, phone.udid]) {
      if (name !== undefined) byName.set(name, (byName.get(name) ?? new Set()).add(phone));
    }
  }
  return ({ serial, udid }) =>
    udid === undefined ? [...(byName.get(serial ?? '') ?? [])] : (byUdid.get(udid) ?? []);
}

/** Emulators come and go as programs; an address on the network is no phone before it has answered. */
const isIdentified = ({ connection, serialNumber }: SeenPhone): boolean =>
  connection === 'usb' || (connection === 'tcp' && serialNumber !== undefined);

function movedOf<P extends SeenPhone>(
  entry: ExpectedPhone,
  phones: readonly P[],
  slots: ReadonlySet<string>,
): { phone: P; expected: ExpectedPhone }[] {
  const { slot } = entry;
  if (slot === undefined || phones.some(({ where }) => where.slot === slot)) return [];
  // whose place has no name is elsewhere, unless the slot itself is no place
  const isElsewhere = ({ where, connection }: P) =>
    where.slot !== undefined || (connection === 'usb' && where.devpath !== undefined && slots.has(slot));
  return phones.filter(isElsewhere).map((phone) => ({ phone, expected: entry }));
}

/** adb gives a placeholder to what it may not open, too. */
const isUsable = ({ connection, state }: SeenPhone): boolean => connection === 'usb' && state === 'device';

/** adb briefly lists a phone twice after a quick replug, the old connection as offline. */
function twins<P extends SeenPhone>(attached: readonly P[]): Clone<P>[] {
  const ownSerial = ({ connection, serial, serialNumber = '' }: P) =>
    connection === 'usb' ? serial : connection === 'tcp' ? serialNumber : '';
  const bySerial = Map.groupBy(
    attached.filter(({ state }) => state !== 'offline'),
    ownSerial,
  );
  return [...bySerial]
    .filter(
      ([serial, phones]) => phones.length > 1 && (!isPlaceholderSerial(serial) || phones.every(isUsable)),
    )
    .map(([serial, phones]) => ({ serial, phones }));
}

function otherModel<P extends SeenPhone>({ model }: ExpectedPhone, phones: readonly P[]): Clone<P>[] {
  if (model === undefined) return [];
  const wanted = model.toLowerCase();
  return phones
    .filter((phone) => phone.model !== undefined)
    .filter((phone) => ![phone.model, phone.name].some((known) => known?.toLowerCase() === wanted))
    .map((phone) => ({ serial: phone.serial, phones: [phone], expectedModel: model }));
}
