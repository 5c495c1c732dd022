import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import type { SimulatedPhone } from '../../src/demo/phone.ts';
import type { HistoryEvent } from '../../src/history/events/event.ts';
import { Store } from '../../src/history/store/store.ts';
import type { EventPage } from '../../src/status/host-status.ts';
import { Daemon, type Environment, hostnode } from '../support/program.ts';
import { phoneOf, poco, smartron, startHost } from '../support/program-lab.ts';
import { freePort } from '../support/raw-server.ts';

let phone: SimulatedPhone;
let adb: SimulatedAdbServer;
let env: Environment;
let file: string;

let page: string;

beforeEach(async () => {
  phone = phoneOf(poco);
  const host = await startHost(phone, phoneOf(smartron));
  const port = await freePort();
  adb = host.adb;
  env = { ...host.env, HOSTNODE_STATUS_ENABLED: 'true', HOSTNODE_STATUS_PORT: String(port) };
  page = `http://127.0.0.1:${port}`;
  file = join(host.stateDir, 'history.sqlite');
});

/** What is on the disk after the end of the program, oldest first. */
function kept(): HistoryEvent[] {
  const store = new Store(new DatabaseSync(file));
  try {
    return store.events().toReversed();
  } finally {
    store.close();
  }
}

const kindsIn = (events: readonly HistoryEvent[], udid: string | undefined): string[] =>
  events.filter((event) => event.udid === udid).map(({ kind }) => kind);

/** What the running program has written, oldest first; of the host where no phone is named. */
async function written(udid?: string): Promise<string[]> {
  const answer = await fetch(`${page}/api/phones/${udid ?? poco}/events`);
  const { events } = (await answer.json()) as EventPage;
  return events
    .filter((event) => event.udid === udid)
    .map(({ kind }) => kind)
    .toReversed();
}

const expectWritten = (udid: string | undefined, kinds: readonly string[]) =>
  expect.poll(() => written(udid), { interval: 300 }).toEqual(kinds);

async function running(): Promise<Daemon> {
  const daemon = new Daemon(env);
  await daemon.says('round');
  return daemon;
}

const reboot = () => {
  phone.alter('boot.clock', () => '00000002-5b6a-4c8f-9a53-0d2f5e8b1c47\n30.00 100.00\n');
  phone.alter('boot.properties', (text) => `${text}\n[sys.boot.reason]: [kernel_panic]\n`);
};

describe('events', () => {
  it('outlast a reload, kill -9 and a restart; what happened meanwhile is told, and nothing is made up', async () => {
    const first = await running();
    const whole = ['attached', 'identity', 'stored'];
    await expectWritten(poco, whole);
    await expectWritten(smartron, whole);

    first.signal('SIGHUP');
    await first.says('hostnode starts');
    await first.says('round');
    await expectWritten(undefined, ['agentStarted', 'agentReloaded']);
    await expectWritten(poco, whole);
    first.signal('SIGKILL');
    await first.ended;

    adb.unplug(smartron);
    reboot();
    const second = await running();
    await expectWritten(poco, [...whole, 'rebooted']);
    await expectWritten(smartron, [...whole, 'detached']);
    expect(await second.end()).toMatchObject({ code: 0 });
    const before = kept();
    expect(kindsIn(before, undefined)).toEqual([
      ...['agentStarted', 'agentReloaded'],
      ...['agentStarted', 'agentStopped'],
    ]);
    expect(before.find(({ kind }) => kind === 'rebooted')).toMatchObject({
      udid: poco,
      reason: 'kernel_panic',
      where: { usbPath: expect.any(String) },
    });

    const third = await running();
    expect(await third.end()).toMatchObject({ code: 0 });
    const after = kept();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length)).toMatchObject([
      { kind: 'agentStarted', hostBootedAt: expect.any(Number), lastAliveAt: expect.any(Number) },
      { kind: 'agentStopped' },
    ]);
  });

  it('of a maintenance are its begin and its end, and of a forgotten phone nothing remains', async () => {
    const daemon = await running();
    const maintain = async (...args: string[]) =>
      expect(await hostnode(['maintenance', smartron, ...args], env)).toMatchObject({ code: 0 });
    const whole = ['attached', 'identity', 'stored'];
    await expectWritten(smartron, whole);
    await maintain('--until', '2h', '--reason', 'screen');
    await expectWritten(smartron, [...whole, 'maintenance']);
    await maintain('--end');
    await expectWritten(smartron, [...whole, 'maintenance', 'maintenanceEnded']);
    await maintain('--until', '2h', '--reason', 'it goes');
    adb.unplug(smartron);
    await daemon.says('phone unplugged');
    expect(await hostnode(['forget', smartron], env)).toMatchObject({ code: 0 });
    expect(await daemon.end()).toMatchObject({ code: 0 });
    const events = kept();
    expect(kindsIn(events, smartron)).toEqual([]);
    expect(kindsIn(events, poco)).toEqual(whole);
  });
});
