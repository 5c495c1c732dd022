import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localTime } from '../../../src/base/calendar.ts';
import { textOf, timelineEntryOf } from '../../../src/diagnosis/explain/timeline.ts';
import type {
  HistoryEvent,
  HostHappening,
  PhoneHappening,
  PlaceHappening,
} from '../../../src/history/events/event.ts';
import { anyText } from '../../support/any-text.ts';

type Happening = PhoneHappening | PlaceHappening | HostHappening;

/** Each kind at least once: the type demands a row for a new one. */
const texts: { [K in Happening['kind']]: [Extract<Happening, { kind: K }>, string][] } = {
  attached: [
    [{ kind: 'attached', state: 'device' }, 'plugged in'],
    [{ kind: 'attached', state: 'unauthorized' }, 'plugged in: adb says unauthorized'],
  ],
  detached: [[{ kind: 'detached' }, 'lost: adb no longer lists it']],
  state: [
    [{ kind: 'state', state: 'offline', before: 'device' }, 'adb says offline, before: device'],
    [
      { kind: 'state', state: 'no permissions', before: 'device', reason: 'udev rules' },
      'adb says no permissions (udev rules), before: device',
    ],
  ],
  usb: [
    [
      { kind: 'usb', gone: 'nothing', interfaces: 'ff/42/01', interfacesBefore: 'ff/42/01' },
      'USB still shows it: adb lost it',
    ],
    [{ kind: 'usb', gone: 'phone', speedMbpsBefore: 480 }, 'it left USB; its hub is there'],
    [
      {
        kind: 'usb',
        gone: 'phone',
        speedMbps: 12,
        speedMbpsBefore: 480,
        interfaces: '06/01/01',
        interfacesBefore: '06/01/01 ff/42/01',
        overCurrents: 2,
      },
      'it left USB; its hub is there, it is on USB again, with another USB mode, at 12 Mbit/s, before: 480, its port cut the power 2 times: over-current',
    ],
    [{ kind: 'usb', gone: 'hub', hub: '1-4' }, 'its hub left USB'],
    [{ kind: 'usb', gone: 'controller' }, 'its USB controller left'],
  ],
  kernel: [
    [
      { kind: 'kernel', fault: 'descriptor', count: 8 },
      'the kernel: could not read the descriptor of what is plugged in, 8 times',
    ],
    [
      { kind: 'kernel', fault: 'died', count: 1, controller: '0000:00:14.0' },
      'the kernel: 0000:00:14.0: the USB controller stopped, once',
    ],
  ],
  identity: [
    [{ kind: 'identity', model: 'Pixel 5', brand: 'google' }, 'says that it is a google Pixel 5'],
    [{ kind: 'identity' }, 'says that it is a phone'],
  ],
  rebooted: [
    [{ kind: 'rebooted' }, 'restarted'],
    [{ kind: 'rebooted', reason: 'reboot,userrequested', uptimeSeconds: 31 }, 'restarted: user requested'],
    [{ kind: 'rebooted', reason: 'kernel_panic' }, 'restarted: kernel panic'],
    [{ kind: 'rebooted', reason: 'shutdown,thermal' }, 'restarted: shutdown, thermal'],
    [{ kind: 'rebooted', reason: 'reboot' }, 'restarted: reboot'],
  ],
  sim: [
    [{ kind: 'sim', state: 'ABSENT' }, 'SIM absent'],
    [
      { kind: 'sim', state: 'PIN_REQUIRED,', before: 'LOADED,ABSENT' },
      'SIM pin required and none, before: loaded and absent',
    ],
  ],
  os: [
    [{ kind: 'os', release: '15', before: '14' }, 'updated: Android 15, before: 14'],
    [
      { kind: 'os', release: '15', before: '15', build: '612', buildBefore: '611' },
      'another build of Android 612, before: 611',
    ],
  ],
  adbRoot: [
    [{ kind: 'adbRoot', isRoot: true }, 'adb root: its adbd is root'],
    [{ kind: 'adbRoot', isRoot: false }, 'its adbd is no longer root'],
  ],
  batteryHealth: [
    [{ kind: 'batteryHealth', health: 'OVERHEAT', before: 'GOOD' }, 'battery health overheat, before: good'],
  ],
  hindered: [
    [{ kind: 'hindered', codes: 'network,screenLocked' }, 'hinders tests: no internet, screen locked'],
    [{ kind: 'hindered', codes: '' }, 'nothing hinders tests any more'],
  ],
  refused: [
    [{ kind: 'refused', said: 'no such rack' }, 'rejected by the cloud: no such rack'],
    [{ kind: 'refused' }, 'rejected by the cloud'],
  ],
  stored: [[{ kind: 'stored' }, 'stored by the cloud']],
  maintenance: [
    [
      { kind: 'maintenance', until: new Date(2026, 10, 23, 18, 5).getTime(), reason: 'new battery' },
      'in maintenance until 2026-11-23 18:05: new battery',
    ],
    [
      { kind: 'maintenance', until: new Date(2026, 10, 23, 18, 5).getTime(), reason: 'new hub', by: 'anna' },
      'in maintenance until 2026-11-23 18:05 by anna: new hub',
    ],
  ],
  maintenanceEnded: [
    [{ kind: 'maintenanceEnded' }, 'maintenance ended'],
    [{ kind: 'maintenanceEnded', by: 'anna' }, 'maintenance ended by anna'],
  ],
  drain: [
    [
      { kind: 'drain', until: new Date(2026, 10, 23, 18, 5).getTime(), reason: '', by: 'anna, bert' },
      'drained until 2026-11-23 18:05 by anna, bert',
    ],
    [
      { kind: 'drain', until: new Date(2026, 10, 23, 18, 5).getTime(), reason: 'new hub' },
      'drained until 2026-11-23 18:05: new hub',
    ],
  ],
  drainEnded: [
    [{ kind: 'drainEnded' }, 'drain ended'],
    [{ kind: 'drainEnded', by: 'anna' }, 'drain ended by anna'],
  ],
  note: [
    [{ kind: 'note', text: 'swapped the cable', by: 'anna' }, 'note by anna: swapped the cable'],
    [{ kind: 'note', text: 'cleaned' }, 'note: cleaned'],
  ],
  adbLost: [[{ kind: 'adbLost' }, 'the adb server stopped answering']],
  adbBack: [[{ kind: 'adbBack' }, 'the adb server answers again']],
  adbReplaced: [[{ kind: 'adbReplaced' }, 'another adb server answers: it was restarted or replaced']],
  agentStarted: [
    [{ kind: 'agentStarted', version: '1.2.3' }, 'hostnode 1.2.3 started'],
    [
      { kind: 'agentStarted', version: '1.2.3', hostBootedAt: 20, lastAliveAt: 10 },
      'hostnode 1.2.3 started, after the host had booted',
    ],
    [{ kind: 'agentStarted', version: '1.2.3', hostBootedAt: 5, lastAliveAt: 10 }, 'hostnode 1.2.3 started'],
  ],
  agentStopped: [[{ kind: 'agentStopped' }, 'hostnode stopped']],
  agentReloaded: [[{ kind: 'agentReloaded' }, 'hostnode read its configuration again']],
  agentPaused: [
    [
      { kind: 'agentPaused', forMs: 540_000 },
      'hostnode stood still for 9 min: it was stopped, frozen, or got no processor',
    ],
  ],
  hostSlept: [[{ kind: 'hostSlept', forMs: 7_200_000 }, 'the host slept for 2 h']],
  clockStepped: [
    [{ kind: 'clockStepped', byMs: -7_200_000 }, 'the clock of the host was set back by 2 h'],
    [{ kind: 'clockStepped', byMs: 3_599_998 }, 'the clock of the host was set forward by 1 h'],
    [{ kind: 'clockStepped', byMs: 90_000 }, 'the clock of the host was set forward by 1 min'],
    [{ kind: 'clockStepped', byMs: 40_000 }, 'the clock of the host was set forward by 40 s'],
    [{ kind: 'clockStepped', byMs: 864_000_000 }, 'the clock of the host was set forward by 10 days'],
  ],
  cloudLost: [
    [{ kind: 'cloudLost', code: 'CLOUD_UNAVAILABLE' }, 'the cloud stores no reports (CLOUD_UNAVAILABLE)'],
    [{ kind: 'cloudLost' }, 'the cloud stores no reports'],
  ],
  historyLost: [[{ kind: 'historyLost', since: 0 }, `what happened since ${localTime(0)} could not be kept`]],
  cloudBack: [[{ kind: 'cloudBack' }, 'the cloud stores reports again']],
};

it.each([
  [{ slot: 'bay 4', devpath: '1-4.2', usbPath: 'pci-usb-0:4.2' }, 'note by anna on bay 4: new cable'],
  [{ slot: 'rack 2, shelf 3' }, 'note by anna on rack 2, shelf 3: new cable'],
  [{ devpath: '1-4.2', usbPath: 'pci-usb-0:4.2' }, 'note by anna on USB port 1-4.2: new cable'],
  [{ hub: 'pci-usb-0:4', devpath: '1-4' }, 'note by anna on hub 1-4: new cable'],
  [{ hub: 'pci-usb-0:4' }, 'note by anna on hub pci-usb-0:4: new cable'],
  [{}, 'note by anna on this host: new cable'],
])('a note on the place %j says where', (where, text) => {
  const note = { id: 1, at: 2, kind: 'note' as const, text: 'new cable', by: 'anna', where };
  expect(timelineEntryOf(note).text).toBe(text);
  expect(timelineEntryOf({ ...note, udid: 'A' }).text).toBe('note by anna: new cable');
});

it.each([
  [
    { devpath: '1-4.2', hub: 'pci-usb-0:4' },
    'the kernel, of USB port 1-4.2: could not enable the port, as with a bad cable, once',
  ],
  [
    { slot: 'bay 4', devpath: '1-4.2' },
    'the kernel, of bay 4: could not enable the port, as with a bad cable, once',
  ],
  [{}, 'the kernel: could not enable the port, as with a bad cable, once'],
])('what the kernel wrote of a port says of which: %j', (where, text) => {
  const fault = { id: 1, at: 2, kind: 'kernel' as const, fault: 'cable', count: 1, where } as HistoryEvent;
  expect(timelineEntryOf(fault).text).toBe(text);
});

describe('textOf', () => {
  it.each(Object.values(texts).flat() as [Happening, string][])('says %j as: %s', (happening, text) => {
    expect(textOf(happening)).toBe(text);
  });

  it('is one printable line, whatever a phone or the cloud said', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 2000 }), (said) => {
        const text = textOf({ kind: 'refused', said });
        expect(text.length).toBeLessThanOrEqual(300);
        expect(text).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

describe('timelineEntryOf', () => {
  it('keeps the order, the phone and its slot', () => {
    const where = { slot: 'bay 4', usbPath: '1-4' };
    const event: HistoryEvent = { id: 7, at: 1000, kind: 'detached', udid: 'R58M1', where };
    expect(timelineEntryOf(event)).toEqual({
      id: 7,
      at: 1000,
      kind: 'detached',
      text: 'lost: adb no longer lists it',
      udid: 'R58M1',
      slot: 'bay 4',
    });
  });

  it('names no phone for what happened to the host', () => {
    const entry = timelineEntryOf({ id: 8, at: 1000, kind: 'agentStopped' });
    expect(entry).toEqual({ id: 8, at: 1000, kind: 'agentStopped', text: 'hostnode stopped' });
  });
});
