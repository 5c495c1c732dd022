import pino from 'pino';
import { describe, expect, it, vi } from 'vitest';
import type { AdbHealth } from '../../src/agent/adb-health.ts';
import { ReportSource } from '../../src/agent/report-source.ts';
import type { Facts } from '../../src/facts/index.ts';
import { HostReport } from '../../src/report/host-report.ts';
import { Roster } from '../../src/roster/roster.ts';

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
  const hostReport = new HostReport({
    roster,
    phones: probePool,
    rules: [],
    adbHost: 'localhost',
    adbPort: 5037,
  });
  const lines: { msg: string; udid: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const source = new ReportSource({ roster, probePool, hostReport, adbHealth, log });
  return { roster, facts, adbHealth, lines, source };
}

const udids = (devices: readonly { udid: string }[] | undefined) => devices?.map(({ udid }) => udid);

describe('a phone', () => {
  it('is news until it is reported, and again when it says something for the first time', () => {
    const { facts, source } = scene();
    expect([source.isNews('FIRST'), source.isNews('FIRST')]).toEqual([true, false]);
    facts.FIRST = { battery: { levelPercent: 50 } } as Facts;
    expect(source.isNews('FIRST')).toBe(true);
    facts.FIRST = { battery: { levelPercent: 49 } } as Facts;
    expect(source.isNews('FIRST')).toBe(false);
  });

  it('that nobody knows is no news', () => {
    expect(scene().source.isNews('NOBODY')).toBe(false);
  });

  it('is logged once as it comes, and once as it goes', () => {
    const { roster, lines, source } = scene();
    source.announce();
    source.announce();
    roster.observe([second], 2_000);
    source.announce();
    expect(lines.map(({ udid }) => udid)).toEqual(['FIRST', 'SECOND', 'FIRST']);
  });

  it('is news again once it was forgotten', () => {
    const { source } = scene();
    source.announce();
    expect(source.isNews('FIRST')).toBe(false);
    source.forget('FIRST');
    expect(source.isNews('FIRST')).toBe(true);
  });
});

describe('a report', () => {
  it('has all phones, or those that are named', () => {
    const { source } = scene();
    expect(udids(source.announce())).toEqual(['FIRST', 'SECOND']);
    expect(udids(source.announce(new Set(['SECOND'])))).toEqual(['SECOND']);
    expect(source.knownUdids).toEqual(new Set(['FIRST', 'SECOND']));
  });

  it('has no list of phones while adb cannot be asked, and none of them is news', () => {
    const { adbHealth, source } = scene();
    adbHealth.state = 'lost';
    expect(source.announce()).toBeUndefined();
    expect(source.isNews('FIRST')).toBe(false);
  });

  it('has the roster know which phones are on their way', () => {
    const { roster, source } = scene();
    const announced = vi.spyOn(roster, 'announced');
    source.announce(new Set(['SECOND']));
    expect(announced).toHaveBeenCalledWith(['SECOND']);
  });
});

describe('an answer of the cloud', () => {
  it('is written down: what is stored, and what was refused', () => {
    const { roster, source } = scene();
    const [stored, refused] = [vi.spyOn(roster, 'stored'), vi.spyOn(roster, 'refused')];
    const devices = source.announce() ?? [];
    source.settled(devices, new Set(['SECOND']));
    expect(stored.mock.calls.map(([infos]) => udids([...infos]))).toEqual([['FIRST']]);
    expect(refused).toHaveBeenCalledWith(new Set(['SECOND']));
  });

  it('has a phone that the roster has forgotten meanwhile begin anew', () => {
    const { roster, source } = scene();
    const devices = source.announce() ?? [];
    vi.spyOn(roster, 'get').mockReturnValue(undefined);
    source.settled(devices, new Set());
    vi.restoreAllMocks();
    expect(source.isNews('FIRST')).toBe(true);
  });
});
