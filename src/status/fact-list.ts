/** A phone's report as a list of facts, each with its age, or the reason why it is missing. Pure. */
import type { PhoneState } from '../agent/state.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import { valueAt } from '../base/words.ts';
import type { SectionFailure } from '../probe/section-results.ts';
import { elsewhere, sources } from '../report/sources.ts';
import type { Fact } from './host-status.ts';

/** The page must not show telephony identifiers, and constants say nothing about this phone. */
const isShown = (path: string) => !/\.carriersInfo\b/.test(path) && sources[path]?.from[0] !== 'always';

const GIB = 1024 ** 3;

export function factListOf({ info, snapshot, device }: PhoneState): Fact[] {
  return Object.entries(sources).flatMap(([path, { from }]) => {
    if (!isShown(path)) return [];
    const [source = ''] = from;
    const section = source in elsewhere ? source : (source.split('.', 1)[0] ?? '');
    const value = valueAt(info, path.split('.'));
    if (value === '') return [];
    const takenAt = section in elsewhere ? undefined : snapshot?.sectionsTakenAt[section];
    const shown =
      value === undefined
        ? { why: whyNot(section, device.attached && device.state === 'device', snapshot?.failures) }
        : { value: spelled(path, value) };
    return omitUndefined({ name: path, ...shown, takenAt, from: section });
  });
}

const WHY: Readonly<Record<SectionFailure['kind'], string>> = {
  'timed-out': 'the command exceeded its time limit',
  flooded: 'the command printed too much',
  unreadable: 'the answer could not be parsed',
};

function whyNot(section: string, isOnline: boolean, failures: readonly SectionFailure[] = []): string {
  if (section in elsewhere) return 'not known';
  if (!isOnline) return 'hostnode cannot reach the phone';
  const failure = failures.find((each) => each.section === section);
  return failure === undefined ? 'the phone gave no value' : WHY[failure.kind];
}

function spelled(path: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return withUnit(path, value);
  if (typeof value === 'string') return path === 'battery.percentage' ? `${value} %` : printable(value, 300);
  if (Array.isArray(value)) return value.map((each) => spelled(path, each)).join(', ') || 'none';
  if (typeof value !== 'object' || value === null) return '';
  const inner = Object.entries(value).map(([key, each]) => [key, spelled(key, each)] as const);
  return inner.map(([key, each]) => (key === 'name' ? each : `${key} ${each}`)).join(', ');
}

function withUnit(path: string, value: number): string {
  if (/^(?:storage|memory)\./.test(path)) return `${(value / GIB).toFixed(1)} GiB`;
  if (path === 'battery.temperature') return `${(value / 10).toFixed(1)} °C`;
  if (path === 'battery.voltage') return `${(value / 1000).toFixed(2)} V`;
  if (path === 'bootTime') return `${new Date(value * 1000).toISOString().slice(0, 19)}Z`;
  if (path === 'uptime') return `${Math.floor(value / 3600)} h ${Math.floor((value % 3600) / 60)} min`;
  if (path === 'orientation') return `${value}°`;
  return String(value);
}
