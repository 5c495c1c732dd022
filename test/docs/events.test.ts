import { describe, expect, it } from 'vitest';
import { standardTiming } from '../../src/agent/options.ts';
import { eventFields } from '../../src/history/events/event.ts';
import { codeSpans, readText, rows, section } from './pages.ts';

const page = 'docs/events.md';

/** `state`, `before?` of each kind, as the history takes it. */
const kept = Object.entries(eventFields).map(
  ([kind, fields]) => [kind, Object.keys(fields).toSorted()] as const,
);

const told = (heading: string) =>
  rows(section(page, heading)).map(
    ([kind = '', , fields = '']) =>
      [
        kind.replaceAll('`', ''),
        codeSpans(fields)
          .filter((span) => /^\w+\??$/.test(span))
          .toSorted(),
      ] as const,
  );

describe('docs/events.md', () => {
  it('lists every kind of event with all its fields', () => {
    const all = [...told('## Of a phone'), ...told('## Of the host')];
    expect(Object.fromEntries(all)).toEqual(Object.fromEntries(kept));
    expect(all).toHaveLength(kept.length);
  });

  it('names the times that the agent waits', () => {
    const text = readText(page).replaceAll('\n', ' ');
    expect(text).toContain(`up to ${standardTiming.passingMs / 1000} seconds`);
    expect(text).toContain(`within ${standardTiming.recoveryMs / 1000} seconds`);
  });
});
