/** Replaces personal data in the parts of a support bundle: the same value has the same stand-in in all of them. */
import { Secret } from '../../config/secrets.ts';
import { personalSerial } from '../redaction/personal.ts';
import { mapTexts, Redactor } from '../redaction/redactor.ts';
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
export const personalIn = (value: unknown): string[] =>
  Array.from(textsIn(value)).flatMap(({ text, isPersonal }) => (isPersonal ? [text] : []));

/** Each text within a value, and whether it is personal by the key above it. */
function* textsIn(value: unknown, isPersonal = false): Generator<{ text: string; isPersonal: boolean }> {
  if (typeof value === 'string') yield { text: value, isPersonal };
  // to be searched for, and replaced
  else if (value instanceof Secret) yield { text: value.reveal(), isPersonal: true };
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value))
      yield* textsIn(inner, isPersonal || personalKeys.has(key));
}

/** @returns a copy of a part, or of a text, without personal data; keys, numbers and the shape stay */
export function redaction(parts: readonly unknown[], known: readonly string[]): <T>(value: T) => T {
  const found = [...textsIn(parts)];
  const personal = found.filter(({ isPersonal }) => isPersonal).map(({ text }) => text);
  const names = new Set([...known, ...personal].flatMap(namesFor));
  const texts = [...new Set(found.map(({ text }) => text))];
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
