/** Replaces personal data in the parts of a support bundle: the same value has the same stand-in in all of them. */
import { Secret } from '../../config/secret.ts';
import { personalSerial } from '../inspect/personal.ts';
import { Redactor } from '../inspect/redactor.ts';
import { StandIns } from '../inspect/stand-in.ts';

/** Keys whose texts name one phone, a person, an account or this host. */
const personalKeys: ReadonlySet<string> = new Set([
  ...['udid', 'udids', 'serial', 'serialNumber', 'deviceName', 'givenName'],
  ...['by', 'owner', 'assetTag', 'username', 'nodeId', 'hostname'],
]);

/** Words of our own: a phone or a host with such a name is not given away by it. */
const ordinary =
  /^(?:|.|localhost|hostnode|root|adb|android|unknown|none|phone|device|offline|unauthorized|usb|tcp|emulator)$/i;

/** A pattern of one redactor holds so many values. */
const AT_ONCE = 1000;

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
  const texts = new Set(parts.flatMap(textsIn));
  const words = [...new Set([...known, ...personalIn(parts)].flatMap(namesFor))];
  const standIns = new StandIns();
  const redactors = inGroups(words).map(
    (group, index) =>
      new Redactor({
        texts: index === 0 ? [...texts] : [],
        known: [],
        words: group,
        learn: (value) => standIns.reserve(value),
        replace: (value) => standIns.of(value),
      }),
  );
  const whole = new Set(words);
  const done = new Map<string, string>();
  const redacted = (text: string): string => {
    const before = done.get(text);
    if (before !== undefined) return before;
    const after = whole.has(text)
      ? standIns.of(text)
      : redactors.reduce((shown, redactor) => redactor.text(shown), text);
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

function inGroups(words: readonly string[]): string[][] {
  const count = Math.max(1, Math.ceil(words.length / AT_ONCE));
  return Array.from({ length: count }, (_, index) => words.slice(index * AT_ONCE, (index + 1) * AT_ONCE));
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
