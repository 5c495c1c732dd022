/** `inventory --explain`: each field of a phone's report: the commands, their output, and the value or why there is none. */
import type { ListedDevice } from '../../adb/adb.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { visible } from '../../base/printable.ts';
import { quantity } from '../../base/words.ts';
import { elsewhere, type Source, sources } from '../../report/sources.ts';
import { personalSerial } from '../redaction/personal.ts';
import { mapTexts, Redactor } from '../redaction/redactor.ts';
import type { Encounter } from '../survey.ts';
import { say, sayJson } from '../terminal.ts';

export function sayExplanations(
  encounters: readonly Encounter[],
  { json, showIdentifiers }: { json?: boolean; showIdentifiers?: boolean },
): void {
  const explained = encounters.map((encounter) => {
    const masker = showIdentifiers ? noMask : maskerOf(encounter);
    return { title: titleOf(encounter, masker), fields: explain(encounter, masker) };
  });
  if (json) sayJson(explained);
  else for (const { title, fields } of explained) say(...explanationLines(title, fields));
}

/** `Xiaomi 12X, Android 12 (******16)`. */
function titleOf({ info }: Encounter, masker: Masker): string {
  const { deviceName, platformVersion, udid } = info;
  const name = deviceName === undefined ? 'Phone' : masker.value(deviceName);
  const android = platformVersion === undefined ? '' : `, Android ${platformVersion}`;
  return `${name}${android} (${masker.value(udid)})`;
}

export function maskedSentence(sentence: string, udid: string, encounters: readonly Encounter[]): string {
  const masker = maskerOf(encounters.find(({ info }) => info.udid === udid) ?? {}, udid);
  return masker.text(sentence.replaceAll(udid, masker.value(udid)));
}

export interface Explanation {
  field: string;
  value?: unknown;
  why?: string;
  sources: { name: string; command: string; text?: string }[];
}

const MAX_LINES = 24;
const MAX_LINE = 1000;

type Masker = Pick<Redactor, 'text' | 'value'>;

export const noMask: Masker = { text: (text) => text, value: (value) => value };

/** Masks all personal data in this phone's output and names; of one that did not answer only the udid is known. */
export function maskerOf(
  { info, device, listed, snapshot }: Partial<Encounter>,
  udid = info?.udid ?? '',
): Masker {
  const printed = [...(snapshot?.rawAnswers?.answers.values() ?? [])].flatMap(({ outcome }) =>
    outcome?.kind === 'answered' ? [outcome.text] : [],
  );
  // the USB path of a phone without a serial is none
  const within = udid === device?.devpath ? undefined : udid.split('@', 1)[0];
  const serials = [listed?.serial, info?.serialNumber, info?.adbTunnelInfo?.serial, within];
  // model and maker too: a name that only repeats these needs no mask
  const { model, marketingName, brand, manufacturer } = device?.identity ?? {};
  const alike = [model, marketingName, brand, manufacturer].filter((value) => value !== undefined);
  return new Redactor({
    texts: [
      ...printed,
      ...alike.map((value) => `[ro.product.model]: [${value}]`),
      ...(info?.deviceName === undefined ? [] : [`name=${info.deviceName}`]),
    ],
    known: serials.flatMap(personalSerial),
  });
}

export function explain(encounter: Encounter, masker: Masker): Explanation[] {
  return Object.entries(sources).map(([field, source]) => {
    const values = valuesAt(encounter.info, field.split('.')).map((value) =>
      mapTexts(value, (text) => masker.value(text)),
    );
    return omitUndefined({
      field,
      value: field.includes('[]') && values.length > 0 ? values : values[0],
      why: values.length === 0 ? masker.text(whyMissing(encounter, source)) : undefined,
      sources: source.from.flatMap((name) => sourceOf(encounter, name, source.lines, masker)),
    });
  });
}

function valuesAt(value: unknown, [key, ...rest]: string[]): unknown[] {
  if (key === undefined) return value === undefined ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  const inner: unknown = Reflect.get(value, key.replace('[]', ''));
  if (key.endsWith('[]')) return Array.isArray(inner) ? inner.flatMap((each) => valuesAt(each, rest)) : [];
  return valuesAt(inner, rest);
}

function sourceOf({ listed, snapshot }: Encounter, name: string, lines: RegExp | undefined, masker: Masker) {
  if (name === 'adb') {
    const text = listed && adbLine(listed);
    return [omitUndefined({ name, command: 'host:devices-l', text: text && masker.text(text) })];
  }
  if (name in elsewhere) return [{ name, command: '' }];
  const rawAnswers = snapshot?.rawAnswers?.answers.get(name);
  if (rawAnswers === undefined) return [];
  const { command, outcome } = rawAnswers;
  const text = outcome?.kind === 'answered' ? excerpt(masker.text(outcome.text), lines) : undefined;
  return [omitUndefined({ name, command, text })];
}

const adbLine = (listed: ListedDevice): string =>
  Object.entries(listed)
    .map(([key, value]) => `${key}:${value}`)
    .join(' ');

function excerpt(text: string, lines: RegExp | undefined): string {
  const all = text.replaceAll('\r', '').split('\n');
  const counting = lines === undefined ? [] : all.filter((line) => lines.test(line));
  const shown = (counting.length > 0 ? counting : all).filter((line) => line !== '');
  const cut = shown.map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line));
  if (cut.length > MAX_LINES)
    cut.splice(MAX_LINES, cut.length, `… ${quantity(cut.length - MAX_LINES, 'more line')}`);
  return cut.join('\n');
}

function whyMissing({ info, snapshot, error }: Encounter, { from }: Source): string {
  const commands = from.filter((name) => !(name in elsewhere));
  if (info.status === 'UNPLUGGED') return 'the phone is not plugged in';
  if (commands.length === 0) return 'adb does not say';
  if (info.state !== 'device') return `not collected: adb reports state ${JSON.stringify(info.state)}`;
  if (error) return `cannot collect the phone: ${error.message}`;
  if (snapshot?.facts.boot?.bootCompleted === false) return 'the phone is still booting';
  const answers = commands.flatMap((name) => snapshot?.rawAnswers?.answers.get(name) ?? []);
  if (answers.length === 0)
    return snapshot?.broken === undefined
      ? 'not collected: switched off in the configuration'
      : `not collected: ${snapshot.broken}`;
  if (answers.every(({ outcome }) => outcome === undefined)) return `no answer: ${snapshot?.broken}`;
  const section = commands[0]?.split('.', 1)[0];
  const failure = snapshot?.failures.find((each) => each.section === section);
  if (failure?.kind === 'timed-out') return 'the command exceeded its time limit';
  if (failure?.kind === 'flooded') return 'the command printed too much';
  return failure?.error?.message ?? 'the phone gave no value';
}

export function explanationLines(title: string, explanations: readonly Explanation[]): string[] {
  const width = Math.max(...explanations.map(({ field }) => field.length));
  const groups = Map.groupBy(explanations, ({ sources, why }) =>
    sources.length > 0 ? sources.map(({ name }) => name).join() : `?${why}`,
  );
  return [visible(title), ...[...groups.values()].flatMap((group) => groupLines(group, width)), ''];
}

function groupLines(group: readonly Explanation[], width: number): string[] {
  const lines = ['', ...(group[0]?.sources ?? []).map(({ name, command }) => `  ${heading(name, command)}`)];
  for (const [index, { field, value, why, sources }] of group.entries()) {
    lines.push(`    ${field.padEnd(width)}  ${visible(why === undefined ? textOf(value) : `– ${why}`)}`);
    const raw = rawLines(sources);
    const next = group[index + 1];
    // fields from the same lines share them
    if (next === undefined || rawLines(next.sources).join() !== raw.join()) lines.push(...raw);
  }
  return lines;
}

function heading(name: string, command: string): string {
  const source = new Map(Object.entries(elsewhere)).get(name);
  return source === undefined ? `${name}  $ ${visible(command)}` : `${source}${command && `  (${command})`}`;
}

const rawLines = (sources: Explanation['sources']): string[] =>
  sources.flatMap(({ name, text }) =>
    text === undefined || text === ''
      ? []
      : text.split('\n').map((line) => `      ${sources.length > 1 ? `${name} ` : ''}│ ${visible(line)}`),
  );

function textOf(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '(empty)' : value;
  return Array.isArray(value) && value.every((each) => typeof each !== 'object')
    ? value.join(', ')
    : JSON.stringify(value);
}
