import { expect, it } from 'vitest';
import type { RosterDevice } from '../../src/roster/device.ts';
import { announced, refused, stored } from '../../src/roster/device-changes.ts';

const phone: RosterDevice = {
  udid: 'A1',
  serial: 'A1',
  connection: 'usb',
  attached: true,
  state: 'device',
  lastSeenAt: 0,
};
const unplugged: RosterDevice = { ...phone, attached: false, state: 'disconnected' };
const oldName: RosterDevice = { ...unplugged, supersededBy: 'A1@1-2' };

it('one that is announced twice without an answer may be stored', () => {
  const once = announced(phone);
  expect(once).toEqual({ ...phone, reported: true });
  expect(announced(once)).toEqual({ ...phone, reported: true, wasStored: true });
});

it('one that was refused is not what the cloud may have stored', () => {
  expect(refused(announced(phone))).toEqual({ ...phone, reported: false, cloudAnswer: 'refused' });
  expect(announced({ ...phone, reported: false })).not.toHaveProperty('wasStored');
});

it('a refusal takes nothing back that the cloud has stored', () => {
  const device = stored(phone, 'PLUGGED');
  expect(device).toEqual({ ...phone, reported: true, wasStored: true, cloudAnswer: 'stored' });
  expect(device && refused(device)).toEqual({ ...device, cloudAnswer: 'refused' });
});

it('an unplugged phone is still reported until the cloud has stored that', () => {
  expect(stored(unplugged, 'UNPLUGGED')).toMatchObject({ reported: true, isGoneStored: true });
});

it('an attached phone that the lab ignores is reported unplugged once', () => {
  expect(stored(phone, 'UNPLUGGED')).toEqual({
    ...phone,
    reported: false,
    wasStored: true,
    cloudAnswer: 'stored',
  });
});

it('an old name is remembered until the cloud has stored or refused it', () => {
  expect(stored(oldName, 'UNPLUGGED')).toBeUndefined();
  expect(refused(oldName)).toBeUndefined();
  expect(refused({ ...oldName, wasStored: true })).toMatchObject({ supersededBy: 'A1@1-2' });
});
