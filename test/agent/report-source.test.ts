import { describe, expect, it, vi } from 'vitest';
import type { AdbHealth } from '../../src/agent/adb-health.ts';
import { ReportSource } from '../../src/agent/report-source.ts';
import type { Facts } from '../../src/facts/index.ts';
import { Roster } from '../../src/roster/roster.ts';
import { keptLog } from '../support/log.ts';
import { reportOf } from '../support/manual-host.ts';

const listed = (serial: string, devpath: string, transportId: number) => ({
  serial,
  state: 'device',
  devpath,
  transportId,
});
const [first, second] = [listed('FIRST', '1-1', 1), listed('SECOND', '1-2', 2)];

/** A report's source over a real roster with two phones, whose facts and whose adb can be changed. */
function scene() {
  const roster = new Roster({ nodeId: 'host', offlineNetworkMs: 0 });
  roster.observe([first, second], 1_000);
  const facts: Record<string, Facts> = {};
  const adbHealth: { state: AdbHealth['state'] } = { state: 'listed' };
  const probePool = { facts: (udid: string) => facts[udid] ?? {}, isSilent: () => false } as never;
  const hostReport = reportOf({ roster, phones: probePool });
  const { log, lines } = keptLog();
  const source = new ReportSource({ roster, probePool, hostReport, adbHealth, log });
  return { roster, facts, adbHealth, lines, source };
}

const udids = (devices: readonly { udid: string }[] | undefined) => devices?.map(({ udid }) => udid);

describe('a phone', () => {
  it('has changed until it is reported, and again when it answers for the first time', () => {
    const { facts, source } = scene();
    expect([source.noteChange('FIRST'), source.noteChange('FIRST')]).toEqual([true, false]);
    facts.FIRST = { battery: { levelPercent: 50 } } as Facts;
    expect(source.noteChange('FIRST')).toBe(true);
    facts.FIRST = { battery: { levelPercent: 49 } } as Facts;
    expect(source.noteChange('FIRST')).toBe(false);
  });

  it('that nobody knows has not changed', () => {
    expect(scene().source.noteChange('NOBODY')).toBe(false);
  });

  it('is logged once as it comes, and once as it goes', () => {
    const { roster, lines, source } = scene();
    source.prepare();
    source.prepare();
    roster.observe([second], 2_000);
    source.prepare();
    expect(lines.map(({ udid }) => udid)).toEqual(['FIRST', 'SECOND', 'FIRST']);
  });

  it('has changed again once it was forgotten', () => {
    const { source } = scene();
    source.prepare();
    expect(source.noteChange('FIRST')).toBe(false);
    source.forget('FIRST');
    expect(source.noteChange('FIRST')).toBe(true);
  });
});

describe('a report', () => {
  it('has all phones, or those that are named', () => {
    const { source } = scene();
    expect(udids(source.prepare())).toEqual(['FIRST', 'SECOND']);
    expect(udids(source.prepare(new Set(['SECOND'])))).toEqual(['SECOND']);
  });

  it('has no list of phones while adb cannot be reached, and none of them has changed', () => {
    const { adbHealth, source } = scene();
    adbHealth.state = 'unreachable';
    expect(source.prepare()).toBeUndefined();
    expect(source.noteChange('FIRST')).toBe(false);
  });

  it('lets the roster know which phones are on their way', () => {
    const { roster, source } = scene();
    const announced = vi.spyOn(roster.phones, 'announced');
    source.prepare(new Set(['SECOND']));
    expect(announced).toHaveBeenCalledWith(['SECOND']);
  });
});
