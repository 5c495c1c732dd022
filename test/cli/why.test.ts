import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { spansOf, textOf } from '../../src/base/styled-text.ts';
import { fitted } from '../../src/cli/columns.ts';
import { whyLines } from '../../src/cli/why.ts';
import type { TimelineEntry, Why } from '../../src/status/host-status.ts';

const at = (hour: number, minute: number, day = 22): number =>
  new Date(2026, 10, day, hour, minute).getTime();
const now = at(11, 0);

let id = 100;
const entry = (when: number, text: string, more: Partial<TimelineEntry> = {}): TimelineEntry => {
  id -= 1;
  return { id, at: when, kind: 'detached', text, ...more };
};

const kiosk: Why = {
  subject: { kind: 'phone', name: 'Kiosk', udid: 'R58M1', slot: 'rack 2, shelf 3, bay 4', devpath: '1-4.2' },
  now: 'Kiosk is unplugged',
  since: at(9, 12),
  condition: 'needsAttention',
  blame: {
    party: 'hub',
    key: 'pci-0000:00:14.0-usb-0:4',
    certainty: 'likely',
    because: '5 of 6 phones of hub 1-4 were lost in 2 s',
    evidence: [1],
  },
  lostAt: at(9, 12),
  findings: [
    {
      code: 'HUB_UNSTABLE',
      severity: 'major',
      subject: { kind: 'hub', key: 'pci-0000:00:14.0-usb-0:4' },
      certainty: 'likely',
      title: 'Hub 1-4 lost its phones 7 times in 9 days',
      remedy: 'Replace the power supply of the hub, then the hub',
      since: at(18, 0, 20),
      udids: ['R58M1'],
    },
  ],
  remedy: 'Check the power and the cable of the hub at USB port 1-4',
  timeline: [
    entry(at(9, 12), 'lost: adb no longer lists it'),
    entry(at(18, 3, 21), 'note by anna: swapped the cable', { kind: 'note' }),
    entry(at(10, 40, 20), 'lost and back 7 times between 09:12 and 10:40, longest 3 min', { count: 7 }),
  ],
  hasMore: true,
};

const texts = (why: Why, width?: number) => fitted(whyLines(why, now), width).map(textOf);

describe('whyLines', () => {
  it('have what is so, what to do, who is to blame, what is found, and day by day what led to it', () => {
    expect(texts(kiosk, 100)).toEqual([
      'Kiosk is unplugged, since 09:12 (1 h)',
      '  → Check the power and the cable of the hub at USB port 1-4',
      '',
      'Phone     R58M1 · rack 2, shelf 3, bay 4 · USB port 1-4.2',
      'To blame  likely the hub: 5 of 6 phones of hub 1-4 were lost in 2 s (lost at 09:12)',
      '',
      'Findings',
      ' ! Hub 1-4 lost its phones 7 times in 9 days  (HUB_UNSTABLE, likely, since 2026-11-20 18:00)',
      '   → Replace the power supply of the hub, then the hub',
      '',
      'What led to it',
      'today',
      '  09:12  lost: adb no longer lists it',
      'yesterday',
      '  18:03  note by anna: swapped the cable',
      '2026-11-20',
      '  10:40  lost and back 7 times between 09:12 and 10:40, longest 3 min',
      '  … there is more: --all',
    ]);
  });

  it('say a remedy once', () => {
    const [finding] = kiosk.findings;
    const lines = texts({ ...kiosk, remedy: finding?.remedy ?? '' }, 100);
    expect(lines.filter((line) => line.includes('Replace the power supply'))).toEqual([
      '  → Replace the power supply of the hub, then the hub',
    ]);
  });

  it('say below who is to blame what to do about a loss that is over', () => {
    const back = {
      ...kiosk,
      now: 'Kiosk is fine',
      condition: 'fine' as const,
      since: at(9, 20),
      findings: [],
    };
    const lines = texts({ ...back, remedy: '', remedyOfLoss: 'Check the power of the hub' }, 100);
    expect(lines.slice(0, 6)).toEqual([
      'Kiosk is fine, since 09:20 (1 h)',
      '',
      'Phone     R58M1 · rack 2, shelf 3, bay 4 · USB port 1-4.2',
      'Last loss 09:12: likely the hub: 5 of 6 phones of hub 1-4 were lost in 2 s',
      'Remedy    Check the power of the hub',
      '',
    ]);
  });

  it('ask for nothing at the top where phones are fine: the finding below does', () => {
    const [finding] = kiosk.findings as [Why['findings'][0]];
    const { remedy } = finding;
    const fine = { ...kiosk, now: 'Kiosk is fine', condition: 'fine' as const, remedy };
    const minor = { ...finding, severity: 'minor' as const };
    expect(texts({ ...fine, findings: [minor] }, 100).slice(0, 8)).toEqual([
      'Kiosk is fine, since 09:12 (1 h)',
      '',
      'Phone     R58M1 · rack 2, shelf 3, bay 4 · USB port 1-4.2',
      expect.any(String),
      '',
      'Findings',
      expect.stringMatching(/^ · Hub 1-4/),
      `   → ${remedy}`,
    ]);
  });

  it.each([40, 80, 100, 120])('fit into %i columns, whatever they say', (width) => {
    const long = `${'测试'.repeat(40)} ${'🔧'.repeat(90)} word ${'x'.repeat(300)}`;
    const lines = texts(
      {
        ...kiosk,
        now: long,
        remedy: long,
        blame: { ...(kiosk.blame as NonNullable<Why['blame']>), because: long },
        findings: kiosk.findings.map((each) => ({ ...each, title: long, remedy: `${long} too` })),
        timeline: [entry(now, long), ...kiosk.timeline],
      },
      width,
    );
    expect(lines.filter((line) => stringWidth(line) > width)).toEqual([]);
    expect(lines.join('').replaceAll(' ', '').split('x'.repeat(300))).toHaveLength(7);
  });

  it('leave out what there is nothing of', () => {
    const fine: Why = {
      subject: { kind: 'phone', name: 'Kiosk', udid: 'R58M1' },
      now: 'Kiosk is fine',
      findings: [],
      remedy: '',
      timeline: [],
    };
    expect(texts(fine)).toEqual([
      'Kiosk is fine',
      '',
      'Phone     R58M1',
      '',
      'What led to it',
      '  nothing is known of this time',
    ]);
    expect(texts({ ...fine, historyProblem: 'no answer within 10 s' }).at(-1)).toBe(
      '  not known: the history does not answer (no answer within 10 s)',
    );
  });

  it('say how sure, and admit what nobody knows', () => {
    const blamed = (changes: Partial<NonNullable<Why['blame']>>) =>
      texts({ ...kiosk, blame: { ...(kiosk.blame as NonNullable<Why['blame']>), ...changes } }).find((line) =>
        line.startsWith('To blame'),
      );
    expect(blamed({ party: 'adb', certainty: 'certain', because: 'x' })).toMatch(
      /certainly the adb server: x/,
    );
    expect(blamed({ party: 'port', certainty: 'possible', because: 'x' })).toMatch(
      /possibly the cable or the port: x/,
    );
    expect(blamed({ party: 'unknown', because: 'it went once' })).toMatch(/ not known: it went once/);
  });

  it('label a loss that is over: it says nothing of what is so now', () => {
    const of = (changes: Partial<Why>) => texts({ ...kiosk, ...changes })[4];
    expect(of({ condition: 'fine' })).toMatch(/^Last loss 09:12: likely the hub: 5 of 6 phones/);
    expect(of({ since: at(9, 40) })).toMatch(/^Last loss 09:12: /);
    const place = { subject: { kind: 'shelf', name: 's' }, lostName: 'Kiosk' } as const;
    const { condition: _, ...rest } = kiosk;
    const [now] = texts({ ...rest, ...place, now: 's: 9 fine, 1 no internet' }).filter((line) =>
      /^(?:To blame|Last loss)/.test(line),
    );
    expect(now).toMatch(/^Last loss 09:12: Kiosk, likely the hub: /);
  });

  it('list the phones of a place, and say whose each event is', () => {
    const shelf: Why = {
      subject: { kind: 'shelf', name: 'rack 2, shelf 3' },
      now: 'rack 2, shelf 3: 2 phones, 1 unplugged, 1 fine',
      since: at(9, 12),
      phones: [
        {
          ...{ udid: 'R58M1', name: 'Kiosk', slot: 'rack 2, shelf 3, bay 4' },
          ...{ condition: 'needsAttention', sign: 'unplugged', since: at(9, 12) },
        },
        { udid: 'N', name: 'Net', condition: 'fine', sign: '', since: at(8, 0, 20) },
      ],
      blame: kiosk.blame as NonNullable<Why['blame']>,
      ...{ lostAt: at(9, 12), lostName: 'Kiosk' },
      findings: [],
      remedy: 'Plug it in',
      timeline: [
        entry(at(9, 12), 'lost: adb no longer lists it', { udid: 'R58M1', name: 'Kiosk' }),
        entry(at(9, 0), 'note: new hub', { kind: 'note', slot: 'rack 2, shelf 3' }),
        entry(at(8, 0), 'the adb server answers again', { kind: 'adbBack' }),
        entry(at(7, 0), 'lost', { udid: 'GONE' }),
      ],
    };
    expect(texts(shelf, 80)).toEqual([
      'rack 2, shelf 3: 2 phones, 1 unplugged, 1 fine, since 09:12 (1 h)',
      '  → Plug it in',
      '',
      'To blame  likely the hub: 5 of 6 phones of hub 1-4 were lost in 2 s (Kiosk, lost',
      '          at 09:12)',
      '',
      'UDID   PLACE                   NAME   STATE      SINCE',
      'R58M1  rack 2, shelf 3, bay 4  Kiosk  unplugged  09:12',
      'N                              Net    fine       2026-11-20 08:00',
      '',
      'What led to it',
      'today',
      '  09:12  Kiosk: lost: adb no longer lists it',
      '  09:00  rack 2, shelf 3: note: new hub',
      '  08:00  the adb server answers again',
      '  07:00  GONE: lost',
    ]);
  });

  it('let no word of a phone or a person carry a style or a control', () => {
    const nasty = 'a\u001b[31mb\u202ec\nd';
    const lines = fitted(
      whyLines({ ...kiosk, now: nasty, remedy: nasty, timeline: [entry(now, nasty)] }, now),
    );
    expect(lines.map(textOf).join('')).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(lines.flatMap(spansOf).filter(({ text }) => text.includes('[31mb'))).toHaveLength(3);
  });
});
