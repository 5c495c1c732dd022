import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/base/styled-text.ts';
import { type AskedHost, hostsLines, readAnswer } from '../../src/cli/hosts.ts';

const now = Date.UTC(2026, 10, 23, 9);

const statusOf = (name: string, more: object = {}) => ({
  takenAt: now,
  host: { name, version: '0.2.0', nodeId: name, startedAt: 0 },
  adb: { state: 'listed' },
  reports: { storedAt: now - 12_000 },
  counts: { phones: 40, fine: 38, needsAttention: 2, maintenance: 0, unknown: 0 },
  causes: [],
  notices: [],
  bands: [],
  phones: [{ udid: 'A', serial: 'R58M1', name: 'Pixel 7', slot: 'rack 2, shelf 3, bay 1' }],
  ...more,
});

const cause = (severity: 'critical' | 'major', title = `${severity} trouble`) => ({
  ...{
    key: title,
    kind: 'finding',
    code: 'HUB_LOST',
    severity,
    certainty: 'likely' as const,
    subject: 'hub' as const,
  },
  ...{ title, remedy: `Fix ${title}`, since: now - 180_000, udids: ['A'], command: 'rm -rf /' },
});

const read = (body: unknown, status = 200, hasPassword = false) =>
  readAnswer(
    { status, text: typeof body === 'string' ? body : JSON.stringify(body), isWhole: true },
    hasPassword,
  );

const host = (name: string, more?: object): AskedHost => ({
  ...{ name, origin: `http://${name}:9477` },
  ...read(statusOf(name, more)),
});

const dead = (name: string): AskedHost => ({
  ...{ name, origin: `http://${name}:9477` },
  failure: {
    kind: 'unreachable',
    seen: 'nothing listens there (ECONNREFUSED)',
    remedy: 'Check the firewall',
  },
});

const linesOf = (hosts: AskedHost[], layout = {}): string[] =>
  hostsLines(hosts, { width: 80, ...layout }).map(textOf);

describe('the answer of another host', () => {
  it('is read as far as it is shown, whatever else is in it', () => {
    const { status } = read(statusOf('rack-1', { causes: [cause('major')], news: [1] }));
    expect(status).toMatchObject({ host: { name: 'rack-1', version: '0.2.0' }, counts: { phones: 40 } });
    expect(JSON.stringify(status)).not.toMatch(/news|rm -rf/);
  });

  it.each<[string, unknown, number, string, RegExp]>([
    ['another service', '<!doctype html>', 200, 'notHostnode', /^not hostnode$/],
    ['other JSON', [1], 200, 'notHostnode', /^not hostnode$/],
    ['deep JSON', '['.repeat(100_000) + ']'.repeat(100_000), 200, 'notHostnode', /^not hostnode$/],
    ['another path', {}, 404, 'notHostnode', /^HTTP 404$/],
    ['a redirect', '', 302, 'notHostnode', /^HTTP 302$/],
    ['another version', statusOf('x', { counts: 7 }), 200, 'otherVersion', /^version 0\.2\.0$/],
    ['a time that is none', statusOf('x', { takenAt: 1e300 }), 200, 'otherVersion', /^version/],
    ['another name', {}, 421, 'refused', /^does not know its name$/],
    ['a start', {}, 503, 'refused', /^its agent is starting$/],
    ['wrong passwords', {}, 429, 'refused', /^too many wrong passwords$/],
    ['a password', {}, 401, 'unauthorized', /^needs its password$/],
  ])('may be that of %s', (_, body, status, kind, words) => {
    const { failure } = read(body, status);
    expect(failure?.kind).toBe(kind);
    expect(failure?.seen).toMatch(words);
  });

  it('may refuse the password, or be too large', () => {
    expect(read({}, 401, true).failure?.seen).toBe('wrong password');
    const text = JSON.stringify(statusOf('x'));
    expect(readAnswer({ status: 200, text, isWhole: false }, false).failure?.kind).toBe('tooLarge');
  });

  it('has harmless words, however it lies', () => {
    const evil = `\u001b]0;x\u0007\u202e${'x'.repeat(3000)}\n`;
    const { status } = read(
      statusOf('x', {
        host: { name: evil, version: evil },
        causes: [{ ...cause('major'), title: evil, remedy: evil }],
        phones: [{ udid: 'A', serial: evil, name: evil, slot: evil }],
      }),
    );
    const lines = linesOf([{ name: 'x', origin: 'http://x:9477', ...(status && { status }) }]);
    expect(lines.join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });
});

describe('several hosts on one screen', () => {
  it('are a row each, and one list of what needs attention, trouble first', () => {
    const hosts = [
      host('rack-1', { causes: [cause('major')] }),
      host('rack-2'),
      host('rack-3', { causes: [cause('critical'), { ...cause('major', 'room'), subject: 'room' }] }),
      dead('rack-4'),
    ];
    expect(linesOf(hosts)).toEqual([
      'HOST    STATE                                 PHONES  NEED ATTENTION  REPORTED',
      'rack-1  1 problem                                 40  2               12 s ago',
      'rack-2  fine                                      40  2               12 s ago',
      'rack-3  2 problems                                40  2               12 s ago',
      'rack-4  nothing listens there (ECONNREFUSED)',
      '',
      'Needs attention',
      ' ! rack-4: nothing listens there (ECONNREFUSED)  (http://rack-4:9477)',
      '   → Check the firewall',
      ' ! rack-3: room  (HUB_LOST, likely, for 3 min)',
      '     rack 2, shelf 3: bay 1 (R58M1)',
      '   → Fix room',
      ' ! rack-3: critical trouble  (HUB_LOST, likely, for 3 min)',
      '     rack 2, shelf 3: bay 1 (R58M1)',
      '   → Fix critical trouble',
      ' ! rack-1: major trouble  (HUB_LOST, likely, for 3 min)',
      '     rack 2, shelf 3: bay 1 (R58M1)',
      '   → Fix major trouble',
    ]);
  });

  it('take no longer than the screen is for a host with ten thousand problems', () => {
    const causes = Array.from({ length: 10_000 }, (_, index) => cause('major', `trouble ${index}`));
    const lines = linesOf([host('rack-1', { causes })], { rows: 24 });
    expect(lines.length).toBeLessThanOrEqual(23);
    expect(lines.at(-1)).toMatch(/^… 99\d\d more problems$/);
  });

  it('describe nothing that the screen does not show: the texts of a host that lies cost seconds', () => {
    let described = 0;
    const causes = Array.from({ length: 10_000 }, () => ({
      ...cause('major'),
      get title() {
        described += 1;
        return 'trouble';
      },
    }));
    const lying = (name: string, count: number): AskedHost => {
      const asked = host(name);
      return {
        ...asked,
        ...(asked.status && { status: { ...asked.status, causes: causes.slice(0, count) } }),
      };
    };
    expect(linesOf([lying('rack-1', 10_000)], { rows: 24 }).at(-1)).toMatch(/^… 99\d\d more problems$/);
    expect(described).toBeLessThan(24);
    // not even where there is no screen: nobody reads the rest
    expect(linesOf([lying('rack-1', 10_000)]).at(-1)).toBe('… 9800 more problems');
    expect(linesOf([lying('rack-1', 150), lying('rack-2', 150)]).join('\n')).not.toContain('more');
  });

  it('say that nothing is wrong', () => {
    expect(linesOf([host('rack-1')]).at(-1)).toBe('Nothing needs attention');
  });

  it.each([0, 1, 12])('fit 80 × 24 by the dozen, of which %i are dead', (count) => {
    const names = Array.from({ length: 12 }, (_, index) => `rack-${index + 1}.lab.example.com`);
    const causes = Array.from({ length: 9 }, (_, index) => cause('major', `trouble ${index}`));
    const hosts = names.map((name, index) => (index < count ? dead(name) : host(name, { causes })));
    const lines = linesOf(hosts, { rows: 24 });
    expect(lines.length).toBeLessThanOrEqual(23);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    for (const name of names) expect(lines.slice(1, 13).join('\n')).toContain(name.slice(0, 5));
    expect(lines.at(-1)).toMatch(/^… \d+ more problems$/);
  });
});
