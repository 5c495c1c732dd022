import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Finding, findingKey, type Severity } from '../../src/diagnosis/finding.ts';
import type { PhoneInput } from '../../src/diagnosis/rule-input.ts';
import { findingCodes } from '../../src/diagnosis/rules/index.ts';
import { GONE } from '../../src/report/message.ts';
import { FindingsBoard } from '../../src/status/findings-board.ts';
import { Lab, poco } from '../support/lab.ts';
import { keptLog, silentLog } from '../support/log.ts';
import { finding } from '../support/sample-finding.ts';

const STARTED = Date.UTC(2026, 10, 21);

const picture = (...udids: string[]) => ({
  phones: udids.map(
    (udid): PhoneInput => ({
      ...{ udid, serial: udid, name: `${udid}'s phone`, connection: 'usb', where: {} },
      ...{ attached: true, state: 'device', isInMaintenance: false },
    }),
  ),
});
const all = picture('A', 'B', 'C');

function watched() {
  const { log, lines } = keptLog();
  const changes: (readonly string[])[] = [];
  const board = new FindingsBoard(log, STARTED);
  board.onChange = (udids) => changes.push(udids);
  return { board, lines, changes };
}

const flapping = finding('FLAPPING');
const minor = finding('USB_SLOW', { severity: 'minor' });

describe('the log', () => {
  it('says once that a finding began, what to do, and that it ended', () => {
    const { board, lines } = watched();
    board.take([flapping], all);
    board.take([flapping], all);
    board.take([], all);
    expect(lines).toMatchObject([
      {
        level: 'warn',
        msg: 'finding began',
        code: 'FLAPPING',
        severity: 'major',
        certainty: 'certain',
        subject: 'phone A',
        remedy: 'Fix FLAPPING',
        since: new Date(flapping.since).toISOString(),
        udids: ['A'],
      },
      { level: 'info', msg: 'finding ended', code: 'FLAPPING' },
    ]);
  });

  it('keeps when a finding of the present alone was first found, until it is over', () => {
    const { board, changes } = watched();
    const at = (since: number, evidence: number[] = []) => finding('SCREEN_OFF', { since, evidence });
    board.take([at(STARTED + 1000)], all);
    board.take([at(STARTED + 61_000)], all);
    expect(board.current).toEqual([at(STARTED + 1000)]);
    expect(changes).toHaveLength(1);
    board.take([], all);
    board.take([at(STARTED + 181_000)], all);
    expect(board.current).toEqual([at(STARTED + 181_000)]);
    // events know it themselves
    board.take([at(STARTED + 241_000, [1])], all);
    expect(board.current).toEqual([at(STARTED + 241_000, [1])]);
  });

  it('has minor ones as information', () => {
    const { board, lines } = watched();
    board.take([minor], all);
    expect(lines).toMatchObject([{ level: 'info', msg: 'finding began' }]);
  });

  it('says of a finding from before the start that it goes on', () => {
    const { board, lines } = watched();
    board.take([finding('FLAPPING', { since: STARTED - 1 })], all);
    board.take([finding('FLAPPING', { since: STARTED - 1 }), { ...minor, since: STARTED - 1 }], all);
    expect(lines.map(({ msg, code }) => [msg, code])).toEqual([
      ['finding goes on', 'FLAPPING'],
      ['finding began', 'USB_SLOW'],
    ]);
  });
});

describe('what is kept', () => {
  it('is unknown before the first judgement', () => {
    const { board, changes } = watched();
    expect(board.current).toBeUndefined();
    board.take([], all);
    expect(board.current).toEqual([]);
    expect(changes).toEqual([[]]);
  });

  it('has nothing of phones that are forgotten or ignored, but for expected ones', () => {
    const { board } = watched();
    const gone = { kind: 'phone', key: 'GONE' } as const;
    const hub = finding('HUB_LOST', { subject: { kind: 'hub', key: '1-3' }, udids: ['A', 'GONE'] });
    board.take(
      [hub, finding('FLAPPING', { subject: gone }), finding('EXPECTED_MISSING', { subject: gone })],
      all,
    );
    expect(board.current?.map(({ code, udids }) => [code, udids])).toEqual([
      ['HUB_LOST', ['A']],
      ['EXPECTED_MISSING', []],
    ]);
  });
});

describe('the remark of a phone', () => {
  it('is that of its worst finding, and changes with it', () => {
    const { board, changes } = watched();
    board.take([minor], all);
    expect(board.remarkOf('A')).toEqual({ code: 'USB_SLOW', remedy: 'Fix USB_SLOW', explains: [] });
    board.take([flapping, minor], all);
    expect(board.remarkOf('A')).toMatchObject({
      ...{ code: 'FLAPPING', remedy: 'Fix FLAPPING' },
      explains: ['unplugged', 'state', 'silent'],
    });
    board.take([flapping], all);
    board.take([], all);
    expect(board.remarkOf('A')).toEqual({});
    expect(changes).toEqual([['A'], ['A'], [], ['A']]);
  });

  it('says nothing of the host or the room', () => {
    const { board } = watched();
    board.take([finding('ROOM_WARM', { subject: { kind: 'room' }, udids: ['A', 'B'] })], all);
    expect(board.remarkOf('A')).toEqual({});
  });
});

describe('a report', () => {
  it('follows a finding that begins, and one that ends', async () => {
    await using lab = await Lab.open();
    lab.adb.plug(poco());
    const findings = new FindingsBoard(silentLog);
    const agent = await lab.running({ carried: { findings } });
    const said = (message: string) => lab.until(() => lab.stored('POCO')?.message === message);
    await said('');
    const ofPoco = finding('USB_SLOW', { severity: 'minor', subject: { kind: 'phone', key: 'POCO' } });
    findings.take([ofPoco], picture('POCO'));
    await said('Fix USB_SLOW (USB_SLOW)');
    expect(agent.state.phones[0]?.remedy).toBe('');
    findings.take([], picture('POCO'));
    await said('');
  });

  it('of a lost phone comes at once, and again when it is known why', async () => {
    await using lab = await Lab.open();
    lab.adb.plug(poco());
    const findings = new FindingsBoard(silentLog);
    await lab.running({ carried: { findings } });
    lab.adb.setState('POCO', 'offline');
    await lab.untilState('POCO', 'offline');
    expect(lab.stored('POCO')?.message).toMatch(/^The phone does not answer/);
    findings.take(
      [finding('HUB_LOST', { subject: { kind: 'hub', key: '1' }, udids: ['POCO'] })],
      picture('POCO'),
    );
    await lab.until(() => lab.stored('POCO')?.message === 'Fix HUB_LOST (HUB_LOST)');
  });

  it('of a phone that is unplugged has the finding that was there before', async () => {
    await using lab = await Lab.open();
    lab.adb.plug(poco());
    const findings = new FindingsBoard(silentLog);
    await lab.running({ carried: { findings } });
    findings.take(
      [finding('BATTERY_WORN', { subject: { kind: 'phone', key: 'POCO' }, udids: ['POCO'] })],
      picture('POCO'),
    );
    await lab.until(() => lab.stored('POCO')?.message === 'Fix BATTERY_WORN (BATTERY_WORN)');
    lab.adb.unplug('POCO');
    await lab.untilState('POCO', 'disconnected');
    expect(lab.stored('POCO')?.message).toBe(`${GONE.usb} (BATTERY_WORN)`);
  });

  it('of an unplugged phone is not sent again: it may be at another host by now', async () => {
    await using lab = await Lab.open();
    lab.adb.plug(poco());
    const findings = new FindingsBoard(silentLog);
    const agent = await lab.running({ carried: { findings } });
    lab.adb.unplug('POCO');
    await lab.untilState('POCO', 'disconnected');
    findings.take(
      [finding('BATTERY_WORN', { subject: { kind: 'phone', key: 'POCO' }, udids: ['POCO'] })],
      picture('POCO'),
    );
    await agent.round();
    expect(lab.puts.at(-1)?.devices).toEqual([]);
    expect(lab.stored('POCO')?.message).toBe(GONE.usb);
  });
});

it('calls nobody where nothing has changed', () => {
  const { board, changes } = watched();
  board.take([flapping], all);
  board.take([finding('FLAPPING')], all);
  expect(changes).toHaveLength(1);
});

const someFinding = fc
  .record({
    code: fc.constantFrom(...findingCodes.slice(0, 5)),
    key: fc.constantFrom('A', 'B', 'C'),
    severity: fc.constantFrom<Severity>('critical', 'major', 'minor'),
    since: fc.integer({ min: 0, max: STARTED * 2 }),
  })
  .map(({ key, ...rest }): Finding => finding(rest.code, { ...rest, subject: { kind: 'phone', key } }));

/** As an evaluation has them: each once. */
const someFindings = fc.uniqueArray(someFinding, { maxLength: 8, selector: findingKey });

it('whatever is judged: each finding begins once before it ends, and ends once', () => {
  fc.assert(
    fc.property(fc.array(someFindings, { maxLength: 12 }), (judgements) => {
      const { board, lines } = watched();
      for (const findings of judgements) board.take(findings, all);
      const open = new Set<string>();
      for (const { msg, code, subject } of lines) {
        const key = `${code} ${subject}`;
        if (msg === 'finding ended') expect(open.delete(key)).toBe(true);
        else {
          expect(open.has(key)).toBe(false);
          open.add(key);
        }
      }
      expect([...open].sort()).toEqual((board.current ?? []).map(findingKey).sort());
    }),
  );
});
