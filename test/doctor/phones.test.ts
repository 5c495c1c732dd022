import { describe, expect, it } from 'vitest';
import type { ListedDevice } from '../../src/adb/adb.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createAdb } from '../../src/daemon/host-parts.ts';
import { findingOf } from '../../src/diagnosis/evaluate.ts';
import { state } from '../../src/diagnosis/rules/present.ts';
import { checkUnit, parseUnits } from '../../src/doctor/host.ts';
import { checkKey, checkPhones, readPhones } from '../../src/doctor/phones.ts';
import { NO_ANSWER } from '../../src/report/message.ts';
import { phoneOf, poco, smartron, startAdb } from '../support/program-lab.ts';

const unauthorized = (serial: string): ListedDevice => ({ serial, state: 'unauthorized' });

describe('the server’s key', () => {
  it('is another one when all phones are unauthorized at once', () => {
    expect(checkKey([unauthorized('a'), unauthorized('b')], '/home/anna/.android')).toEqual({
      name: 'adb key',
      status: 'failed',
      seen: 'all 2 phones are unauthorized at once: they do not know this server’s key, in /home/anna/.android',
      remedy: expect.stringContaining('restore the lab’s adbkey'),
    });
  });

  it('is not to blame for one phone', () => {
    expect(checkKey([unauthorized('a')])).toBeUndefined();
    expect(checkKey([unauthorized('a'), { serial: 'b', state: 'device' }])).toBeUndefined();
    expect(checkKey([])).toBeUndefined();
  });
});

it('a phone that this host may not open is a failure of the host, one that waits for a person a warning', () => {
  const found = ['no permissions', 'offline'].map((sign) => {
    const subject = { kind: 'phone', key: 'a' } as const;
    return findingOf(state, { subject, title: `a: ${sign}`, sign, remedy: 'do this' }, 0);
  });
  const device = { udid: 'a', message: 'do this' };
  const judged = [...found, undefined].map((finding) =>
    checkPhones([{ ...device, ...(finding && { finding }) }]),
  );
  expect(judged.flat()).toEqual([
    { name: 'a', status: 'failed', seen: 'no permissions', remedy: 'do this' },
    { name: 'a', status: 'warning', seen: 'offline', remedy: 'do this' },
    { name: 'a', status: 'warning', seen: 'not ready yet', remedy: 'do this' },
  ]);
});

it('a phone that was read is called by its name and its udid, and what ails it as the status calls it', async () => {
  const phone = phoneOf(poco);
  phone.alter('network.probe', () => 'connectivitycheck.gstatic.com\nHTTP/1.1 302 Found\n');
  const silent = phoneOf(smartron);
  silent.disturb('*', { kind: 'drop', afterBytes: 0 });
  const hot = phoneOf('50dc3516');
  hot.alter('battery.dump', (answer) => answer.replace(/temperature: \d+/, 'temperature: 612'));
  const adb = await startAdb(silent, phone, phoneOf('emulator-5554'), hot);
  const env = { HOSTNODE_ADB_PORT: String(adb.port) };
  const { config } = await loadConfig({ env, defaultFile: '' });
  const listed = await createAdb(config).listDevices();
  const { signal } = new AbortController();
  expect(checkPhones(await readPhones(config, listed, signal))).toEqual([
    {
      name: '50dc3516',
      status: 'warning',
      seen: 'hot: Xiaomi 12X, Android 12',
      remedy: expect.stringContaining('take it out of the rack at once'),
    },
    {
      name: smartron,
      status: 'warning',
      seen: 'no answer',
      remedy: NO_ANSWER.usb,
    },
    {
      name: poco,
      status: 'warning',
      seen: 'no internet: POCO F6, Android 15',
      remedy: expect.stringContaining('The network of the phone answers with HTTP 302'),
    },
    { name: 'emulator-5554', status: 'ok', seen: expect.stringMatching(/^ready: .*, Android 14$/) },
  ]);
});

it('a network phone is called by its udid and not by its address', () => {
  const device = { udid: 'R58M1', message: '', deviceName: 'Galaxy S21' };
  expect(checkPhones([{ ...device, ...{ adbTunnelInfo: { serial: '192.168.1.7:5555' } } }])).toEqual([
    { name: 'R58M1', status: 'ok', seen: 'ready: Galaxy S21' },
  ]);
});

it('no phone at all is a warning with what to try', () => {
  expect(checkPhones([])).toMatchObject([{ status: 'warning', seen: 'adb lists no phone' }]);
});

describe('the units', () => {
  const show = [
    'Id=hostnode.service\nLoadState=loaded\nActiveState=activating\nSubState=auto-restart\nResult=exit-code\nNRestarts=4\nMainPID=0',
    'Id=hostnode-adb.service\nLoadState=loaded\nActiveState=active\nSubState=running\nResult=success\nNRestarts=0\nMainPID=812',
  ].join('\n\n');
  const [agent, adb] = parseUnits(`${show}\n`);
  if (agent === undefined || adb === undefined) throw new Error('two units were shown');

  it('that do not run say where to look', () => {
    expect(checkUnit(agent, undefined)).toEqual({
      name: 'hostnode',
      status: 'failed',
      seen: 'activating (auto-restart), ended by exit-code, restarted 4 times',
      remedy: 'Run journalctl -u hostnode -n 50 for the reason, then systemctl restart hostnode',
    });
  });

  it('that run are fine, but for an adb server that waits for the port', () => {
    expect(checkUnit(adb, 812)).toEqual({ name: 'hostnode-adb', status: 'ok', seen: 'active (running)' });
    expect(checkUnit(adb, 99)).toMatchObject({
      status: 'warning',
      seen: 'waiting: process 99 holds the port',
    });
  });

  it('that somebody has stopped and disabled are skipped', () => {
    const show =
      'Id=hostnode-adb.service\nLoadState=loaded\nUnitFileState=disabled\nActiveState=inactive\nSubState=dead\nResult=success';
    const [unit] = parseUnits(show);
    expect(unit && checkUnit(unit, undefined)).toMatchObject({
      status: 'skipped',
      seen: 'inactive (dead), and disabled',
    });
    const [enabled] = parseUnits(show.replace('disabled', 'enabled'));
    expect(enabled && checkUnit(enabled, undefined).status).toBe('failed');
  });

  it('that are not installed or masked are skipped, and those that systemd does not load have failed', () => {
    const loaded = ['not-found', 'masked', 'bad-setting', 'error'].map((load) => {
      const [unit] = parseUnits(show.replace('LoadState=loaded', `LoadState=${load}`));
      return unit && checkUnit(unit, undefined);
    });
    const broken = {
      name: 'hostnode',
      status: 'failed',
      remedy: 'Run systemctl status hostnode: it names the line',
    };
    expect(loaded).toEqual([
      { name: 'hostnode', status: 'skipped', seen: 'not installed as a service' },
      { name: 'hostnode', status: 'skipped', seen: 'masked', remedy: 'systemctl unmask hostnode' },
      { ...broken, seen: 'not loaded by systemd: bad-setting' },
      { ...broken, seen: 'not loaded by systemd: error' },
    ]);
  });
});
