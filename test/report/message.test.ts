import { describe, expect, it } from 'vitest';
import type { Facts } from '../../src/facts/index.ts';
import { buildMessage, NO_ANSWER, PROMPT } from '../../src/report/message.ts';
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
  it.each([
    ['unauthorized', PROMPT],
    ['authorizing', 'Connecting; if this lasts, accept the USB debugging prompt on the phone'],
    ['connecting', 'Connecting; if this lasts, disconnect the phone and connect it again'],
    ['offline', NO_ANSWER.usb],
    [
      'no permissions',
      'No permission on the USB device: add the udev rule for it on the host, plug the phone in again, then restart the adb server',
    ],
    ['recovery', 'The phone is in its recovery: choose "Reboot system now" on the phone'],
    ['rescue', 'The phone is in rescue mode: choose "Try again" or restart it on the phone'],
    ['sideload', 'The phone waits for an update by sideload: finish it, or restart the phone'],
    ['bootloader', 'The phone is in its bootloader: choose "Start" on the phone'],
    ['detached', 'adb released the phone: run "adb attach" on the host'],
    ['host', 'This is another computer, not a phone: check what the cable is plugged into'],
    [
      'disconnected',
      'Not plugged in: plug the phone in again, at both ends of the cable; if it is off or hangs, charge it and hold its power button; if it only charges, turn on USB debugging or use another cable; in a virtual machine, attach the phone again',
    ],
    ['levitating', 'adb calls the phone "levitating": disconnect it and connect it again'],
    ['constructor', 'adb calls the phone "constructor": disconnect it and connect it again'],
  ])('in the state %s says what to do', (state, message) => {
    expect(buildMessage({ ...phone, state }, {})).toBe(message);
  });

  it.each([
    ['offline', 'tcp', NO_ANSWER.tcp],
    [
      'disconnected',
      'tcp',
      'Not connected: check that the phone is on, awake and in the network, then connect it again; after a restart its address or port may be another, or wireless debugging off: turn it on, or run `adb tcpip` over USB',
    ],
    ['disconnected', 'emulator', 'Not running: start the emulator again'],
    [
      'unauthorized',
      'emulator',
      'Accept the USB debugging prompt in the emulator, or start it anew with the adb key of this host',
    ],
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
    ['is locked', { boot: { dataLocked: true } }, 'Locked since it started: unlock it once on the phone'],
    [
      'is behind a captive portal',
      { network: { status: 'UNREACHABLE', code: 302 } },
      'The network of the phone answers with HTTP 302 in place of the internet: open a browser on the phone and sign in (captive portal?)',
    ],
  ])('that %s', (_, facts, message) => {
    expect(buildMessage(phone, facts)).toBe(message);
  });
});
