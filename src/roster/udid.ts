/**
 * The one place where a phone gets its name for the cloud.
 *
 * adb's serials are not unique: cheap phones share one, emulators repeat on every host, a network address is not
 * a phone, and one phone may be listed twice. What is not unique gets a suffix that makes it so, steadily; and what is
 * no identifier (a serial of 900 KB, one that holds a line feed) gets a hash in its place.
 */
import type { ListedDevice } from '../adb/adb.ts';
import { isLoopback } from '../base/environment.ts';
import { safeIdentifier } from '../base/identifier.ts';
import { compare, type Signs } from '../facts/same-phone.ts';
import type { Connection } from './device.ts';

/** What a phone has told of itself; `startedAt` is by the host's clock. */
export interface Known extends Signs {
  /** `ro.serialno`, else `ro.boot.serialno`. */
  serialNumber?: string;
  isEmulator?: boolean;
  /**
   * It answered from another boot than the phone of the same name: they are two, also while a boot is not known and
   * while it is there alone.
   */
  isParted?: boolean;
  /** It was asked over this connection, and has not told who it is. */
  isSilent?: boolean;
}

export interface Attachment {
  listed: ListedDevice;
  known?: Known;
  /** By which it went there last. */
  udid?: string;
}

export interface Named {
  udid: string;
  connection: Connection;
  /** The way over which the phone is asked. */
  listed: ListedDevice;
  /** All ways to it, this one included. */
  ways: ListedDevice[];
}

export interface Naming {
  named: Named[];
  /** Listed without serial and without USB path: they can be named in the log only. */
  nameless: ListedDevice[];
  /** Serials that two phones on USB have at once. */
  shared: string[];
  /** Those that share their name with a phone of another boot. */
  parted: ListedDevice[];
}

const EMULATOR = /^emulator-\d+$/;
/**
 * `adb-SERIAL._adb._tcp`; over TLS, since Android 11, with a random tail behind the serial (AOSP adb/daemon/mdns.cpp). A
 * name that is taken on the network gets a number.
 */
const MDNS = /^adb-(.+?)(?:-[^-]+\._adb-tls-connect|(?: \(\d+\))?\._adb)\._tcp\.?$/;
const MDNS_ANY = /\._adb(?:-tls-connect)?\._tcp\.?$/;
const ADDRESS = /^(.+):(\d+)$/;
const EMULATOR_ADB_PORTS = { first: 5555, last: 5683 };

/** Serials that a factory forgot to write. */
const PLACEHOLDER =
  /^(?:unknown|unidentified|null|none|0?1234567(?:8?|89|890)(?:abcdef)?|emulator.*|(.)\1*)$/i;

/** Is this no serial number of one phone, but what thousands of phones say? */
export const isPlaceholderSerial = (serial: string): boolean => serial === '' || PLACEHOLDER.test(serial);

/** The serial within an mDNS name; undefined where it is none. */
export const mdnsSerial = (name: string): string | undefined => MDNS.exec(name)?.[1];

/** Where a phone is attached: the USB port and serial, or the network name. */
export const placeOf = ({ serial, devpath }: { serial: string; devpath?: string }): string =>
  devpath === undefined ? safeIdentifier(serial) : `${safeIdentifier(serial)}@${safeIdentifier(devpath)}`;

export function connectionOf({ serial, devpath }: ListedDevice): Connection {
  if (EMULATOR.test(serial)) return 'emulator';
  return devpath === undefined && (ADDRESS.test(serial) || MDNS_ANY.test(serial)) ? 'tcp' : 'usb';
}

/**
 * Names all phones that adb lists.
 *
 * @param nodeId this host, for names that repeat on every host
 * @param knownShared serials that two phones have been seen to share before: they keep their suffix when alone
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
      const ways = phone.map(({ listed }) => listed);
      const best = ways.reduce((a, b) => (rank(b) < rank(a) ? b : a));
      const { serial, devpath } = best;
      const connection = connectionOf(best);
      if (phone !== owner && connection !== 'usb') parted.push(...ways);
      const isPlain = phone === owner && !(suffixed.has(name) && connection === 'usb');
      const udid = safeIdentifier(isPlain ? name : `${name}@${devpath ?? serial}`);
      return { udid, connection, listed: best, ways };
    });
  });
  return { named, nameless, shared, parted };
}

/** The name by which one phone would go if it were alone; undefined where there is nothing to name it by. */
function baseName({ listed, known }: Attachment, nodeId: string): string | undefined {
  const { devpath } = listed;
  const serial = safeIdentifier(listed.serial);
  switch (connectionOf(listed)) {
    case 'emulator':
      return `${serial}@${nodeId}`;
    case 'usb':
      if (serial === '') return devpath;
      return isPlaceholderSerial(serial) ? `${serial}@${devpath ?? nodeId}` : serial;
    case 'tcp':
      if (known?.isEmulator) return `${emulatorName(serial) ?? serial}@${nodeId}`;
      return trusted(known?.serialNumber) ?? trusted(mdnsSerial(listed.serial)) ?? serial;
  }
}

const trusted = (serial: string | undefined): string | undefined =>
  serial === undefined || isPlaceholderSerial(serial) ? undefined : safeIdentifier(serial);

/** `emulator-5554` for `127.0.0.1:5555`: adb's port is the console's plus one. */
function emulatorName(address: string): string | undefined {
  const [, host = '', digits = ''] = ADDRESS.exec(address) ?? [];
  const port = Number(digits);
  const isAdbPort = port % 2 === 1 && port >= EMULATOR_ADB_PORTS.first && port <= EMULATOR_ADB_PORTS.last;
  return isLoopback(host) && isAdbPort ? `emulator-${port - 1}` : undefined;
}

/** adb names it by itself. On the network it goes by what it claims. */
const isNear = ({ listed }: Attachment): boolean => connectionOf(listed) !== 'tcp';

const isOnUsb = ({ listed }: Attachment): boolean => connectionOf(listed) === 'usb';

/** A phone that was quickly plugged in anew is listed twice for a moment: the connection that is going is no second phone. */
const GOING = new Set(['offline', 'connecting']);
const sockets = (group: readonly Attachment[]) =>
  group.filter((attachment) => isOnUsb(attachment) && !GOING.has(attachment.listed.state));

/**
 * Parts what goes by one name into phones. On USB each port is one, where two have been seen to share the name; a
 * network name belongs to the phone that it is proven to be, or may still turn out to be.
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
 * The serial that a way on the network claims makes it no way to the phone of that serial: both have to tell the same of
 * their boot and make. Until both have, they are taken for one only while that shows nothing of the claimant: the way that
 * adb names is there to be asked (`rank`), and has not failed to say who it is. An address that is going may be that of
 * the same phone before it got another.
 */
function mayBeOne(a: Attachment, b: Attachment): boolean {
  const sameness = compare(a.known ?? {}, b.known ?? {});
  if (sameness !== 'unknown') return sameness === 'same';
  if (a.known?.isParted || b.known?.isParted) return false;
  const [near, far] = isNear(a) ? [a, b] : [b, a];
  if (isNear(near)) return near.listed.state === 'device' && !near.known?.isSilent;
  return [near, far].every(({ listed }) => listed.state === 'device' || GOING.has(listed.state));
}

/**
 * Which way to a phone is the best: USB before the network, and of the same kind one that works. A phone whose cable lets
 * nobody in, or is offline, is told so, and never with what another way says: whoever is on the network may have taken
 * that way's place meanwhile.
 */
function rank(listed: ListedDevice): number {
  const order = { usb: 0, emulator: 10, tcp: 20 } as const;
  return order[connectionOf(listed)] + (listed.state === 'device' ? 0 : 1);
}
