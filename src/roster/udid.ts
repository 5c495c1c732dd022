/**
 * The only place that names phones for the cloud.
 *
 * adb's serials are not unique: cheap phones share one, every host has the same emulators, a network address is not a
 * phone, and adb may list one phone twice. So we add a stable suffix where needed. A hash replaces a text that is not
 * an identifier (a serial of 900 KB, or one with a line feed).
 */
import { createHash } from 'node:crypto';
import type { ListedDevice } from '../adb/adb.ts';
import { isLoopback } from '../base/environment.ts';
import { safeIdentifier } from '../base/printable.ts';
import { compare, type Signs } from '../facts/same-phone.ts';
import type { Connection } from './device.ts';

/** What we know about a phone; `startedAt` is by the host's clock. */
export interface Known extends Signs {
  /** `ro.serialno`, else `ro.boot.serialno`. */
  serialNumber?: string;
  isEmulator?: boolean;
  /**
   * It answered from another boot than the phone with the same name: they stay two phones, also while a boot is unknown
   * or only one is attached.
   */
  isParted?: boolean;
  /** We collected it over this connection, and it did not identify itself. */
  isSilent?: boolean;
}

export interface Attachment {
  listed: ListedDevice;
  known?: Known;
  /** Its last udid at this place. */
  udid?: string;
}

export interface Named {
  udid: string;
  connection: Connection;
  /** The connection that we use to collect its facts. */
  listed: ListedDevice;
  /** All connections to it, including `listed`. */
  entries: ListedDevice[];
}

export interface Naming {
  named: Named[];
  /** Entries without serial and USB path: only the log can mention them. */
  nameless: ListedDevice[];
  /** Serials that two phones on USB have at the same time. */
  shared: string[];
  /** Connections that share their name with a phone of another boot. */
  parted: ListedDevice[];
}

const EMULATOR = /^emulator-\d+$/;
/**
 * `adb-SERIAL._adb._tcp`; over TLS, since Android 11, with a random tail after the serial (AOSP adb/daemon/mdns.cpp).
 * If the name is taken on the network, it gets a number.
 */
const MDNS = /^adb-(.+?)(?:-[^-]+\._adb-tls-connect|(?: \(\d+\))?\._adb)\._tcp\.?$/;
const MDNS_ANY = /\._adb(?:-tls-connect)?\._tcp\.?$/;
const ADDRESS = /^(.+):(\d+)$/;
const EMULATOR_ADB_PORTS = { first: 5555, last: 5683 };

/** Serials of phones whose factory wrote none. */
const PLACEHOLDER =
  /^(?:unknown|unidentified|null|none|0?1234567(?:8?|89|890)(?:abcdef)?|emulator.*|(.)\1*)$/i;

/** Do thousands of phones share this serial number? */
export const isPlaceholderSerial = (serial: string): boolean => serial === '' || PLACEHOLDER.test(serial);

/** The serial in an mDNS name; undefined for other names. */
export const mdnsSerial = (name: string): string | undefined => MDNS.exec(name)?.[1];

/** Only we write `@` in a name: a serial that holds one could be another phone's name. */
const withoutAt = (serial: string): string => {
  const safe = safeIdentifier(serial);
  return safe.includes('@') ? hashed(safe) : safe;
};

/** It has another prefix than `safeIdentifier`'s hash, which a serial with any text can produce. */
const hashed = (text: string): string =>
  `serial-sha256-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;

const HASH = /^(?:serial-)?sha256-[0-9a-f]{32}$/;

/** The name that a serial of adb's list gives; one that looks like our hash of another serial is hashed again. */
const nameOf = (serial: string): string =>
  HASH.test(serial.trim()) ? hashed(serial.trim()) : withoutAt(serial);

/** The place of a phone: the USB port and serial, or the network name. */
export const placeOf = ({ serial, devpath }: { serial: string; devpath?: string }): string =>
  devpath === undefined ? withoutAt(serial) : `${withoutAt(serial)}@${safeIdentifier(devpath)}`;

export const isPlaceOf = (place: string, serial: string): boolean => {
  const at = place.indexOf('@');
  return at >= 0 && place.slice(0, at) === withoutAt(serial);
};

export function connectionOf({ serial, devpath }: ListedDevice): Connection {
  if (devpath === undefined && EMULATOR.test(serial)) return 'emulator';
  return devpath === undefined && (ADDRESS.test(serial) || MDNS_ANY.test(serial)) ? 'tcp' : 'usb';
}

/**
 * @param nodeId this host, for names that every host has
 * @param knownShared serials that two phones have shared before: they keep their suffix when alone
 */
export function nameDevices(
  attachments: readonly Attachment[],
  nodeId: string,
  knownShared: ReadonlySet<string> = new Set(),
): Naming {
  const groups = new Map<string, Attachment[]>();
  const nameless: ListedDevice[] = [];
  for (const attachment of attachments) {
    const name = baseName(attachment, nodeId);
    if (name === undefined) nameless.push(attachment.listed);
    else groups.set(name, [...(groups.get(name) ?? []), attachment]);
  }
  const shared = [...groups].filter(([, group]) => sockets(group).length > 1).map(([name]) => name);
  const suffixed = new Set([...knownShared, ...shared]);
  const parted: ListedDevice[] = [];
  const named = [...groups].flatMap(([name, group]) => {
    const phones = phonesOf(group, suffixed.has(name));
    const holders = phones.filter((phone) => phone.some(({ udid }) => udid === safeIdentifier(name)));
    const owner =
      phones.find((phone) => phone.some(isNear)) ??
      holders.find((phone) => phone.some(({ known }) => !known?.isStale)) ??
      holders[0] ??
      phones.find((phone) => !phone.some(({ known }) => known?.isParted));
    return phones.map((phone) => {
      const entries = phone.map(({ listed }) => listed);
      const best = entries.reduce((a, b) => (rank(b) < rank(a) ? b : a));
      const { serial, devpath } = best;
      const connection = connectionOf(best);
      if (phone !== owner && connection !== 'usb') parted.push(...entries);
      const isPlain = phone === owner && !(suffixed.has(name) && connection === 'usb');
      const udid = safeIdentifier(isPlain ? name : `${name}@${devpath ?? withoutAt(serial)}`);
      return { udid, connection, listed: best, entries };
    });
  });
  return { named: withOwnNames(named), nameless, shared, parted };
}

/** Every name belongs to one phone. The last resort adds the place to the name of the later one, in order of places. */
function withOwnNames(named: readonly Named[]): Named[] {
  if (new Set(named.map(({ udid }) => udid)).size === named.length) return [...named];
  const taken = new Map<string, Named>();
  for (const one of named.toSorted((a, b) => (placeOf(a.listed) < placeOf(b.listed) ? -1 : 1))) {
    const place = placeOf(one.listed);
    const names = [one.udid, safeIdentifier(`${one.udid}@${place}`), hashed(`${one.udid}@${place}`)];
    const same = names
      .map((name) => taken.get(name))
      .find((other) => other && placeOf(other.listed) === place);
    const udid = names.find((name) => !taken.has(name)) ?? one.udid;
    if (same) same.entries.push(...one.entries);
    else taken.set(udid, { ...one, udid, entries: [...one.entries] });
  }
  return [...taken.values()];
}

/** The name of a phone if no other shares it; undefined if it has neither serial nor USB path. */
function baseName({ listed, known }: Attachment, nodeId: string): string | undefined {
  const { devpath } = listed;
  const serial = nameOf(listed.serial);
  switch (connectionOf(listed)) {
    case 'emulator':
      return `${serial}@${nodeId}`;
    case 'usb':
      if (serial === '') return devpath;
      return isPlaceholderSerial(serial) ? `${serial}@${devpath ?? nodeId}` : serial;
    case 'tcp':
      if (known?.isEmulator) return `${emulatorName(serial) ?? serial}@${nodeId}`;
      return trusted(known?.serialNumber) ?? trusted(mdnsSerial(listed.serial), nameOf) ?? serial;
  }
}

/** @param toName the phone's own serial number is already hashed where it must be */
const trusted = (serial: string | undefined, toName = withoutAt): string | undefined =>
  serial === undefined || isPlaceholderSerial(serial) ? undefined : toName(serial);

/** `emulator-5554` for `127.0.0.1:5555`: adb's port is the console's plus one. */
function emulatorName(address: string): string | undefined {
  const [, host = '', digits = ''] = ADDRESS.exec(address) ?? [];
  const port = Number(digits);
  const isAdbPort = port % 2 === 1 && port >= EMULATOR_ADB_PORTS.first && port <= EMULATOR_ADB_PORTS.last;
  return isLoopback(host) && isAdbPort ? `emulator-${port - 1}` : undefined;
}

/** adb determines its name. A network phone only claims one. */
const isNear = ({ listed }: Attachment): boolean => connectionOf(listed) !== 'tcp';

const isOnUsb = ({ listed }: Attachment): boolean => connectionOf(listed) === 'usb';

/** adb briefly lists a phone twice after a quick replug: the old connection is not a second phone. */
const LEAVING = new Set(['offline', 'connecting']);
const sockets = (group: readonly Attachment[]) =>
  group.filter((attachment) => isOnUsb(attachment) && !LEAVING.has(attachment.listed.state));

/**
 * Splits the connections with one name into phones. On USB each port is a phone, if two have shared the name. A network
 * name belongs to the phone that it is proven to be, or may still turn out to be.
 */
function phonesOf(group: readonly Attachment[], isShared: boolean): Attachment[][] {
  const usb = group.filter(isOnUsb);
  const phones = isShared || usb.length === 0 ? usb.map((attachment) => [attachment]) : [usb];
  const others = group.filter((attachment) => !isOnUsb(attachment));
  for (const attachment of [...others.filter(isNear), ...others.filter((other) => !isNear(other))]) {
    const same = phones.find((phone) => phone.every((other) => mayBeOne(other, attachment)));
    if (same) same.push(attachment);
    else phones.push([attachment]);
  }
  return phones;
}

/**
 * A network connection that claims a serial need not lead to that phone: both must report the same boot and make. Until
 * then we treat them as one only if no fact of the claimant gets used: we collect over the connection that adb names
 * (`rank`), and that one has not failed to identify itself. An address that is disconnecting may be the same phone's
 * old one.
 */
function mayBeOne(a: Attachment, b: Attachment): boolean {
  const sameness = compare(a.known ?? {}, b.known ?? {});
  if (sameness !== 'unknown') return sameness === 'same';
  if (a.known?.isParted || b.known?.isParted) return false;
  const [near, far] = isNear(a) ? [a, b] : [b, a];
  if (isNear(near)) return near.listed.state === 'device' && !near.known?.isSilent;
  return [near, far].every(({ listed }) => listed.state === 'device' || LEAVING.has(listed.state));
}

/**
 * Ranks the connections to a phone: USB before the network, and within one kind those that work. If the cable is
 * unauthorized or offline, we report that, and never facts from the network: another device may have taken that
 * address.
 */
function rank(listed: ListedDevice): number {
  const order = { usb: 0, emulator: 10, tcp: 20 } as const;
  return order[connectionOf(listed)] + (listed.state === 'device' ? 0 : 1);
}
