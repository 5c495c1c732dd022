/**
 * Finds in what phones print the data that point to one phone, its owner or its place: identifiers, addresses,
 * phone numbers, cells, networks, names. By the form of a value, or by the text before it; where neither says
 * so, it cannot be found, so a person has to read a text before it is passed on.
 */
import { isPlaceholderSerial, mdnsSerial } from '../../roster/udid.ts';

/** A part of a text: characters from `start` to before `end`. */
export interface Span {
  start: number;
  end: number;
}

/** Personal by its form. Group 1 is the value. */
const shapes: readonly RegExp[] = [
  /(?<![\w:])((?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2})(?![\w:])/dgi, // MAC
  /(?<![\w.])(\d{1,3}(?:\.\d{1,3}){3})(?!\.?\w)/dg, // IPv4
  /(?<![\w:.])((?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?)(?![\w:])/dgi, // IPv6
  /(?<![\w.+-])([\w.+-]{1,64}@(?!\d+\.\d+\.)(?:[\w-]{1,63}\.){1,5}[a-z]{2,24})(?![\w-])/dgi, // e-mail
  /(?<![0-9a-f-])([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f-])/dgi, // UUID
  /(?<![\w.])(\d{14,22}f?)(?!\.?\w)/dgi, // IMEI, IMSI, ICCID
  /(?<!\w)((?=\w*\d)(?=\w*[a-f])[0-9a-f]{16})(?!\w)/dgi, // Android ID
  /(?<!\w)((?=\w*\d)(?=\w*[A-F])[0-9A-F]{14})(?!\w)/dg, // MEID
  /(?<![\w+])(\+\d[\d ()-]{5,18}\d)(?!\w)/dg, // phone number
];

/** Personal by the text before it. */
const contexts: readonly RegExp[] = [
  /\b(?:B?SSID|extra(?:Info)?)\s?[:=]\s?"([^"\n]+)"/dgi,
  /\bSSID\s?[:=]\s?(?!")([^\s",\]}>][^",\]}>\n]*)/dgi,
  /\bextra(?:Info)?\s?[:=] ?"?([^\s",}\]][^",}\]\n]*)/dgi, // the Wi-Fi's name, or the APN
  /\b(?:FQDN|ProviderFriendlyName|Domains?|DomainName)\s?[:=]\s?"?([^\s",}\]]+)/dgi,
  /\bHttpProxy: ?\[([^\]\s]+)/dg,
  /^(?:http_proxy|global_http_proxy_host)=([^\s:]+)/dgm,
  /\bhttps?:\/\/([^\s/"':]+)/dg,
  /(?:PAC Script: ?|^global_proxy_pac_url=)https?:\/\/[^\s/]+\/([^\s[]+)/dgm,
  /\bm?(?:Ci|Cid|Pci|Tac|Lac|Nci|Psc|BasestationId|NetworkId|SystemId|Latitude|Longitude)\s?[:=]\s?(-?[\d.]*\d)/dgi,
  /\bmCellLocation=(?:Bundle)?\[([^\]\n]+)/dg,
  /\b(?:\w*(?:Phone|Line1|Incoming|Dial)?_?Number|\w*Msisdn|mdn|line1|voicemail)\s?[:=]\s?"?(\+?\d[\d ()-]{3,18}\d)/dgi,
  /\bicc_?id\s?[:=]\s?([0-9a-f]{10,22})\b/dgi,
  /\b(?:imei|meid|esn|imsi|m?SubscriberId|Device ID)\s?[:=]\s?(\w{6,24})\b/dgi,
  /\b(?:serial(?:_?(?:no|number))?|android_?id|gaid|advertising_id)\s*[:=]\s*([\w-]{4,64})/dgi,
  /\bm?display_?name\s?=\s?(.+?)(?=,? (?:m?carrier_?Name|m?NameSource|name_source|data_?Roaming|icon\w*|m?Color)\s?=|[,}\]]|$)/dgim,
  /\bAccount ?\{ ?name=([^,}\n]+)/dg,
  /\b(?:owner_info|lock_screen_owner_info|user_?name)\s?[:=]\s?(.+)$/dgim,
  /\bUserInfo\{\d+:([^:}\n]+):/dg,
];

/** Names that people give to phones; not personal where they are those of the model. */
const names: readonly RegExp[] = [
  /^name=(.+)$/dgm,
  /\b(?:device_?name|bluetooth_?name|(?:dhcp_?)?host_?name)\s?[:=]\s?"?([^"\n,}\]]+)/dgi,
];

/** Properties that are the same on every phone of a model. */
const publicKey =
  /(?:^|[._])(?:build|version|product|board|hardware|revision|baseband|opengles|fingerprint|market|marketname|marketing_name|mkt_name)(?:[._]|$)/i;
const personalKey =
  /serial|imei|meid|(?:^|[._])esn|imsi|icc_?id|msisdn|line1|\.sno$|psno|\.p?sn$|mac_?addr|mac$|bdaddr|bt_?addr|android_?id|(?:device|cpu|chip|unique)_?id|uniqueno|uuid|guid|\.did$|account|e?mail|owner|phone_?num|\.mdn$|ssid|cell_?id|latitude|longitude/i;
const nameKey = /(?:device|bluetooth|user|host|\bbt)[._]?name$/i;
const propertyStart = /^\[([^\]\n\r\u2028\u2029]{1,200})\]: \[/gm;
const propertyEnd = /\]\r?$/gm;
/** A longer value is no property's. */
const LONGEST_PROPERTY = 4096;

/** Words for unknown values, and values that all phones share. */
const kept =
  /^(?:[^\p{L}\p{N}]*|unknown|none|null|n\/a|true|false|yes|no|android|localhost|owner|running|stopped|<.*|\(.*\)|[*x]+|-?\d|f+|-?2147483647|9223372036854775807|0x0*|\/.*|::1|ff[0-9a-f]{2}:.*|02(?::00){5}|0\.0\.0\.0|(?:127|255|22[4-9]|23\d)\.\d+\.\d+\.\d+|[\w.-]*\.(?:gstatic|google|android)\.com|example\.com)$/iu;

export const isKept = (value: string): boolean =>
  kept.test(value) || isPlaceholderSerial(value) || /^(.)\1*$/.test(value.replace(/[:.-]/g, ''));

/**
 * What is personal in adb's name for a phone, or in its own serial number: not a placeholder, not an emulator's
 * number; of an mDNS name the serial within. Addresses are found by their form.
 */
export function personalSerial(serial: string | undefined): string[] {
  const own = mdnsSerial(serial ?? '') ?? serial ?? '';
  return isPlaceholderSerial(own) || /^emulator-\d+$|:\d+$/.test(own) ? [] : [own];
}

/** The values that a model's phones have alike, in lower case. */
export function publicText(texts: Iterable<string>): string {
  const values = Array.from(texts, (text) =>
    propertiesIn(text).map(({ key, start, end }) => (isPublic(key) ? text.slice(start, end) : '')),
  );
  return values.flat().filter(Boolean).join('\n').toLowerCase();
}

const isPublic = (key: string): boolean => publicKey.test(key) && !personalKey.test(key);

/** @param known what `publicText` said of all texts of the phone */
export function findPersonal(text: string, known: string): Span[] {
  const properties = Map.groupBy(propertiesIn(text), ({ key }) => kindOf(key));
  const { personal = [], named = [], common = [] } = Object.fromEntries(properties);
  const isModel = (span: Span) => known.includes(text.slice(span.start, span.end).trim().toLowerCase());
  return [
    ...personal,
    ...[...named, ...spansOf(names, text)].filter((span) => !isModel(span)),
    ...spansOf(contexts, text),
    ...spansOf(shapes, text).filter((span) => !common.some((range) => isWithin(span, range))),
  ].filter(({ start, end }) => !isKept(text.slice(start, end)));
}

function kindOf(key: string): 'common' | 'personal' | 'named' | 'other' {
  if (key.startsWith('init.svc.')) return 'other';
  if (isPublic(key)) return 'common';
  if (personalKey.test(key)) return 'personal';
  return nameKey.test(key) ? 'named' : 'other';
}

/** The properties of a text, each with the place of its value, which ends at the first `]` that ends a line. */
function propertiesIn(text: string): (Span & { key: string })[] {
  const ends = Array.from(text.matchAll(propertyEnd), ({ index }) => index);
  const found: (Span & { key: string })[] = [];
  let next = 0;
  for (const { index, 0: head, 1: key = '' } of text.matchAll(propertyStart)) {
    const start = index + head.length;
    if (index < (found.at(-1)?.end ?? 0)) continue;
    while ((ends[next] ?? start) < start) next += 1;
    const end = ends[next];
    if (end !== undefined && end - start <= LONGEST_PROPERTY) found.push({ key, start, end });
  }
  return found;
}

const spansOf = (patterns: readonly RegExp[], text: string): Span[] =>
  patterns.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), (match) => {
      const [start = 0, end = 0] = match.indices?.[1] ?? [];
      return { start, end };
    }),
  );

const isWithin = (inner: Span, outer: Span): boolean => inner.start >= outer.start && inner.end <= outer.end;
