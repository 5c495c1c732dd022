/** Replaces personal data in the parts of a support bundle: the same value has the same stand-in in all of them. */
import { Secret } from '../../config/secrets.ts';
import { personalSerial } from '../redaction/personal.ts';
import { Redactor } from '../redaction/redactor.ts';
import { StandIns } from '../redaction/stand-in.ts';

/** Keys whose texts name one phone, a person, an account or this host. */
const personalKeys: ReadonlySet<string> = new Set([
  ...['udid', 'udids', 'serial', 'serialNumber', 'deviceName', 'givenName'],
  ...['by', 'owner', 'assetTag', 'username', 'nodeId', 'hostname'],
]);

/** Words of our own: a phone or a host with such a name is not given away by it. */
const ordinary =
  /^(?:|.|localhost|hostnode|root|adb|android|unknown|none|phone|device|offline|unauthorized|usb|tcp|emulator)$/i;

/** What must not be in the bundle: the texts below personal keys, and secrets. */
export function personalIn(value: unknown, isPersonal = false): string[] {
  if (typeof value === 'string') return isPersonal ? [value] : [];
  if (value instanceof Secret) return [value.reveal()]; // to be searched for, and replaced
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    personalIn(inner, isPersonal || personalKeys.has(key)),
  );
}

/** @returns a copy of a part, or of a text, without personal data; keys, numbers and the shape stay */
export function redaction(parts: readonly unknown[], known: readonly string[]): <T>(value: T) => T {
  const names = new Set([...known, ...personalIn(parts)].flatMap(namesFor));
  const texts = [...new Set(parts.flatMap(textsIn))];
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

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, change)]));
}
