import { describe, expect, it } from 'vitest';
import type { Why } from '../../src/status/host-status.ts';
import { codeSpans, rows, section } from './pages.ts';

/** Each field of a type; the type checker keeps the list whole, and wants `?` of those that may be absent. */
type FieldsOf<T> = {
  readonly [K in keyof T]-?: Record<string, never> extends Pick<T, K> ? '?' : '';
};
type Item<K extends keyof Why> = NonNullable<Why[K]> extends readonly (infer Each)[] ? Each : never;
type AllOf<T> = {
  [K in T extends unknown ? keyof T : never]: T extends { [P in K]: infer V } ? V : undefined;
};

const own: FieldsOf<Why> = {
  ...{ subject: '', now: '', since: '?', condition: '?', phones: '?', blame: '?', lostAt: '?' },
  ...{
    lostName: '?',
    remedyOfLoss: '?',
    findings: '',
    remedy: '',
    timeline: '',
    hasMore: '?',
    historyProblem: '?',
  },
};
const subject: FieldsOf<Why['subject']> = { kind: '', name: '', udid: '?', slot: '?', devpath: '?' };
const phones: FieldsOf<Item<'phones'>> = {
  ...{ udid: '', name: '', slot: '?', devpath: '?', condition: '', sign: '', since: '' },
};
const blame: FieldsOf<NonNullable<Why['blame']>> = {
  ...{ party: '', key: '?', certainty: '', because: '', evidence: '' },
};
const findings: FieldsOf<Item<'findings'>> = {
  ...{ code: '', severity: '', subject: '', certainty: '', title: '', remedy: '', since: '', udids: '' },
};
const ofSubject: Record<keyof AllOf<Item<'findings'>['subject']>, '' | '?'> = {
  kind: '',
  key: '?',
  slot: '?',
};
const timeline: FieldsOf<Item<'timeline'>> = {
  ...{ id: '', at: '', kind: '', text: '', udid: '?', name: '?', slot: '?', count: '?', from: '?' },
};

const spelt = (prefix: string, fields: Readonly<Record<string, '' | '?'>>): string[] =>
  Object.entries(fields).map(([name, mark]) => `${prefix}${name}${mark}`);

describe('docs/status.md', () => {
  const table = rows(section('docs/status.md', '## The answer of why as JSON'));

  it('lists every field of the answer of why', () => {
    expect(table.flatMap(([cell = '']) => codeSpans(cell)).toSorted()).toEqual(
      [
        ...spelt('', own),
        ...spelt('subject.', subject),
        ...spelt('phones[].', phones),
        ...spelt('blame.', blame),
        ...spelt('findings[].', findings),
        ...spelt('findings[].subject.', ofSubject),
        ...spelt('timeline[].', timeline),
      ].toSorted(),
    );
    expect(table.filter(([, meaning = '']) => meaning === '')).toEqual([]);
  });

  it('names the values that a program may compare with', () => {
    const valuesOf = (field: string) =>
      codeSpans(table.find(([cell = '']) => codeSpans(cell).includes(field))?.[1] ?? '').toSorted();
    const kinds: Record<Why['subject']['kind'], true> = {
      ...{ phone: true, slot: true, shelf: true, port: true, hub: true, host: true },
    };
    const parties: Record<NonNullable<Why['blame']>['party'], true> = {
      ...{ phone: true, port: true, link: true, hub: true, network: true },
      ...{ adb: true, host: true, room: true, person: true, unknown: true },
    };
    const conditions: Record<NonNullable<Why['condition']>, true> = {
      ...{ fine: true, needsAttention: true, maintenance: true, unknown: true },
    };
    const certainties: Record<NonNullable<Why['blame']>['certainty'], true> = {
      ...{ certain: true, likely: true, possible: true },
    };
    const severities: Record<Item<'findings'>['severity'], true> = {
      critical: true,
      major: true,
      minor: true,
    };
    const subjects: Record<Item<'findings'>['subject']['kind'], true> = {
      ...{ phone: true, port: true, hub: true, network: true, host: true, room: true },
    };
    const told = {
      ...{ 'subject.kind': kinds, 'condition?': conditions, 'blame.party': parties },
      ...{ 'blame.certainty': certainties, 'findings[].severity': severities },
      'findings[].subject.kind': subjects,
    };
    for (const [field, values] of Object.entries(told))
      expect([field, valuesOf(field)]).toEqual([field, Object.keys(values).toSorted()]);
  });
});
