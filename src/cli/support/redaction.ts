/** Replaces personal data in the parts of a support bundle: the same value has the same stand-in in all of them. */
import type { Environment } from '../../base/environment.ts';
import { attempt } from '../../base/errors.ts';
import { bareHost, proxyEnvironment } from '../../cloud/proxy.ts';
import type { Config } from '../../config/load.ts';
import { Secret } from '../../config/secrets.ts';
import { isKept, personalSerial } from '../redaction/personal.ts';
import { mapTexts, Redactor } from '../redaction/redactor.ts';
import { StandIns } from '../redaction/stand-in.ts';

/** Keys whose texts name one phone, a person, an account or this host. */
const personalKeys: ReadonlySet<string> = new Set([
  ...['udid', 'udids', 'serial', 'serialNumber', 'deviceName', 'givenName'],
  ...['by', 'owner', 'assetTag', 'username', 'nodeId', 'hostname'],
]);

/** Words of our own: a phone or a host with such a name is not given away by it. */
const ordinary =
  /^(?:|.|host|localhost|hostnode|root|adb|android|unknown|none|phone|device|offline|unauthorized|usb|tcp|emulator)$/i;

/** What must not be in the bundle: the texts below personal keys, and secrets. */
export const personalIn = (value: unknown): string[] =>
  Array.from(textsIn(value)).flatMap(({ text, isPersonal }) => (isPersonal ? [text] : []));

/** Each text within a value, and whether it is personal by the key above it. */
function* textsIn(
  value: unknown,
  isPersonal = false,
  isOfSlots = false,
): Generator<{ text: string; isPersonal: boolean }> {
  if (typeof value === 'string') yield { text: value, isPersonal };
  // to be searched for, and replaced
  else if (value instanceof Secret) yield { text: value.reveal(), isPersonal: true };
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      // beside a setting's value stands the place that sets it
      yield* textsIn(
        inner,
        (isPersonal && key !== 'from') || personalKeys.has(key),
        isOfSlots || key === 'slots',
      );
      if (typeof inner === 'string' && (key === 'slot' || (isOfSlots && key === 'name')))
        for (const text of unusualWords(inner)) yield { text, isPersonal: true };
    }
}

/**
 * Words for places, interfaces and files, which name nobody. Any other in a slot's name, below a home directory or in an
 * endpoint's path may be a person's, or a token.
 */
const usualWord =
  /^(?:.{1,2}|rack|bay|shelf|slot|row|column|hub|port|usb|cart|box|case|tray|lab|room|desk|table|floor|line|left|right|top|bottom|upper|lower|middle|front|back|phones?|devices|api|otlp|metrics|prometheus|opentelemetry|write|push|insert|ingest|v|hostnode|config|local|state|share|ya?ml|json|pem|sock)?\d{0,4}$/iu;

const unusualWords = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !usualWord.test(word));

const home = /\/(?:home|Users)\/([^\s"',;:)\]]{1,1000})/g;

/** What may be a token in the path of an address. */
export const tokensIn = (address: string | undefined): string[] =>
  unusualWords(URL.parse(address ?? '')?.pathname ?? '');

/** The machines that the configuration and the proxies' variables name, but for those that all labs have alike. */
export function hostsIn({ adb, cloud, metrics, probe, status }: Config, env: Environment): string[] {
  const proxies = ['http:', 'https:'].map(
    (protocol) => attempt(() => proxyEnvironment(protocol, env))?.HTTP_PROXY,
  );
  const addresses = [cloud?.baseUrl, cloud?.v2BaseUrl, metrics.otlp?.endpoint, ...proxies].flatMap(
    (address) => URL.parse(address ?? '') ?? [],
  );
  const hosts = [adb.host, probe.reachability.host, ...status.hostNames, ...addresses.map(bareHost)];
  return hosts.filter((host) => !isKept(host));
}

/** @returns a copy of a part, or of a text, without personal data; keys, numbers and the shape stay */
export function redaction(parts: readonly unknown[], known: readonly string[]): <T>(value: T) => T {
  const found = [...textsIn(parts)];
  const personal = found.filter(({ isPersonal }) => isPersonal).map(({ text }) => text);
  const texts = [...new Set(found.map(({ text }) => text))];
  const homes = texts.flatMap((text) => Array.from(text.matchAll(home), ([, path = '']) => path));
  const names = new Set([...known, ...personal, ...homes.flatMap(unusualWords)].flatMap(namesFor));
  const redactor = new Redactor({ texts, known: [], names: [...names], standIns: new StandIns() });
  const done = new Map<string, string>(); // many events have the same texts
  const redacted = (text: string): string => {
    const after = done.get(text) ?? (names.has(text) ? redactor.value(text) : redactor.text(text));
    done.set(text, after);
    return after;
  };
  return (value) => mapTexts(value, redacted) as typeof value;
}

/** A serial, the host of a network address, a name: what of a value is personal. */
function namesFor(value: string): string[] {
  const address = /^([^:\s]{1,253}):\d{1,5}$/.exec(value)?.[1];
  return [value, address ?? '', ...value.split('@')]
    .flatMap(personalSerial)
    .map((name) => name.trim())
    .filter((name) => !ordinary.test(name));
}
