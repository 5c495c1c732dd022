import { describe, expect, it } from 'vitest';
import { bodyOf, type Change, type Message } from '../../../src/status/notify/message.ts';

const since = Date.UTC(2026, 10, 23, 9);
const change = (more: Partial<Change> = {}): Change => ({
  ...{ id: 'a1', change: 'began', code: 'HUB_LOST', severity: 'major', since },
  ...{ title: '6 phones behind hub 1-3 were lost', remedy: 'Check its power supply' },
  ...more,
});
const message = (...changes: Change[]): Message => ({
  ...{ host: 'rack-2', nodeId: 'rack-2', at: since + 60_000, changes },
  now: { critical: 0, major: 1, minor: 0 },
});

const textOf = (of: Message, format: 'slack' | 'mattermost'): string => JSON.parse(bodyOf(of, format)).text;
const runsOf = (of: Message): string[] =>
  JSON.parse(bodyOf(of, 'teams')).attachments[0].content.body.map(
    (block: { inlines: { type: string; text: string }[] }) => block.inlines[0]?.text,
  );

describe('a message', () => {
  it('is one JSON with each change, in whole', () => {
    const facts = { certainty: 'certain', subject: { kind: 'hub', key: '1-3' }, udids: ['A', 'B'] } as const;
    const ended: Change = { id: 'b2', change: 'ended', code: 'FLAPPING', severity: 'major', since };
    expect(JSON.parse(bodyOf(message(change(facts), ended), 'json'))).toEqual({
      version: 1,
      at: '2026-11-23T09:01:00.000Z',
      host: 'rack-2',
      nodeId: 'rack-2',
      now: { critical: 0, major: 1, minor: 0 },
      findings: [
        { ...change(facts), since: '2026-11-23T09:00:00.000Z' },
        { ...ended, since: '2026-11-23T09:00:00.000Z' },
      ],
    });
  });

  it('is a headline and two lines a change for people', () => {
    const worse = change({
      change: 'changed',
      severity: 'critical',
      was: 'minor',
      title: 'Host lost phones',
    });
    const ended = change({ change: 'ended', title: 'Bay 4', remedy: '', code: 'PORT_UNSTABLE' });
    expect(runsOf(message(worse, change(), ended))).toEqual([
      'rack-2: 1 began, 1 changed, 1 ended. Now: 1 major.',
      'Critical, was minor: Host lost phones (HUB_LOST)',
      '→ Check its power supply',
      'Major: 6 phones behind hub 1-3 were lost (HUB_LOST)',
      '→ Check its power supply',
      'Ended: Bay 4 (PORT_UNSTABLE)',
    ]);
    const untitled = runsOf(
      message({ id: 'x', change: 'ended', code: 'FLAPPING', severity: 'major', since }),
    );
    expect(untitled.at(-1)).toBe('Ended: FLAPPING (FLAPPING)');
  });

  it('counts what it does not list: forty are one message', () => {
    const forty = Array.from({ length: 40 }, (_, index) => change({ id: `${index}` }));
    const lines = textOf(message(...forty), 'slack').split('\n');
    expect(lines[0]).toContain('40 began');
    expect(lines.filter((line) => line.includes('HUB_LOST'))).toHaveLength(8);
    expect(lines.at(-1)).toBe('and 32 more: hostnode status');
    const many = Array.from({ length: 2000 }, (_, index) => change({ id: `${index}` }));
    expect(JSON.parse(bodyOf(message(...many), 'json'))).toMatchObject({ more: 1900 });
  });

  it('is said to be a test where nothing changed', () => {
    expect(JSON.parse(bodyOf(message(), 'json'))).toMatchObject({ test: true, findings: [] });
    expect(textOf(message(), 'slack')).toContain('a test message');
  });

  it('takes a phone’s name as text in each chat', () => {
    const title =
      '<!channel> @here @channel <http://evil.example|bank> [log in](http://evil.example) ![](//x) *b* `c` www.evil.example & \u202e\u0007\n# h';
    const bad = message(change({ title }));
    const slack = textOf(bad, 'slack');
    expect(slack).toContain('&lt;!channel&gt;');
    expect(slack).toContain('&amp;');
    const mattermost = textOf(bad, 'mattermost');
    expect(mattermost).toContain('\\[log in\\]\\(');
    expect(mattermost).not.toMatch(/<!|(?<!\\)[[\]*`#!>]/);
    for (const text of [slack, mattermost, runsOf(bad).join('\n')]) {
      expect(text).not.toMatch(/:\/\/[\w.]|www\.evil|@here|@channel/);
      expect(text).not.toMatch(/[\u202e\u0007]/u);
    }
    expect(slack).not.toMatch(/[<>]/);
    // no line of its own
    expect(runsOf(bad)).toHaveLength(3);
  });

  it('has a remedy to its end, beside the longest name: its last words may be that a step erases the phone', () => {
    const remedy = `Replace the cable and note it at ${'a shelf of the lab, '.repeat(3)}${'then use another port, '.repeat(10)}or flash it, which erases it`;
    expect(remedy).toHaveLength(351);
    for (const format of ['slack', 'mattermost'] as const)
      expect(textOf(message(change({ remedy })), format)).toContain('which erases it');
    expect(JSON.parse(bodyOf(message(change({ remedy })), 'json')).findings[0].remedy).toBe(remedy);
  });

  it('stays below what chats take, whatever phones are called', () => {
    const long = '<&*'.repeat(2000);
    const bad = message(
      ...Array.from({ length: 40 }, (_, index) => change({ id: `${index}`, title: long, remedy: long })),
    );
    expect([...textOf(bad, 'mattermost')].length).toBeLessThan(16_383);
    expect([...textOf(bad, 'slack')].length).toBeLessThan(40_000);
    expect(Buffer.byteLength(bodyOf(bad, 'teams'))).toBeLessThan(28_000);
    const wide = change({ title: '電'.repeat(900), remedy: '電'.repeat(900) });
    const wideOnes = message(...Array.from({ length: 40 }, (_, index) => ({ ...wide, id: `${index}` })));
    expect(Buffer.byteLength(bodyOf(wideOnes, 'teams'))).toBeLessThan(28_000);
  });
});
