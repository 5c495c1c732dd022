import { describe, expect, it } from 'vitest';
import type { Facts } from '../../src/facts/index.ts';
import { buildMessage, GONE, NO_ANSWER, OFFLINE, PROMPT } from '../../src/report/message.ts';
import type { RosterDevice } from '../../src/roster/device.ts';

const phone: RosterDevice = {
  udid: 'A',
  serial: 'A',
  connection: 'usb',
  attached: true,
  state: 'device',
  lastSeenAt: 0,
};

describe('the message of a phone', () => {
  it.each(['usb', 'tcp', 'emulator'] as const)(
    'that is silent, over %s, says how to wake it',
    (connection) => {
      expect(buildMessage({ ...phone, connection }, {}, true)).toBe(NO_ANSWER[connection]);
    },
  );

  it('that is a container on the network says how to wake an emulator', () => {
    const container = { ...phone, connection: 'tcp' as const, identity: { isEmulator: true } };
    expect(buildMessage(container, {}, true)).toBe(NO_ANSWER.emulator);
    expect(buildMessage({ ...container, state: 'disconnected' }, {})).toBe(GONE.emulator);
    expect(buildMessage({ ...container, identity: { isEmulator: false } }, {}, true)).toBe(NO_ANSWER.tcp);
    expect(buildMessage({ ...container, connection: 'usb' }, {}, true)).toBe(NO_ANSWER.usb);
  });

  it('that is an emulator without internet says what is wrong with an emulator’s', () => {
    const message = buildMessage(
      { ...phone, connection: 'emulator' },
      { network: { status: 'UNREACHABLE', code: 302 } },
    );
    expect(message).toContain('The network of the emulator answers with HTTP 302');
    expect(message).not.toContain('sign in');
  });

  it.each([
    ['unauthorized', PROMPT.usb],
    [
      'authorizing',
      'Connecting; if this lasts, accept the USB debugging prompt on the phone, or plug it in or connect it again',
    ],
    ['connecting', 'Connecting; if this lasts, disconnect the phone and connect it again'],
    ['offline', OFFLINE.usb],
    [
      'no permissions',
      'No permission on the USB device: on the host add the udev rule for it, and the adb server’s user to its group (plugdev); reload udev, plug the phone in again, restart the adb server; or log in anew, or restart the host',
    ],
    [
      'recovery',
      'The phone is in its recovery: choose "Reboot system now" on the phone; if it comes back here, free a stuck button, and hold power and volume for 20 seconds; then wipe its cache, remove what was last installed, or flash its system again; last, do a factory reset, which erases it',
    ],
    [
      'rescue',
      'The phone is in rescue mode: choose "Try again" or restart it on the phone; if it comes back here, free a stuck button, and hold power and volume for 20 seconds; then wipe its cache, remove what was last installed, or flash its system again; last, do a factory reset, which erases it',
    ],
    [
      'sideload',
      'The phone waits for an update by sideload: finish it, or restart the phone; if it does not react, hold power and a volume button for 20 seconds, or let its battery run empty; then flash its recovery or system again',
    ],
    [
      'bootloader',
      'The phone is in its bootloader: choose "Start" on the phone, or run `fastboot reboot`; if it comes back here, free a stuck button, and hold power and volume for 20 seconds; then wipe its cache, remove what was last installed, or flash its system again; last, do a factory reset, which erases it',
    ],
    ['detached', 'adb released the phone: run "adb attach" on the host'],
    ['host', 'This is another computer, not a phone: check what the cable is plugged into'],
    ['disconnected', GONE.usb],
    ['levitating', 'adb calls the phone "levitating": disconnect it and connect it again'],
    ['constructor', 'adb calls the phone "constructor": disconnect it and connect it again'],
  ])('in the state %s says what to do', (state, message) => {
    expect(buildMessage({ ...phone, state }, {})).toBe(message);
  });

  it.each([
    ['offline', 'tcp', OFFLINE.tcp],
    ['disconnected', 'tcp', GONE.tcp],
    ['disconnected', 'emulator', GONE.emulator],
    ['unauthorized', 'emulator', PROMPT.emulator],
  ] as const)('%s over %s says where to look', (state, connection, message) => {
    expect(buildMessage({ ...phone, state, connection }, {})).toBe(message);
  });

  it.each<[string, Facts, string]>([
    ['is well', {}, ''],
    ['has started', { boot: { bootCompleted: true, dataLocked: false } }, ''],
    ['is off the network', { network: { status: 'UNREACHABLE' } }, ''],
    [
      'is starting',
      { boot: { bootCompleted: false, dataLocked: true } },
      'Starting up: wait until the phone has started',
    ],
    [
      'is locked',
      { boot: { dataLocked: true } },
      'Locked since it started: unlock it once on the phone, and set its screen lock to none',
    ],
    [
      'is behind a captive portal',
      { network: { status: 'UNREACHABLE', code: 302 } },
      'The network of the phone answers with HTTP 302 in place of the internet: open a browser on the phone and sign in (captive portal?); else turn off its VPN, proxy or filter, set private DNS to automatic, and restart its Wi-Fi, or the phone',
    ],
  ])('that %s', (_, facts, message) => {
    expect(buildMessage(phone, facts)).toBe(message);
  });
});
