import { readdir } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { describeWhere, without } from '../support/machine-needs.ts';
import { type Environment, hostnode } from '../support/program.ts';
import { poco, startHost } from '../support/program-lab.ts';
import { Terminal } from '../support/terminal.ts';

/** As somebody left the phone: one scale of three is set, authorizations expire after the default of seven days. */
const asFound = {
  'global adb_enabled': '1',
  'global development_settings_enabled': '1',
  'global window_animation_scale': '0.5',
};
/** As hostnode sets it for the profile `automation`. */
const asWanted = {
  ...asFound,
  'global stay_on_while_plugged_in': '7',
  'global hide_error_dialogs': '1',
  'global window_animation_scale': '0',
  'global transition_animation_scale': '0',
  'global animator_duration_scale': '0',
  'global adb_allowed_connection_time': '0',
  'global ota_disable_automatic_update': '1',
  'global verifier_verify_adb_installs': '0',
};

let phone: SimulatedPhone;
let adb: SimulatedAdbServer;
let cloud: Sandbox;
let env: Environment;
let stateDir: string;

beforeEach(async () => {
  const recording = recordings.find(({ serial }) => serial === poco);
  if (recording === undefined) throw new Error('no recording');
  const answers = { ...recording.answers, 'readiness.power': ['mWakefulness=Awake'] };
  phone = new SimulatedPhone({ ...recording, answers });
  const kept = new Map(Object.entries(asFound));
  const staysOn = () => kept.get('global stay_on_while_plugged_in') ?? '0';
  phone.alter('readiness.power', (text) => `  ${text}  mStayOnWhilePluggedInSetting=${staysOn()}\n`);
  phone.settings = kept;
  ({ adb, cloud, env, stateDir } = await startHost(phone));
});

const settings = () => Object.fromEntries(phone.settings ?? []);
const prepare = (...args: string[]) => hostnode(['prepare', ...args], env);
const apply = (...args: string[]) => prepare(poco, '--profile', 'automation', '--apply', ...args);
const allow = () => {
  env.HOSTNODE_PREPARE_APPLY = 'true';
};

describe('hostnode prepare', () => {
  it('lists what differs, how to set it, and what is not known; and changes nothing', async () => {
    const { code, stdout, stderr } = await prepare('POCO F6', '--profile', 'automation');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      `POCO F6 (${poco})`,
      '  unknown  Screen lock: none',
      '  ok       Screen on',
      '  differs  Stays awake while plugged in',
      '             Switch on "Stay awake" in the developer options of the phone',
      `             adb -s ${poco} shell settings put global stay_on_while_plugged_in 7`,
      '  ok       Developer options on',
      '  unknown  No dialog of the system in front',
      '  unset    No dialogs of crashed apps',
      `             adb -s ${poco} shell settings put global hide_error_dialogs 1`,
      '  differs  Animations off',
      '             Set the three animation scales in the developer options of the phone to off',
      ...['window_animation_scale', 'transition_animation_scale', 'animator_duration_scale'].map(
        (key) => `             adb -s ${poco} shell settings put global ${key} 0`,
      ),
      '  differs  USB authorizations do not expire',
      '             Switch on "Disable adb authorization timeout" in the developer options of the phone',
      `             adb -s ${poco} shell settings put global adb_allowed_connection_time 0`,
      '  unset    Automatic system updates off',
      '             Switch off "Automatic system updates" in the developer options of the phone',
      `             adb -s ${poco} shell settings put global ota_disable_automatic_update 1`,
      '  unset    Apps over USB not verified',
      '             Switch off "Verify apps over USB" in the developer options of the phone',
      `             adb -s ${poco} shell settings put global verifier_verify_adb_installs 0`,
      '3 of 10 differ, 2 not known; --apply sets 8 values',
      '',
    ]);
    const battery = await prepare(poco, '--profile', 'battery', '--json'); // it has no key of any maker
    expect({ code: battery.code, ...JSON.parse(battery.stdout) }).toEqual({
      code: 0,
      udid: poco,
      settings: [],
    });
    expect(settings()).toEqual(asFound);
    expect(await readdir(stateDir)).toEqual([]);
  });

  it('takes what the configuration wants, and says where nothing is wanted', async () => {
    const none = await prepare(poco);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing is wanted of f12a8ec9') });
    env.HOSTNODE_PREPARE_WANTS = '["developerOptions"]';
    const { code, stdout } = await prepare(poco, '--json');
    expect({ code, ...JSON.parse(stdout) }).toEqual({
      code: 0,
      udid: poco,
      settings: [{ setting: 'developerOptions', title: 'Developer options on', state: 'ok' }],
    });
  });

  it('sets nothing unless the configuration allows it, and somebody agrees', async () => {
    expect(await apply('--yes')).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('prepare.apply'),
    });
    allow();
    expect(await apply()).toMatchObject({ code: 2, stderr: expect.stringContaining('add --yes') });
    expect(await prepare('nobody', '--apply', '--yes')).toMatchObject({ code: 1 });
    expect(settings()).toEqual(asFound);
  });

  it('sets what the shell can set, and puts back what was there, but nothing that others set since', async () => {
    allow();
    const applied = await apply('--yes');
    expect(applied.stdout).toContain(`${poco}: set 8 values\nPOCO F6 (${poco})\n`);
    expect(applied.code).toBe(0); // what is left is not known
    expect(settings()).toEqual(asWanted);
    expect((await apply('--yes')).stdout).toContain('There is nothing that hostnode can set');
    phone.settings?.set('global stay_on_while_plugged_in', '3');
    const undone = await prepare(poco, '--undo', '--yes');
    expect(undone).toMatchObject({ code: 0, stdout: `${poco}: put back 7 values\n` });
    expect(undone.stderr).toContain(
      'left alone: global stay_on_while_plugged_in is 3 now, and hostnode had set 7',
    );
    expect(settings()).toEqual({ ...asFound, 'global stay_on_while_plugged_in': '3' });
    expect(await prepare(poco, '--undo', '--yes')).toMatchObject({ stdout: `${poco}: put back 0 values\n` });
    expect(await readdir(stateDir)).toEqual([]);
  });

  it('says which values a phone does not take, and keeps what was there', async () => {
    allow();
    phone.alter('readiness.settings', (text) => text.replace(/^hide_error_dialogs=.*\n/m, ''));
    const { code, stderr } = await apply('--yes');
    expect(code).toBe(1);
    expect(stderr).toContain('the phone did not take these:\n  settings put global hide_error_dialogs 1\n');
    expect(await readdir(stateDir)).toHaveLength(1);
  });

  it('touches no phone that is booked, nor one of which the cloud does not say', async () => {
    allow();
    await hostnode(['inventory', '--report'], env);
    cloud.book(poco);
    expect(await apply('--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${poco} is booked; nothing was set.`),
    });
    await cloud.stop();
    expect(await apply('--yes')).toMatchObject({ code: 3 });
    expect(settings()).toEqual(asFound);
  });

  it('sets nothing where it cannot keep what was there', async () => {
    allow();
    env.HOSTNODE_STATE_DIR = '/proc/nowhere';
    expect(await apply('--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing was set'),
    });
    expect(settings()).toEqual(asFound);
  });

  it('says that a phone cannot be read', async () => {
    adb.unplug(poco);
    expect(await prepare(poco, '--profile', 'manual')).toMatchObject({ code: 1 });
  });
});

describeWhere('prepare at a terminal', { missing: without(['script']) }, () => {
  it('asks first, and sets nothing where the answer is no', async () => {
    allow();
    const terminal = new Terminal(`hostnode prepare ${poco} --profile automation --apply`, env);
    await terminal.shows(`Do this on POCO F6 (${poco})?`);
    terminal.type('n');
    await terminal.ended;
    expect(settings()).toEqual(asFound);
  });
});
