import { describe, expect, it } from 'vitest';
import { type FaultsInput, faultsOf } from '../../../src/diagnosis/explain/faults.ts';
import type { Loss, LossCause } from '../../../src/diagnosis/losses/loss.ts';
import type { HistoryEvent, NewEvent } from '../../../src/history/events/event.ts';
import { stretchesOf } from '../../../src/history/store/uptime.ts';
import { phone } from '../../findings/told.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 23, 12);
const ago = (minutes: number) => NOW - minutes * MINUTE;
const own = { udid: 'A', where: {} };

/** By default of the hour before the last half hour. */
function faults(events: readonly NewEvent[], changes: Partial<FaultsInput> = {}) {
  const found: HistoryEvent[] = events.map((event, index) => ({ ...event, id: index + 1 }));
  return faultsOf({
    ...{ from: ago(90), to: ago(30), at: NOW, events: found, samples: [], phone: undefined },
    stretches: stretchesOf(found, NOW, { at: ago(600), state: 'device' }),
    ...changes,
  });
}

const detached: NewEvent = { kind: 'detached', ...own, at: ago(60) };
const attached: NewEvent = { kind: 'attached', state: 'device', ...own, at: ago(58) };
const because = (cause: LossCause, more: Partial<Loss> = {}): Pick<FaultsInput, 'lossOf'> => ({
  lossOf: () => ({ loss: { cause, medium: 'usb', ...more } as Loss, blamed: undefined }),
});

describe('a loss', () => {
  it('is one fault, whatever adb calls the phone until it is back', () => {
    const offline: NewEvent = { kind: 'state', state: 'offline', before: 'device', ...own, at: ago(61) };
    expect(faults([offline, detached, attached])).toEqual([
      {
        ...{
          kind: 'lost',
          at: ago(61),
          until: ago(58),
          certainty: 'certain',
          title: 'adb called it offline',
        },
        remedy: 'Run the test again; if the phone is lost again, hostnode why tells more',
        evidence: [1],
      },
    ]);
  });

  it.each<[string, LossCause, Partial<Loss>, string]>([
    ['somebody restarted it', { kind: 'restarted', isAsked: true }, {}, 'possible'],
    ['it was updated', { kind: 'restarted', isAsked: true }, { isUpdated: true }, 'certain'],
    ['it crashed', { kind: 'restarted', isAsked: false }, {}, 'certain'],
    ['adb root', { kind: 'mode' }, {}, 'possible'],
    ['a nightly test', { kind: 'daily' }, {}, 'possible'],
    ['a job ended it', { kind: 'gone', isOfJob: true }, {}, 'possible'],
    ['an emulator ended', { kind: 'gone' }, { medium: 'emulator' }, 'possible'],
    ['it came back alone', { kind: 'own' }, {}, 'certain'],
    ['somebody took it', { kind: 'away' }, {}, 'certain'],
  ])('because %s: %s', (_, cause, more, certainty) => {
    expect(faults([detached, attached], because(cause, more))).toMatchObject([{ certainty }]);
  });

  it('that lasts for long every day is no nightly test', () => {
    const late = { ...attached, at: ago(40) };
    expect(faults([detached, late], because({ kind: 'daily' }))).toMatchObject([{ certainty: 'certain' }]);
  });

  it('that ended before, or began after, is none', () => {
    for (const minutes of [100, 20]) {
      const events = [
        { ...detached, at: ago(minutes) },
        { ...attached, at: ago(minutes) + 1000 },
      ];
      expect(faults(events)).toEqual([]);
    }
  });
});

describe('a restart', () => {
  const rebooted = (reason?: string): NewEvent => ({
    ...{ kind: 'rebooted', uptimeSeconds: 60, ...own, at: ago(50) },
    ...(reason !== undefined && { reason }),
  });

  it.each([
    ['kernel_panic', 'certain'],
    [undefined, 'likely'],
    ['reboot,adb', 'possible'],
  ])('for the reason %s is the lab’s: %s', (reason, certainty) => {
    expect(faults([rebooted(reason)])).toMatchObject([
      { kind: 'restarted', at: ago(51), until: ago(50), certainty },
    ]);
  });

  it('that a loss tells of is not told twice', () => {
    const events = [detached, attached, { ...rebooted('kernel_panic'), at: ago(57) }];
    const found = faults(events, because({ kind: 'restarted', isAsked: false }, { reboot: { id: 3 } }));
    expect(found.map(({ kind }) => kind)).toEqual(['lost']);
  });

  it('into another Android is told', () => {
    const os: NewEvent = { kind: 'os', release: '15', before: '14', ...own, at: ago(50) };
    expect(faults([os])).toMatchObject([
      { kind: 'android', certainty: 'certain', title: 'updated: Android 15, before: 14' },
    ]);
  });
});

describe('adb, the host and people', () => {
  it('tells of an adb server that is lost or replaced', () => {
    const events: NewEvent[] = [
      { kind: 'adbLost', at: ago(80) },
      { kind: 'adbBack', at: ago(79) },
      { kind: 'adbReplaced', at: ago(70) },
      { kind: 'adbLost', at: ago(31) },
    ];
    expect(faults(events).map(({ kind, at, until }) => [kind, at, until])).toEqual([
      ['adb', ago(80), ago(79)],
      ['adb', ago(70), ago(70)],
      ['adb', ago(31), undefined],
    ]);
  });

  it('tells of a restart of the host, and not of one of the agent', () => {
    const started: NewEvent = { kind: 'agentStarted', version: '1', at: ago(50), lastAliveAt: ago(60) };
    expect(faults([{ ...started, hostBootedAt: ago(1000) }])).toEqual([]);
    expect(faults([{ ...started, hostBootedAt: ago(52) }])).toMatchObject([
      { kind: 'host', at: ago(60), until: ago(50), title: 'the host restarted' },
    ]);
  });

  it('tells of a maintenance until its end, by a person or by its time', () => {
    const begun = (until: number): NewEvent => ({
      kind: 'maintenance',
      reason: 'x',
      until,
      ...own,
      at: ago(100),
    });
    const endOf = (...events: NewEvent[]) => faults(events).map(({ kind, until }) => [kind, until]);
    expect(endOf(begun(ago(-10)))).toEqual([['maintenance', undefined]]);
    expect(endOf(begun(ago(60)))).toEqual([['maintenance', ago(60)]]);
    expect(endOf(begun(ago(95)))).toEqual([]);
    const ended: NewEvent = { kind: 'maintenanceEnded', ...own, at: ago(70) };
    expect(endOf(begun(ago(-10)), ended)).toEqual([['maintenance', ago(70)]]);
  });
});

describe('what hinders a test', () => {
  const hindered = (codes: string, minutes: number): NewEvent => ({
    ...{ kind: 'hindered', codes, ...own, at: ago(minutes) },
    ...(codes !== '' && { remedy: 'Do it' }),
  });

  it('is the lab’s where it was so before; a test itself may lock the screen', () => {
    expect(
      faults([hindered('screenLocked', 100), hindered('screenLocked,network', 60), hindered('', 50)]),
    ).toEqual([
      {
        ...{ kind: 'hindered', code: 'screenLocked', title: 'screen locked', certainty: 'certain' },
        ...{ at: ago(100), until: ago(50), remedy: 'Do it', evidence: [1] },
      },
      {
        ...{ kind: 'hindered', code: 'network', title: 'no internet', certainty: 'likely' },
        ...{ at: ago(60), until: ago(50), remedy: 'Do it', evidence: [2] },
      },
    ]);
    expect(faults([hindered('dialog', 60)])).toMatchObject([
      { title: 'dialog in front', certainty: 'possible' },
    ]);
    expect(faults([hindered('internet', 60)])).toMatchObject([
      { title: 'no internet', certainty: 'possible' },
    ]);
  });

  it.each(['network', 'internet'])('is no fault where a lab lives without internet: %s', (code) => {
    expect(faults([hindered(code, 90 + 1441)])).toMatchObject([{ certainty: 'possible' }]);
    expect(faults([hindered(code, 90 + 1439)])).toMatchObject([{ certainty: 'certain' }]);
  });

  it('says nothing of the future, though it lasts', () => {
    const future = { from: NOW + MINUTE, to: NOW + 2 * MINUTE };
    expect(faults([hindered('network', 100)], future)).toEqual([]);
    expect(faults([hindered('network', 100)], { ...future, from: NOW })).toHaveLength(1);
  });

  it('is told anew after a start', () => {
    const started: NewEvent = { kind: 'agentStarted', version: '1', at: ago(95) };
    expect(faults([hindered('dialog', 100), started])).toEqual([]);
  });

  it('is internet that the phone still has not, also after a start, which does not know who had it before', () => {
    const started: NewEvent = { kind: 'agentStarted', version: '1', at: ago(95) };
    const told = [hindered('internet', 100), started, hindered('dialog', 92)];
    const ofInternet = (network: string, ...more: NewEvent[]) =>
      faults([...told, ...more], { phone: { ...phone('A', own.where), network } }).flatMap(({ code, at }) =>
        code === 'internet' ? at : [],
      );
    expect(ofInternet('UNREACHABLE')).toEqual([ago(100)]);
    expect(ofInternet('REACHABLE')).toEqual([]);
    expect(ofInternet('UNREACHABLE', hindered('', 91), hindered('internet', 80))).toEqual([ago(80)]);
  });
});

describe('readings', () => {
  const at = (minutes: number, readings: object) => ({ at: ago(minutes), ...readings });
  const told = (...samples: { at: number }[]) =>
    faults([], { samples }).map(({ kind, title, certainty, at, until }) => [
      kind,
      title,
      certainty,
      at,
      until,
    ]);

  it('tell of heat, from the first to the next that is not', () => {
    const [hot, warm] = [{ temperatureDecicelsius: 461 }, { temperatureDecicelsius: 449 }];
    expect(told(at(70, warm), at(65, hot), at(60, { temperatureDecicelsius: 472 }), at(55, warm))).toEqual([
      ['heat', 'its battery was at 47 °C', 'likely', ago(65), ago(55)],
    ]);
    expect(told(at(95, hot), at(85, hot), at(80, warm))[0]?.[2]).toBe('certain');
    expect(told(at(95, hot), at(85, warm))[0]?.[2]).toBe('possible');
    // the worst of the five minutes in which the time begins may lie in it
    expect(told(at(94, hot), at(85, warm))[0]?.[2]).toBe('likely');
    expect(told(at(200, hot))).toEqual([]);
    expect(told(at(10, hot))).toEqual([]);
  });

  it('tell of a battery that is nearly empty', () => {
    expect(
      told(
        at(60, { levelPercent: 15 }),
        at(55, { levelPercent: 9 }),
        at(50, {}),
        at(45, { levelPercent: 16 }),
      ),
    ).toEqual([['battery', 'its battery was at 9 %', 'likely', ago(60), ago(45)]]);
  });

  it('tell of storage that is full, where its size is known', () => {
    const samples = [at(60, { storageUsedBytes: 96 })];
    expect(faults([], { samples })).toEqual([]);
    const phone = { storage: { totalBytes: 100 } } as FaultsInput['phone'];
    expect(faults([], { samples, phone })).toMatchObject([
      { kind: 'storage', title: 'its storage was 96 % full' },
    ]);
  });
});
