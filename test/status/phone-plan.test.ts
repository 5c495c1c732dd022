import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StateUnwritableError } from '../../src/host/state-errors.ts';
import { PhonePlan } from '../../src/status/phone-plan.ts';
import { keptLog, type LogLine } from '../support/log.ts';
import { makeUnreadable } from '../support/unreadable.ts';

const HOUR_MS = 3_600_000;

let dir: string;
let lines: LogLine[];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hostnode-maintenance-'));
  lines = [];
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const read = (from = dir, before?: PhonePlan) =>
  PhonePlan.read('maintenance', from, keptLog('info', (line) => lines.push(line)).log, before);

describe('a plan for phones', () => {
  it('lasts until its end, also over a restart', async () => {
    const plan = await read();
    const now = Date.now();
    const soon = { until: now + HOUR_MS, reason: 'new battery' };
    const late = { until: now + 2 * HOUR_MS, reason: 'new screen' };
    await Promise.all([plan.begin(['B'], late), plan.begin(['A'], soon)]);
    const later = await read();
    expect(later.list()).toEqual([
      { udid: 'A', ...soon },
      { udid: 'B', ...late },
    ]);
    expect([later.of('A'), later.of('C')]).toEqual([soon, undefined]);
    expect(later.of('A', now + HOUR_MS)).toBeUndefined();
    expect(later.list(now + HOUR_MS)).toEqual([{ udid: 'B', ...late }]);
  });

  it('can be ended, once', async () => {
    const plan = await read();
    await plan.begin(['A'], { until: Date.now() + HOUR_MS, reason: 'x' });
    expect([await plan.end(['A']), await plan.end(['A'])]).toEqual([['A'], []]);
    expect((await read()).list()).toEqual([]);
    expect(lines.map(({ msg }) => msg)).toEqual(['maintenance', 'maintenance ended']);
  });

  it('drops what is over from its file', async () => {
    const plan = await read();
    await plan.begin(['OLD'], { until: Date.now() - 1, reason: 'x' });
    await plan.begin(['NEW'], { until: Date.now() + HOUR_MS, reason: 'x' });
    expect(await readFile(join(dir, 'maintenance.json'), 'utf8')).not.toContain('OLD');
    expect(await plan.end(['OLD'])).toEqual([]);
  });

  describe('on a host whose clock is wrong', () => {
    const right = Date.parse('2026-11-22T12:00:00Z');
    const clockSays = (now: number) => vi.setSystemTime(now);
    beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
    afterEach(() => void vi.useRealTimers());

    it.each(['1970-01-02', '2099-01-01'])('outlasts %s, also what is written meanwhile', async (wrong) => {
      clockSays(right);
      const plan = await read();
      await plan.begin(['A'], { until: right + HOUR_MS, reason: 'x' });
      clockSays(Date.parse(wrong));
      expect(plan.of('A')).toBeDefined();
      await plan.keep();
      clockSays(right + 1);
      for (const one of [plan, await read()])
        expect(one.list()).toEqual([{ udid: 'A', until: right + HOUR_MS, reason: 'x' }]);
      expect(plan.of('A', right + HOUR_MS)).toBeUndefined();
    });

    it.each(['1970-01-02', '2099-01-01'])(
      'that began in %s lasts as long by the right one',
      async (wrong) => {
        const then = Date.parse(wrong);
        clockSays(then);
        const plan = await read();
        await plan.begin(['A'], { until: then + HOUR_MS, reason: 'x' });
        expect([plan.of('A', then + 1), plan.of('A', then + HOUR_MS)]).toEqual([
          { until: then + HOUR_MS, reason: 'x' },
          undefined,
        ]);
        clockSays(right);
        for (const one of [plan, await read()]) {
          expect(one.of('A')).toEqual({ until: right + HOUR_MS, reason: 'x' });
          expect(one.of('A', right + HOUR_MS)).toBeUndefined();
        }
      },
    );
  });

  describe('says what changes', () => {
    const noon = Date.parse('2026-11-22T12:00:00Z');
    beforeEach(() => void vi.useFakeTimers({ now: noon, toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
    afterEach(() => void vi.useRealTimers());

    async function followed(): Promise<{ plan: PhonePlan; told: string[] }> {
      const plan = await read();
      const told: string[] = [];
      plan.onChange((udid, maintenance) => told.push(`${udid} ${maintenance?.reason ?? 'ended'}`));
      return { plan, told };
    }

    it('at its begin, when it becomes another one, and at its end by a person', async () => {
      const { plan, told } = await followed();
      const until = noon + HOUR_MS;
      await plan.begin(['A'], { until, reason: 'new battery' });
      await plan.begin(['A'], { until, reason: 'new battery' });
      await plan.begin(['A'], { until, reason: 'new screen' });
      await plan.end(['A']);
      expect(told).toEqual(['A new battery', 'A new screen', 'A ended']);
    });

    it('at its end by time, once, and of no other', async () => {
      const { plan, told } = await followed();
      await plan.begin(['A'], { until: noon + 60_000, reason: 'x' });
      await plan.begin(['B'], { until: noon + HOUR_MS, reason: 'y' });
      await vi.advanceTimersByTimeAsync(59_999);
      expect(told).toEqual(['A x', 'B y']);
      await vi.advanceTimersByTimeAsync(1);
      expect(told).toEqual(['A x', 'B y', 'A ended']);
      await vi.advanceTimersByTimeAsync(HOUR_MS);
      expect(told).toEqual(['A x', 'B y', 'A ended', 'B ended']);
      await plan.keep(); // after what it writes by itself
    });

    it('soon after somebody sets the clock past its end', async () => {
      const { plan, told } = await followed();
      await plan.begin(['A'], { until: noon + HOUR_MS, reason: 'x' });
      vi.setSystemTime(noon + 2 * HOUR_MS);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(told).toEqual(['A x', 'A ended']);
      await plan.keep();
    });

    it('at the next start where its time ended while nobody looked, and only at that one', async () => {
      await (await read()).begin(['A'], { until: noon + HOUR_MS, reason: 'x' });
      vi.setSystemTime(noon + 2 * HOUR_MS);
      const { plan, told } = await followed();
      expect(told).toEqual(['A ended']);
      await plan.keep();
      expect((await followed()).told).toEqual([]);
    });

    it('says nothing of what lasted before, nor after another plan took over', async () => {
      await (await read()).begin(['A'], { until: noon + HOUR_MS, reason: 'x' });
      const { plan, told } = await followed();
      const elsewhere = join(dir, 'elsewhere');
      await mkdir(elsewhere);
      await read(elsewhere, plan);
      await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
      expect(told).toEqual([]);
    });
  });

  it.each([
    '{"udid":""}',
    '{"udid":"A","until":8.65e15,"reason":"no calendar has this time"}',
    '{"udid":"A","until":8.6e15,"reason":"","wrongClockAt":-8.6e15}',
  ])('sets a file aside that is damaged, as by %s, and says so', async (phone) => {
    await writeFile(join(dir, 'maintenance.json'), `{"version":1,"phones":[${phone}]}`);
    expect((await read()).list()).toEqual([]);
    expect(JSON.stringify(lines)).toContain('is damaged');
    expect((await readdir(dir)).join()).toContain('maintenance.json.damaged-');
  });

  it('is written again where somebody has removed its file, and only where there was any', async () => {
    const plan = await read();
    await plan.keep();
    expect(await readdir(dir)).toEqual([]);
    await plan.begin(['A'], { until: Date.now() + HOUR_MS, reason: 'x' });
    await rm(join(dir, 'maintenance.json'));
    await plan.keep();
    expect((await read()).of('A')).toBeDefined();
  });

  it('is taken along into another directory, before what is found there', async () => {
    const until = Date.now() + HOUR_MS;
    const other = join(dir, 'other');
    await mkdir(other);
    const theirs = await read(other);
    await theirs.begin(['A'], { until, reason: 'theirs' });
    await theirs.begin(['B'], { until, reason: 'theirs' });
    const ours = await read();
    await ours.begin(['A'], { until, reason: 'ours' });
    const plan = await read(other, ours);
    expect(plan.list().map(({ udid, reason }) => `${udid} ${reason}`)).toEqual(['A ours', 'B theirs']);
    await plan.keep();
    expect((await read(other)).of('A')?.reason).toBe('ours');
  });

  it('counts on a disk that takes nothing, says so, and is written once that takes something', async () => {
    const later = join(dir, 'later');
    const plan = await read(later);
    const begun = plan.begin(['A'], { until: Date.now() + HOUR_MS, reason: 'x' });
    await expect(begun).rejects.toThrow(StateUnwritableError);
    expect(plan.of('A')).toBeDefined();
    await plan.catchUp();
    expect(lines.filter(({ level }) => level === 'error').map(({ msg }) => msg)).toEqual([
      'the maintenance of phones is not written: a restart would end it',
    ]);
    await mkdir(later);
    await plan.catchUp();
    expect((await read(later)).of('A')).toBeDefined();
  });

  it('that cannot be read is not written over, and joins what has come meanwhile', async () => {
    const until = Date.now() + HOUR_MS;
    const before = await read();
    for (const udid of ['A', 'B', 'C']) await before.begin([udid], { until, reason: 'before' });
    const mend = await makeUnreadable(join(dir, 'maintenance.json'));
    const plan = await read();
    await expect(plan.begin(['A'], { until, reason: 'since' })).rejects.toThrow('could not be read yet');
    expect([plan.of('A')?.reason, await plan.end(['B'])]).toEqual(['since', []]);
    await plan.keep();
    await plan.catchUp();
    await mend();
    await plan.catchUp();
    await plan.catchUp();
    for (const found of [plan, await read()]) {
      expect(
        found
          .list()
          .map(({ udid, reason }) => `${udid} ${reason}`)
          .toSorted(),
      ).toEqual(['A since', 'C before']);
    }
    const said = lines.map(({ msg }) => msg).filter((msg) => msg.includes('read'));
    expect(said).toEqual([expect.stringContaining('cannot be read (EIO'), 'a state file can be read again']);
  });
});
