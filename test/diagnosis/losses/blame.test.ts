import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../src/diagnosis/evaluate.ts';
import { newestBlamesOf } from '../../../src/diagnosis/losses/blame.ts';
import { batteryDraining } from '../../../src/diagnosis/rules/battery.ts';
import { blamesOf } from '../../findings/blames.ts';
import { at, contextOf, DAYS, HOURS, lost, phone, START, shelf } from '../../findings/told.ts';
import { device } from '../../findings/usb-bench-host.ts';

const hubLost = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].flatMap((udid, index) =>
  lost(1000 + index * 0.2, udid, at(String(index + 1)), 30),
);

/** What USB showed after a loss. */
const usb = (
  second: number,
  udid: string,
  gone: 'nothing' | 'phone' | 'hub' | 'controller',
  more: { hub?: string; overCurrents?: number; interfaces?: string; interfacesBefore?: string } = {},
): [number, Parameters<typeof contextOf>[1][number][1]] => [second, { kind: 'usb', gone, udid, ...more }];

const blameOfFirst = (told: Parameters<typeof contextOf>[1]) =>
  [...blamesOf(contextOf(100_000, told, shelf)).values()][0];

it('nobody is blamed for what was gone when hostnode went on after it had stood still', () => {
  const paused = [990, { kind: 'agentPaused', forMs: 60_000 }] satisfies Parameters<
    typeof contextOf
  >[1][number];
  expect(blameOfFirst([paused, ...lost(1000, 'A', at('1'), 400), usb(1002, 'A', 'hub')])).toMatchObject({
    party: 'unknown',
    because: 'it was lost while hostnode stood still',
  });
});

it('a host that has just woken up loses phones, whatever USB shows', () => {
  const woken = [990, { kind: 'hostSlept', forMs: 60_000 }] satisfies Parameters<typeof contextOf>[1][number];
  expect(blameOfFirst([woken, ...lost(1000, 'A', at('1'), 4), usb(1002, 'A', 'phone')])).toEqual({
    party: 'host',
    certainty: 'likely',
    because: 'the host had just woken up',
    evidence: [1, 2, 3],
  });
});

it('a host whose sleep is noticed just after the loss is blamed too: the kernel counts a short one late', () => {
  const woken = [1002, { kind: 'hostSlept', forMs: 0 }] satisfies Parameters<typeof contextOf>[1][number];
  expect(blameOfFirst([...lost(1000, 'A', at('1'), 1), usb(1001, 'A', 'nothing'), woken])).toMatchObject({
    party: 'host',
    because: 'the host had just woken up',
  });
});

describe('what USB showed decides on', () => {
  const adbBack = { kind: 'adbBack' } as const;

  it('adb, where it still shows the phone; of some seconds possibly, as the phone may restart its debugging', () => {
    for (const [awaySeconds, certainty] of [
      [20, 'possible'],
      [8 * HOURS, 'likely'],
    ] as const)
      expect(blameOfFirst([...lost(1000, 'A', at('1'), awaySeconds), usb(1002, 'A', 'nothing')])).toEqual({
        party: 'adb',
        certainty,
        because: 'USB still showed the phone: adb lost it',
        evidence: [1, 2],
      });
  });

  it('no hub, where all phones of a hub went offline and stayed on USB', () => {
    const told = ['A', 'B', 'C', 'D'].flatMap((udid, index): Parameters<typeof contextOf>[1] => {
      const state = { kind: 'state', state: 'offline', before: 'device', udid, where: at(`${index + 1}`) };
      return [[1000 + index / 10, state as never], usb(1003, udid, 'nothing')];
    });
    expect(blameOfFirst(told)).toMatchObject({ party: 'phone', certainty: 'possible' });
  });

  it('the phone, where it went offline alone and USB still shows it', () => {
    const state = { kind: 'state', state: 'offline', before: 'device', udid: 'A', where: at('1') } as const;
    expect(blameOfFirst([[1000, state], usb(1002, 'A', 'nothing')])).toMatchObject({
      party: 'phone',
      key: 'A',
    });
  });

  it('the hub, where that left USB: with one phone, at the start of the agent, or with phones that restart', () => {
    const left = usb(1002, 'A', 'hub', { hub: '1-4' });
    const hub = { party: 'hub', key: '1-4', because: 'hub 1-4 left USB, with 1 phone' };
    expect(blameOfFirst([...lost(1000, 'A', at('1'), 30), left])).toMatchObject(hub);
    expect(
      blameOfFirst([[990, { kind: 'agentStarted', version: '1' }], ...lost(1000, 'A', at('1'), 30), left]),
    ).toMatchObject(hub);
    const reboot = { kind: 'rebooted', uptimeSeconds: 20, udid: 'A', where: at('1') } as const;
    expect(blameOfFirst([...lost(1000, 'A', at('1'), 30), left, [1040, reboot]])).toMatchObject(hub);
  });

  it('the upper one of two hubs, for all phones that went at once', () => {
    const told = ['1.1', '1.2', '2'].flatMap((port, index) => [
      ...lost(1000 + index / 10, `P${index}`, at(port), 30),
      usb(1003, `P${index}`, 'hub', { hub: index === 1 ? '1-4' : '1-4.1' }),
    ]);
    const blames = [...blamesOf(contextOf(2000, told, [])).values()];
    expect(blames.map(({ party, key }) => `${party} ${key}`)).toEqual(Array(3).fill('hub 1-4'));
  });

  it('the host, where the controller left', () => {
    const told = [...lost(1000, 'A', at('1')), usb(1002, 'A', 'controller')];
    expect(blameOfFirst(told)).toMatchObject({ party: 'host', certainty: 'certain' });
  });

  it('the port, where that cut the power, even where people are there', () => {
    const told = [...lost(1000, 'A', at('1'), 4000), usb(1002, 'A', 'phone', { overCurrents: 1 })];
    expect(blameOfFirst(told)).toMatchObject({ party: 'port', key: '1-4.1', certainty: 'certain' });
  });

  it('with what it showed beside that, where it leads to another remedy', () => {
    const signOf = (...more: Parameters<typeof contextOf>[1]) =>
      newestBlamesOf(contextOf(100_000, [...lost(1000, 'A', at('1'), 20), ...more], shelf), 9)?.[0]?.sign;
    const mode = { interfaces: '06/01/01', interfacesBefore: 'ff/42/01' };
    expect(signOf(usb(1002, 'A', 'phone', { overCurrents: 1 }))).toBe('overCurrent');
    expect(signOf(usb(1002, 'A', 'phone', mode))).toBe('mode');
    expect(signOf(usb(1002, 'A', 'phone'))).toBeUndefined();
    // 05:00 in Berlin
    const night = contextOf(100_000, lost(1000, 'A', at('1'), 8000), shelf);
    expect(newestBlamesOf(night, 9)?.[0]?.sign).toBe('unattended');
  });

  it('a change of its mode, where it was there again after USB had been read; not of one that was away for longer', () => {
    const kindAfter = (awaySeconds: number, interfaces = 'ff/42/01 06/01/01', later = interfaces) => {
      const read = usb(1001.5, 'A', 'phone', { interfacesBefore: 'ff/42/01' });
      const back = { kind: 'attached', state: 'device', udid: 'A', where: at('1'), interfaces } as const;
      const listedAnew = [5000, { ...back, interfaces: later }] as const;
      const told = [
        ...lost(1000, 'A', at('1')),
        read,
        [1000 + awaySeconds, back],
        [...listedAnew],
      ] satisfies Parameters<typeof contextOf>[1];
      return newestBlamesOf(contextOf(100_000, told, shelf), 9)?.[0]?.cause;
    };
    expect(kindAfter(4)).toBe('mode');
    expect(kindAfter(4, 'ff/42/01')).toBe('own');
    expect(kindAfter(4, 'ff/42/01', 'ff/42/01 06/01/01')).toBe('own');
    expect(kindAfter(40)).toBe('own');
  });

  it('the port, where the kernel could not read the phone', () => {
    const kernel = { kind: 'kernel', fault: 'descriptor', count: 8, where: at('1') } as const;
    const elsewhere = { ...kernel, where: at('2') };
    const told = lost(1000, 'A', at('1'), 4000);
    expect(blameOfFirst([...told, [1060, kernel]])).toEqual({
      party: 'port',
      key: '1-4.1',
      certainty: 'certain',
      because: 'the kernel: could not read the descriptor of what is plugged in, 8 times',
      evidence: [1, 2],
    });
    for (const other of [
      [1060, elsewhere],
      [1200, kernel],
      [1060, { ...kernel, fault: 'reset' }],
    ] as const)
      expect(blameOfFirst([...told, other as never])).toMatchObject({
        party: expect.not.stringMatching('port'),
      });
  });

  it('the port, where the phone restarted and the kernel could not read it for longer than any start takes', () => {
    const kernel = { kind: 'kernel', fault: 'enumerate', count: 1, where: at('1') } as const;
    const reboot = { kind: 'rebooted', uptimeSeconds: 4030, udid: 'A', where: at('1') } as const;
    const told = lost(1000, 'A', at('1'), 4000);
    expect(blameOfFirst([...told, [1023, kernel], [5030, reboot]])).toMatchObject({
      party: 'port',
      certainty: 'certain',
    });
    expect(blameOfFirst([...told, [5030, reboot]])).toMatchObject({ party: 'phone' });
  });

  it('the host possibly, where the kernel had just reset the phone, which a program had asked for, and could read it', () => {
    const reset = { kind: 'kernel', fault: 'reset', count: 2, where: at('1') } as const;
    const told = lost(1000, 'A', at('1'), 4);
    const byProgram = { party: 'host', certainty: 'possible' };
    // the agent writes several of a minute as one, once they are over, or before the phone goes
    expect(blameOfFirst([[920, reset], ...told])).toMatchObject({ party: 'unknown' });
    for (const second of [985, 999.5])
      expect(blamesOf(contextOf(2000, [[second, reset], ...told], shelf)).get(2)).toMatchObject(byProgram);
    const late = contextOf(2000, told, shelf);
    const event = { ...reset, at: START + 985_000, id: 3 };
    expect(blamesOf({ ...late, events: [...late.events, event] }).get(1)).toMatchObject(byProgram);
    const unread = { ...reset, fault: 'descriptor' } as const;
    const both = [[999, reset], ...told, [1010, unread]] as Parameters<typeof contextOf>[1];
    expect(blamesOf(contextOf(2000, both, shelf)).get(2)).toMatchObject({ party: 'port' });
  });

  it('the host, where the kernel wrote that the controller died, although USB still shows its root hub', () => {
    const port = 'pci-0000:00:14.0-usb-0:4.1';
    const died = { kind: 'kernel', fault: 'died', count: 1, controller: '0000:00:14.0' } as const;
    const told = [...lost(1000, 'A', { ...at('1'), usbPath: port }), usb(1002, 'A', 'phone')];
    expect(blameOfFirst([...told, [1010, died]])).toMatchObject({
      party: 'host',
      certainty: 'certain',
      evidence: [1, 3],
    });
    const other = { ...died, controller: '0000:00:15.0' } as const;
    expect(blameOfFirst([...told, [1010, other]])).toMatchObject({ party: 'unknown' });
  });

  it('a person possibly, where the phone is there in another USB mode', () => {
    const modes = { interfaces: '06/01/01', interfacesBefore: '06/01/01 ff/42/01' };
    const told = [...lost(1000, 'A', at('1')), usb(1002, 'A', 'phone', modes)];
    expect(blameOfFirst(told)).toMatchObject({ party: 'person', certainty: 'possible' });
  });

  it('the phone possibly, where it waits in its bootloader for half an hour: who flashes it does not let it wait', () => {
    const modes = { interfaces: 'ff/42/03', interfacesBefore: 'ff/42/01' };
    const blamed = (away: number) =>
      blameOfFirst([...lost(1000, 'A', at('1'), away), usb(1002, 'A', 'phone', modes)]);
    expect(blamed(1800)).toMatchObject({
      party: 'phone',
      certainty: 'possible',
      because:
        'it does not boot: it waits in its bootloader, or in the download mode of its chip, as after a crash',
    });
    expect(blamed(1799)).toMatchObject({ party: 'person' });
  });

  it('the phone possibly, where the download mode of a chip is at the port from which it was the last to go', () => {
    const chip = device('1-4.1', {
      vendorId: '05c6',
      productId: '9008',
      interfaces: [{ kind: 'ff/ff/ff', endpoints: 2 }],
    });
    const blamed = (told: Parameters<typeof contextOf>[1]) => {
      const gone = shelf.map((each) => ({ ...each, attached: false }));
      const context = contextOf(5000, told, gone);
      context.now.usb = { controllers: [], devices: [chip] };
      return [...blamesOf(context).values()].map(({ party }) => party);
    };
    const modes = { interfaces: 'ff/ff/ff', interfacesBefore: 'ff/42/01' };
    const died = [...lost(3000, 'B', at('1')), usb(3002, 'B', 'phone', modes)];
    expect(blamed(died)).toEqual(['phone']);
    expect(blamed([...lost(1000, 'A', at('1')), ...died])).toEqual(['unknown', 'phone']);
    expect(
      blamed([...died, [4000, { kind: 'attached', state: 'device', udid: 'A', where: at('1') }]]),
    ).toEqual(['person']);
  });

  it('the phone possibly, where its battery was empty, and it is in its bootloader since', () => {
    const told = (away?: number) => [
      ...lost(1000, 'A', at('1'), away),
      usb(1002, 'A', 'phone', { interfaces: 'ff/42/03', interfacesBefore: 'ff/42/01' }),
    ];
    const blamed = (levelPercent: number, away?: number) => {
      const samplesOf = () => [{ at: START + 900_000, levelPercent }];
      const phones = shelf.map((each) => ({ ...each, attached: away !== undefined }));
      const context = { ...contextOf(100_000, told(away), phones), samplesOf };
      const [finding] = evaluate([batteryDraining], context);
      return { ...[...blamesOf(context).values()][0], found: finding?.certainty };
    };
    expect(blamed(2)).toMatchObject({
      party: 'phone',
      certainty: 'possible',
      because: 'its battery was at 2 %: it ran empty',
      found: 'possible',
    });
    expect(blamed(60)?.because).toMatch('it waits in its bootloader');
    expect(blamed(2, 20)).toMatchObject({ party: 'person' });
  });

  it('the phone, where its battery fell so fast that it was empty at the loss', () => {
    const blamed = (levels: readonly number[]) => {
      const samplesOf = () =>
        levels.map((levelPercent, index) => ({
          at: START + (index - levels.length) * 600_000,
          levelPercent,
        }));
      return [...blamesOf({ ...contextOf(100_000, lost(240, 'A', at('1')), shelf), samplesOf }).values()][0];
    };
    expect(blamed([26, 17, 8])).toMatchObject({
      party: 'phone',
      because: 'its battery was at 8 %: it ran empty',
    });
    for (const levels of [[8], [3, 4, 8], [18, 17, 16]]) expect(blamed(levels)?.party).not.toBe('phone');
    // worn batteries give way so, and checks of a lab switch phones off
    expect(blamed([10, 9, 8])).toMatchObject({
      party: 'phone',
      certainty: 'possible',
      because: 'its battery was at 8 %, and fell',
    });
  });

  it('the mode of the phone, where it is back on USB without debugging while adb does not list it', () => {
    const blamed = (kind: string) => {
      const context = contextOf(100_000, lost(240, 'A', at('1')), shelf);
      const phones = context.now.phones.map((phone) =>
        phone.udid === 'A' ? { ...phone, serial: 'S1', attached: false } : phone,
      );
      const device = {
        port: '1-1',
        usbPath: at('1').usbPath,
        bus: 1,
        serial: 'S1',
        interfaces: [{ kind }],
      };
      const now = { ...context.now, phones, usb: { devices: [device], controllers: [] } };
      return [...blamesOf({ ...context, now } as never).values()][0];
    };
    expect(blamed('06/01/01')).toMatchObject({ party: 'person', certainty: 'possible' });
    expect(blamed('ff/42/03')).toMatchObject({
      party: 'phone',
      because: expect.stringContaining('bootloader'),
    });
    expect(blamed('ff/42/01')).toMatchObject({ party: 'unknown' });
  });

  it('nobody of adb, where the phone left USB while adb restarted', () => {
    const told = [[999, adbBack] as const, ...lost(1000, 'A', at('1'), 5), usb(1002, 'A', 'phone')];
    expect(blameOfFirst(told as never)).toMatchObject({ party: 'unknown' });
    expect(blameOfFirst(told.slice(0, -1) as never)).toMatchObject({ party: 'adb' });
  });

  it('the phone and not its port, where it hangs there again and again', () => {
    const hangs = [1, 2, 3, 4].flatMap((day): Parameters<typeof contextOf>[1] => {
      const state = { kind: 'state', state: 'offline', before: 'device', udid: 'A', where: at('1') } as const;
      const back = { kind: 'state', state: 'device', before: 'offline', udid: 'A', where: at('1') } as const;
      return [[day * DAYS, state], usb(day * DAYS + 2, 'A', 'nothing'), [day * DAYS + 60, back]];
    });
    const context = contextOf(5 * DAYS, hangs, shelf);
    expect([...blamesOf(context).values()].at(-1)).toMatchObject({
      party: 'phone',
      key: 'A',
      because: expect.stringMatching(/^Pixel A was lost \d+ times, while USB still showed it$/),
    });
  });
});

describe('one loss is blamed on', () => {
  it('the hub, where its phones went within seconds', () => {
    const context = contextOf(2000, hubLost, shelf);
    expect(blamesOf(context).get(3)).toEqual({
      party: 'hub',
      key: '1-4',
      certainty: 'likely',
      because: '7 of 7 phones of hub 1-4 were lost within 1 s',
      evidence: [1, 2, 3, 4, 5, 6, 7],
    });
  });

  it.each([
    ['for the first time', [], 'likely'],
    ['after two nights on which somebody brought it back', [7 * 24 + 20.5, 8 * 24 + 21.2], 'possible'],
    ['after nights on which a timer switched it on', [7, 8, 9, 10].map((day) => day * 24 + 20.5), 'likely'],
  ])('the hub that leaves at three at night, by no schedule, %s', (_, hours, certainty) => {
    const off = (hour: number, awaySeconds?: number) =>
      ['A', 'B', 'C', 'D', 'E', 'F', 'G'].flatMap((udid, index) =>
        lost(hour * HOURS + index * 0.1, udid, at(String(index + 1)), awaySeconds),
      );
    const told = [...hours.flatMap((hour) => off(hour, 1.5 * HOURS)), ...off(16 * 24)];
    const blames = blamesOf(contextOf(17 * DAYS, [[0, { kind: 'cloudBack' }], ...told], shelf));
    expect([...blames.values()].at(-1)).toMatchObject({ party: 'hub', certainty });
  });

  it('a person possibly, where the phones of a hub go each night at one time', () => {
    const nights = [1, 2, 3, 4, 5].flatMap((night) =>
      ['A', 'B', 'C', 'D'].flatMap((udid, index) =>
        lost(night * DAYS + index * 0.2, udid, at(String(index + 1)), 8 * HOURS),
      ),
    );
    expect([...blamesOf(contextOf(6 * DAYS, nights, shelf)).values()].at(-1)).toMatchObject({
      party: 'person',
      certainty: 'possible',
      because: '4 of 7 phones of hub 1-4 were lost within 1 s, on a schedule',
    });
  });

  it('no hub, where one phone says another serial each second', () => {
    const told = ['P', 'Q', 'R', 'S', 'T', 'U'].flatMap((udid, index): Parameters<typeof contextOf>[1] => [
      [1000 + index, { kind: 'attached', state: 'device', udid, where: at('1') }],
      [1000.5 + index, { kind: 'detached', udid, where: at('1') }],
    ]);
    const context = contextOf(2000, told, shelf);
    expect([...blamesOf(context).values()].map(({ party }) => party)).not.toContain('hub');
  });

  it('the adb server, where it restarted at that moment', () => {
    const context = contextOf(
      2000,
      [[999, { kind: 'adbLost' }], [1000, { kind: 'adbBack' }], ...hubLost],
      shelf,
    );
    expect([...blamesOf(context).values()].map(({ party }) => party)).toEqual(Array(7).fill('adb'));
  });

  it('the host, where all phones of its controller went, of several hubs', () => {
    const all = [...hubLost, ...lost(1000, 'H', at('1-2.1'), 30), ...lost(1000, 'I', at('1-3'), 30)];
    expect(blamesOf(contextOf(2000, all, shelf)).get(1)).toMatchObject({
      party: 'host',
      certainty: 'likely',
    });
  });

  it('the room, where phones of several controllers went', () => {
    const other = ['X', 'Y', 'Z'].map((udid, index) => phone(udid, at(`3-1.${index + 1}`)));
    const all = [...hubLost, ...other.flatMap(({ udid, where }) => lost(1001, udid, where, 30))];
    expect(blamesOf(contextOf(2000, all, [...shelf, ...other])).get(1)).toMatchObject({ party: 'room' });
  });

  it('a person, where somebody restarted the phone, or plugged it in elsewhere', () => {
    const reboot = {
      kind: 'rebooted',
      reason: 'reboot,userrequested',
      uptimeSeconds: 40,
      udid: 'A',
    } as const;
    const told = [
      ...lost(1000, 'A', at('1'), 30),
      [1045, reboot] as const,
      ...lost(5000, 'B', at('2'), 60, at('9')),
    ];
    const context = contextOf(
      9000,
      told.map(([when, event]) => [when, event]),
      shelf,
    );
    expect([...blamesOf(context).values()]).toMatchObject([
      { party: 'person', because: 'the phone was restarted by a person or an update' },
      { party: 'person', because: 'it came back at another port' },
    ]);
    // lost at night, and plugged in elsewhere in the morning
    const nightly = contextOf(9 * HOURS, lost(1000, 'B', at('2'), 5 * HOURS, at('9')), shelf);
    expect(blamesOf(nightly).get(1)).toMatchObject({ party: 'unknown' });
  });

  it('a person, where it was away for half an hour and has another Android since, whichever is known first', () => {
    const os = { kind: 'os', before: '13', release: '15', udid: 'A' } as const;
    const rebooted = { kind: 'rebooted', reason: 'reboot,ota', uptimeSeconds: 240, udid: 'A' } as const;
    const told = lost(1000, 'A', at('1'), 2000);
    for (const both of [
      [os, rebooted],
      [rebooted, os],
    ] as const) {
      const asked = both.map((event): [number, typeof event] => [3020, event]);
      expect(blameOfFirst([...told, ...asked])).toMatchObject({ party: 'person', certainty: 'possible' });
    }
    expect(blameOfFirst([...told, [3020, rebooted]])).toMatchObject({ party: 'phone' });
  });

  it('possibly the room, where the host restarted without a shutdown and the phone was not back', () => {
    const started = {
      kind: 'agentStarted',
      version: '1',
      hostBootedAt: START + 900_000,
      lastAliveAt: START,
    } as const;
    const blameAfter = (...before: Parameters<typeof contextOf>[1]) =>
      blamesOf(contextOf(2000, [...before, [1000, started], ...lost(1001, 'A', at('1'))], shelf)).get(
        before.length + 2,
      );
    expect(blameAfter()).toMatchObject({ party: 'room', certainty: 'possible' });
    expect(blameAfter([899, { kind: 'agentStopped' }])).toMatchObject({ party: 'unknown' });
  });

  it('possibly a person, where somebody had changed the USB mode of the phone some minutes before', () => {
    const mode = { interfaces: 'ff/ff/00 ff/42/01', interfacesBefore: 'ff/42/01' };
    const changed = [...lost(1000, 'A', at('1'), 2), usb(1001, 'A', 'phone', mode)];
    const droppedAt = (seconds: number) =>
      [...blamesOf(contextOf(9000, [...changed, ...lost(seconds, 'A', at('1'), 20)], shelf)).values()].at(-1);
    expect(droppedAt(1400)).toMatchObject({ party: 'person', certainty: 'possible' });
    expect(droppedAt(2000)).toMatchObject({ party: 'unknown' });
  });

  it('possibly a person, where the phone had just been plugged in', () => {
    const flicker = (second: number) => lost(second, 'A', at('1'), 2);
    const plugged = lost(1000, 'A', at('1'), 3600);
    expect(blamesOf(contextOf(9000, [...plugged, ...flicker(4630)], shelf)).get(3)).toMatchObject({
      party: 'person',
      certainty: 'possible',
      because: 'somebody had just plugged it in, or changed its USB mode',
    });
    for (const told of [
      [...plugged, ...flicker(4700)],
      [...flicker(4600), ...flicker(4630)],
    ])
      expect(blamesOf(contextOf(9000, told, shelf)).get(3)).toMatchObject({ party: 'unknown' });
  });

  it('the phone, where it crashed', () => {
    const reboot = { kind: 'rebooted', reason: 'kernel_panic', uptimeSeconds: 40, udid: 'A' } as const;
    const context = contextOf(9000, [...lost(1000, 'A', at('1'), 30), [1045, reboot]], shelf);
    expect(blamesOf(context).get(1)).toMatchObject({
      ...{ party: 'phone', key: 'A', evidence: [1, 3] },
      because: 'the phone crashed and restarted: kernel panic',
    });
  });

  it('the phone possibly, where it gives no reason but `reboot`, or came back in its recovery', () => {
    const reboot = { kind: 'rebooted', reason: 'reboot', uptimeSeconds: 40, udid: 'A' } as const;
    const recovery = { kind: 'attached', state: 'recovery', udid: 'A', where: at('1') } as const;
    for (const told of [
      [...lost(1000, 'A', at('1'), 30), [1045, reboot] as const],
      [...lost(1000, 'A', at('1')), [1050, recovery] as const],
    ])
      expect(blameOfFirst(told as Parameters<typeof contextOf>[1])).toMatchObject({
        ...{ party: 'phone', key: 'A', certainty: 'possible' },
        because: 'the phone restarted and gives no reason',
      });
  });

  it('the phone, where it is in a boot loop, however rarely it is there to say so, or in its recovery each time', () => {
    const reboot = { kind: 'rebooted', uptimeSeconds: 20, udid: 'A' } as const;
    const loop = (count: number, tell: (second: number, index: number) => Parameters<typeof contextOf>[1]) =>
      blamesOf(
        contextOf(
          9000,
          Array.from({ length: count }, (_, index) => tell(1000 + 100 * index, index)).flat(),
          shelf,
        ),
      );
    const booting =
      (reason: string) =>
      (second: number, index: number): Parameters<typeof contextOf>[1] => {
        const restart: Parameters<typeof contextOf>[1][number] = [second + 75, { ...reboot, reason }];
        return [...lost(second, 'A', at('1'), 60), ...(index % 5 === 0 ? [restart] : [])];
      };
    const toRecovery = (second: number): Parameters<typeof contextOf>[1] => [
      [second, { kind: 'detached', udid: 'A', where: at('1') }],
      [second + 60, { kind: 'attached', state: 'recovery', udid: 'A', where: at('1') }],
    ];
    const partiesOf = (blames: ReturnType<typeof blamesOf>) => [
      ...new Set([...blames.values()].map(({ party, certainty }) => `${certainty} ${party}`)),
    ];
    expect(partiesOf(loop(20, booting('reboot')))).toEqual(['possible phone']);
    // a restart among losses that follow each other within minutes is enough
    expect(partiesOf(loop(6, booting('kernel_panic')))).toEqual(['likely phone', 'possible phone']);
    expect(partiesOf(loop(6, booting('reboot')))).toEqual(['possible phone']);
    expect(partiesOf(loop(2, booting('reboot')))).toEqual(['possible phone', 'possible unknown']);
    expect(partiesOf(loop(12, toRecovery))).toEqual(['possible phone']);
    // a few times may be somebody who flashes it, the recovery, or a loose cable
    expect(partiesOf(loop(3, toRecovery))).toEqual(['possible phone', 'possible unknown']);
    // nor does the phone restart when adb does, or when it is in maintenance
    const withAdb = (second: number): Parameters<typeof contextOf>[1] => [
      [second - 1, { kind: 'adbBack' }],
      ...toRecovery(second),
    ];
    const inMaintenance = (second: number): Parameters<typeof contextOf>[1] => [
      [second - 1, { kind: 'maintenance', udid: 'A', reason: '', until: START + 9_000_000 }],
      ...toRecovery(second),
    ];
    expect(partiesOf(loop(12, withAdb))).not.toContain('possible phone');
    expect(partiesOf(loop(12, inMaintenance))).toEqual(['likely person']);
  });

  it('a person, where a phone on the network stays away after a restart that somebody asked for; at a port it was off', () => {
    const reason = 'reboot,userrequested';
    const reboot = { kind: 'rebooted', reason, uptimeSeconds: 3 * HOURS, udid: 'N1' } as const;
    const away = (where: Parameters<typeof lost>[2]): Parameters<typeof contextOf>[1] => [
      ...lost(1000, 'N1', where, 3 * HOURS),
      [1010 + 3 * HOURS, { ...reboot, where }],
    ];
    const partyOf = (where: Parameters<typeof lost>[2]) =>
      blamesOf(contextOf(5 * HOURS, away(where), [...shelf, phone('N1', where)])).get(1);
    expect(partyOf({})).toMatchObject({ party: 'person', certainty: 'possible' });
    expect(partyOf(at('9'))).toMatchObject({ party: 'phone' });
  });

  it('the phone, where somebody tries it at one port after the other within an hour, and it drops at each', () => {
    const noon = 9 * HOURS;
    const ports = (which: readonly string[]) =>
      which.flatMap((port, index): Parameters<typeof contextOf>[1] => [
        ...lost(noon + index * 900, 'A', at(port), 30),
        ...lost(noon + index * 900 + 300, 'A', at(port), 120, at(which[index + 1] ?? port)),
      ]);
    const partiesAt = (which: readonly string[]) =>
      new Set(
        [...blamesOf(contextOf(noon + 2 * HOURS, ports(which), shelf)).values()].map(({ party }) => party),
      );
    expect(partiesAt(['1', '8', '9'])).toContain('phone');
    expect(partiesAt(['1', '1', '1'])).not.toContain('phone');
  });

  it('a test, where the phone goes some times each day at the same time; but no test goes on for hours, makes ten losses in one, or faults of the kernel', () => {
    const evenings = (times: number, gapSeconds = 60) =>
      [0, 1, 2].flatMap((day) =>
        Array.from({ length: times }, (_, index) =>
          lost(day * DAYS + index * gapSeconds, 'A', at('1'), 4),
        ).flat(),
      );
    const parties = (told: Parameters<typeof contextOf>[1]) =>
      new Set([...blamesOf(contextOf(2.1 * DAYS, told, shelf)).values()].map(({ party }) => party));
    const kernel = { kind: 'kernel', fault: 'cable', count: 1, where: at('1') } as const;
    expect(parties(evenings(4))).toEqual(new Set(['person']));
    expect(parties(evenings(12))).toEqual(new Set(['port']));
    expect(parties(evenings(5, 20 * 60))).toEqual(new Set(['port']));
    expect(parties([...evenings(4), [62, kernel], [DAYS + 62, kernel]])).toEqual(new Set(['port']));
  });

  it('a port, where the phone is lost again and again by day, and never for longer than a moment', () => {
    const days = (awaySeconds: readonly number[]) =>
      [0, 1, 2, 3].flatMap((day) =>
        awaySeconds.flatMap((seconds, index) =>
          lost(day * DAYS + (6 + 2 * index) * HOURS, 'A', at('1'), seconds),
        ),
      );
    const parties = (awaySeconds: readonly number[]) =>
      new Set(
        [...blamesOf(contextOf(4 * DAYS, days(awaySeconds), shelf)).values()].map(({ party }) => party),
      );
    expect(parties([20, 9, 40])).toEqual(new Set(['port']));
    expect(parties([20, 9, 400])).toEqual(new Set(['unknown', 'person']));
  });

  it('the network, where most of its phones went within seconds', () => {
    const phones = ['N1', 'N2', 'N3', 'N4'].map((udid) => phone(udid, {}));
    const told = phones.slice(1).flatMap(({ udid }, index) => lost(1000 + index * 9, udid, {}, 60));
    expect(blamesOf(contextOf(2000, told, [...shelf, ...phones])).get(1)).toEqual({
      party: 'network',
      certainty: 'likely',
      because: '3 of 4 phones on the network were lost within 18 s',
      evidence: [1, 2, 3],
    });
    // one that stays away when the others are back
    const { length } = told;
    const alone = blamesOf(contextOf(2000, told.slice(0, length - 1), [...shelf, ...phones]));
    expect([...alone.values()].map(({ certainty }) => certainty)).toEqual(['likely', 'likely', 'possible']);
  });

  it('nobody, where a plan starts a phone of the network anew at one minute of each night; but not where it is lost all day', () => {
    const network = [phone('N1', {})];
    const nights = [0, 1, 2, 3, 4].flatMap((day) => lost(day * DAYS + 1000 + day * 20, 'N1', {}, 40));
    const byDay = (hours: number) =>
      [0, 1, 2, 3, 4].flatMap((day) =>
        Array.from({ length: hours }, (_, hour) =>
          lost(day * DAYS + 5000 + hour * 4000, 'N1', {}, 40),
        ).flat(),
      );
    const parties = (told: Parameters<typeof contextOf>[1]) =>
      new Set([...blamesOf(contextOf(4.9 * DAYS, told, network)).values()].map(({ party }) => party));
    expect(parties(nights)).toEqual(new Set(['unknown']));
    expect(parties([...nights, ...byDay(3)].sort(([one], [other]) => one - other))).toContain('link');
  });

  it('possibly its own connection, where a phone leaves the network alone for the third time, and not at one time of day only', () => {
    const network = ['N1', 'N2', 'N3'].map((udid) => phone(udid, {}));
    const times = [2, 7, 13].flatMap((hour, day) => lost(day * DAYS + hour * 3600, 'N1', {}, 4000));
    const blames = (told: Parameters<typeof contextOf>[1]) =>
      [...blamesOf(contextOf(5 * DAYS, told, network)).values()].map(
        ({ party, certainty }) => `${certainty} ${party}`,
      );
    expect(blames(times.slice(0, 4))).toEqual(['possible unknown', 'possible unknown']);
    expect(blames(times)).toEqual(['possible link', 'possible link', 'possible link']);
    expect(blames([...times, ...lost(4 * DAYS, 'N1', {})]).at(-1)).toBe('possible link');
    const nights = [0, 1, 2, 3].flatMap((day) => lost(day * DAYS + 80_000, 'N1', {}, 4000));
    const apart = [...nights, ...lost(4 * DAYS + 20_000, 'N1', {}, 4000)];
    expect([new Set(blames(nights)), new Set(blames(apart))]).toEqual([
      new Set(['possible unknown']),
      new Set(['possible link']),
    ]);
  });

  it('nobody, where phones of the network go that are there for less than half of the time anyway; a first absence says nothing of that', () => {
    const phones = ['N1', 'N2', 'N3', 'N4'].map((udid) => phone(udid, {}));
    const eachAt = (second: number, away?: number) =>
      phones.flatMap(({ udid }, index) => lost(second + index * 2, udid, {}, away));
    const parties = (told: Parameters<typeof contextOf>[1]) =>
      new Set([...blamesOf(contextOf(40_000, told, phones)).values()].map(({ party }) => party));
    const often = [1000, 8000, 15_000].flatMap((second) => eachAt(second, 6000));
    expect(parties([...often, ...eachAt(22_000)])).toEqual(new Set(['unknown']));
    expect(parties(eachAt(4000))).toEqual(new Set(['network']));
  });

  it('the network possibly only, where it was back only once its host had started anew', () => {
    const phones = ['N1', 'N2', 'N3'].map((udid) => phone(udid, {}));
    const outage = (second: number) =>
      phones.flatMap(({ udid }, index) => lost(second + index, udid, {}, 900)) as Parameters<
        typeof contextOf
      >[1];
    const boot = (second: number): Parameters<typeof contextOf>[1][number] => [
      second,
      {
        kind: 'agentStarted',
        version: '1.0.0',
        hostBootedAt: START + (second - 60) * 1000,
        lastAliveAt: START + (second - 90) * 1000,
      },
    ];
    const certainties = (bootedAt: number) => {
      const context = contextOf(9000, [...outage(1000), ...outage(4000), boot(bootedAt)], phones);
      return new Set([...blamesOf(context).values()].map(({ party, certainty }) => `${certainty} ${party}`));
    };
    expect(certainties(1600)).toEqual(new Set(['possible network']));
    expect(certainties(3000)).toEqual(new Set(['likely network']));
  });

  it('the network, for longer too, where it loses most of its phones for moments again and again', () => {
    const phones = ['N1', 'N2', 'N3'].map((udid) => phone(udid, {}));
    const told = [1.01, 2, 3.02].flatMap((day) =>
      phones.flatMap(({ udid }, index) => lost(day * DAYS + index * 2000, udid, {}, 60)),
    );
    const long = lost(3.5 * DAYS, 'N2', {}, 3 * HOURS);
    const last = (some: typeof told) => [...blamesOf(contextOf(4 * DAYS, some, phones)).values()].at(-1);
    expect(last([...told, ...long])).toMatchObject({ party: 'network', certainty: 'likely' });
    expect(last(long)).toMatchObject({ party: 'unknown' });
  });

  it('the link of a phone on the network, where it is lost more often than the others', () => {
    const phones = ['N1', 'N2'].map((udid) => phone(udid, {}));
    const told = [1.01, 2, 3.02].flatMap((day) => lost(day * DAYS, 'N1', {}, 60));
    expect(blamesOf(contextOf(3.1 * DAYS, told, [...shelf, ...phones])).get(5)).toMatchObject({
      ...{ party: 'link', key: 'N1', certainty: 'likely' },
      because: 'Pixel N1 is lost from the network again and again',
    });
  });

  it('the hub, where it loses most of its phones one by one and the others do well', () => {
    const others = ['Q', 'R', 'S', 'T', 'U', 'V'].map((udid, index) => phone(udid, at(`1-2.${index + 2}`)));
    // those that are lost soon after others do not count, and do not keep the next ones of their phone from it
    const told = 'ABABCDEFABCDEF'
      .split('')
      .flatMap((udid, turn) =>
        lost(
          turn < 2 ? 1000 + turn * 60 : ((turn - 2) / 2) * DAYS + 1120,
          udid,
          at(String('ABCDEF'.indexOf(udid) + 1)),
          5,
        ),
      );
    const context = contextOf(7 * DAYS, told, [...shelf, ...others]);
    const blames = [...blamesOf(context).values()];
    expect(new Set(blames.map(({ party, key }) => `${party} ${key}`))).toEqual(new Set(['hub 1-4']));
    expect(blames[0]?.because).toBe('hub 1-4 lost 6 phones one by one, at 6 ports');
  });

  it('the hub, where it loses each of them every two hours, from the third day on', () => {
    const others = ['Q', 'R', 'S', 'T', 'U', 'V'].map((udid, index) => phone(udid, at(`1-2.${index + 2}`)));
    const told = Array.from({ length: 36 }, (_, turn) =>
      [...'ABCDEF'].flatMap((udid, index) =>
        lost(1000 + turn * 2 * HOURS + index * 20 * 60, udid, at(String(index + 1)), 5),
      ),
    ).flat();
    const partiesAt = (second: number) => {
      const before = told.filter(([when]) => when < second);
      return new Set(
        [...blamesOf(contextOf(second, before, [...shelf, ...others])).values()].map(({ party }) => party),
      );
    };
    expect(partiesAt(3 * DAYS)).toEqual(new Set(['hub']));
    expect(partiesAt(1 * DAYS).has('hub')).toBe(false);
  });

  it('nobody, where it happened once', () => {
    expect(blamesOf(contextOf(9000, lost(1000, 'A', at('1'), 4), shelf)).get(1)).toMatchObject({
      party: 'unknown',
      because:
        'it came back at the same port after 4 s; this is too little to tell the phone from its cable or port',
    });
  });

  it('a person only for what was lost since the maintenance began', () => {
    const begun = {
      kind: 'maintenance',
      until: 1e15,
      reason: 'battery',
      udid: 'A',
      where: at('1'),
    } as const;
    const told: Parameters<typeof contextOf>[1] = [
      ...lost(1000, 'A', at('1'), 4),
      [5000, begun],
      ...lost(6000, 'A', at('1'), 4),
    ];
    const phones = shelf.map((each) => ({ ...each, isInMaintenance: each.udid === 'A' }));
    expect([...blamesOf(contextOf(7000, told, phones)).values()].map(({ party }) => party)).toEqual([
      'unknown',
      'person',
    ]);
  });

  it('none at all, for an event that is no loss', () => {
    expect(blamesOf(contextOf(9000, lost(1000, 'A', at('1'), 4), shelf)).get(2)).toBeUndefined();
  });
});

describe('by the third event', () => {
  it('a port is named beside another bad one, repaired or not, on a small host too', () => {
    const told = [1, 2, 3].flatMap((day) => [
      ...lost(day * DAYS, 'A', at('1'), 5),
      ...lost(day * DAYS + 3 * HOURS, 'B', at('2', 'bay 4'), 5),
    ]);
    const repair = { kind: 'note', text: 'new cable', udid: 'A', where: at('1') } as const;
    const named = (events: typeof told) =>
      [...blamesOf(contextOf(5 * DAYS, events, shelf.slice(0, 3))).values()].filter(
        ({ key }) => key === '1-4.2',
      );
    expect(named(told)).toHaveLength(3);
    expect(named([...told, [4 * DAYS, repair]])).toHaveLength(3);
  });

  it('a port that lost three phones is named', () => {
    const bay = at('1', 'bay 4');
    const told = [
      ...lost(1 * DAYS, 'A', bay, 5),
      ...lost(4 * DAYS, 'A', bay, 600, at('5')),
      ...lost(4.1 * DAYS, 'B', at('2'), 600, bay),
      ...lost(5 * DAYS, 'B', bay, 5),
      ...lost(6 * DAYS, 'B', bay, 600, at('2')),
      ...lost(6.1 * DAYS, 'C', at('3'), 600, bay),
      ...lost(10 * DAYS, 'C', bay, 5),
    ];
    const blames = [...blamesOf(contextOf(11 * DAYS, told, shelf)).values()];
    expect(blames.filter(({ party }) => party === 'port')).toHaveLength(3);
    expect(blames[0]).toMatchObject({
      key: '1-4.1',
      certainty: 'likely',
      because: 'bay 4 lost 3 different phones',
    });
  });

  it('a phone that came back twice only with a restart is named, though another one drops out now and then', () => {
    const hangs = (udid: string, seat: string, day: number): Parameters<typeof contextOf>[1] => {
      const back = day * DAYS + 12 * HOURS;
      const rebooted = { kind: 'rebooted', uptimeSeconds: 55, udid } as const;
      return [...lost(day * DAYS, udid, at(seat), 12 * HOURS), [back + 20, rebooted]];
    };
    const drops = [...lost(0.5 * DAYS, 'B', at('2'), 4), ...lost(1.6 * DAYS, 'B', at('2'), 4)];
    const bench = shelf.slice(0, 4);
    const told = [...hangs('A', '1', 1), ...hangs('A', '1', 2), ...lost(3 * DAYS, 'A', at('1')), ...drops];
    const lastOf = (more: Parameters<typeof contextOf>[1]) =>
      [...blamesOf(contextOf(3.1 * DAYS, [...told, ...more], bench)).values()].at(-1);
    expect(lastOf([])).toMatchObject({ party: 'phone', key: 'A' });
    expect(lastOf([...hangs('B', '2', 2.1), ...hangs('C', '3', 2.2)])).toMatchObject({ party: 'unknown' });
  });

  it('a phone that is lost in every port is named, and none of the ports', () => {
    const told = [1, 2, 3, 4, 5].flatMap((port) => [
      ...lost(port * DAYS, 'A', at(String(port)), 5),
      ...lost(port * DAYS + HOURS, 'A', at(String(port)), 300, at(String(port + 1))),
    ]);
    const context = contextOf(6 * DAYS, told, shelf.slice(0, 1));
    const parties = [...blamesOf(context).values()].map(({ party, key }) => `${party} ${key}`);
    expect(parties.filter((party) => party === 'phone A')).toHaveLength(5);
    expect(parties.filter((party) => party.startsWith('port'))).toEqual([]);
  });
});

describe('the losses of the same events', () => {
  const context = contextOf(9000, lost(1000, 'A', at('1'), 4), shelf);

  it('are looked at anew when a phone is known to be an emulator since', () => {
    const because = (of: typeof context) => blamesOf(of).get(1)?.because;
    expect(because(context)).toContain('its cable or port');
    const phones = context.now.phones.map((one) => ({ ...one, connection: 'emulator' as const }));
    expect(because({ ...context, now: { ...context.now, phones } })).toContain('the emulator');
  });
});

describe('the newest losses of a port that a phone has with ever another name', () => {
  it('have one blame, put into words once: there may be thousands of them', () => {
    const names = Array.from({ length: 40 }, (_, number) => `S${number}`);
    const place = at('1');
    const told = names.flatMap((udid, number) => lost(1000 + number * 6 * HOURS, udid, place, 30));
    const blames = newestBlamesOf(contextOf(10 * DAYS, told, shelf), 100)?.map(({ blame }) => blame);
    expect(blames).toHaveLength(40);
    expect(blames?.[0]).toMatchObject({ party: 'port', because: 'USB port 1-4.1 lost 40 different phones' });
    expect(new Set(blames).size).toBe(1);
  });
});
