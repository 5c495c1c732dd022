import { describe, expect, it, onTestFinished } from 'vitest';
import type { AgentState } from '../../src/agent/state.ts';
import { anyHost } from '../../src/base/environment.ts';
import { notifyOver } from '../../src/daemon/sd-notify.ts';
import { Service, watchdogMsOf } from '../../src/daemon/systemd.ts';
import { listen } from './listener.ts';

const state: AgentState = {
  nodeId: 'node-1',
  hasListed: true,
  nextReportMs: 60_000,
  adb: { state: 'listed' },
  usbPorts: [],
  phones: [],
  reports: { notReporting: 'no cloud configured' },
};
const line = 'STATUS=no phones; not reporting: no cloud configured';
const adbAt = { host: '127.0.0.1', port: 5037, hostKind: anyHost };
const slow = { readyWithinMs: 60_000, statusEveryMs: 60_000, withoutHostMs: 60_000 };

async function start(timing: Partial<typeof slow>, watchdogMs?: number) {
  const { fd, next } = await listen();
  const service = new Service(notifyOver(fd), { watchdogMs, timing: { ...slow, ...timing } });
  onTestFinished(() => service.stopping());
  const listing = Promise.withResolvers<void>();
  const agent = { isProgressing: true, state, firstListing: listing.promise };
  return { service, agent, hasListed: listing.resolve, next };
}

describe('the service', () => {
  it('is ready as soon as adb has listed its phones, and not before', async () => {
    const { service, agent, hasListed, next } = await start({});
    service.runs({ agent, adbAt, findings: [] });
    service.reloading();
    hasListed();
    expect([await next(), (await next()).slice(0, 15)]).toEqual(['RELOADING=1', 'MONOTONIC_USEC=']);
    expect([await next(), await next()]).toEqual(['READY=1', line]);
  });

  it('is ready after a while although adb has listed nothing', async () => {
    const { next } = await start({ readyWithinMs: 5 });
    expect([await next(), await next()]).toEqual(['READY=1', 'STATUS=starting']);
  });

  it('tells the watchdog three times in its time that it lives, and no more once it makes no progress', async () => {
    const { service, agent, next } = await start({}, 60);
    service.runs({ agent, adbAt, findings: [] });
    expect([await next(), await next()]).toEqual(['WATCHDOG=1', line]);
    agent.isProgressing = false;
    let said = await next();
    while (said === 'WATCHDOG=1' || said === line) said = await next();
    const more = [said, await next(), await next()];
    expect(more).toEqual(more.map(() => line.replace('=', '=hangs; ')));
  });

  it('does not live for long without a host', async () => {
    const { next } = await start({ withoutHostMs: 1_000 }, 60);
    expect([await next(), await next()]).toEqual(['WATCHDOG=1', 'STATUS=starting']);
    let said = await next();
    while (!said.includes('hangs')) said = await next();
    expect(await next()).toBe('STATUS=hangs; starting');
  });
});

describe('watchdogMsOf', () => {
  it('reads how long systemd waits for this process', () => {
    expect(watchdogMsOf({ WATCHDOG_USEC: '30000000', WATCHDOG_PID: '7' }, 7)).toBe(30_000);
    expect(watchdogMsOf({ WATCHDOG_USEC: '30000000' }, 7)).toBe(30_000);
  });

  it('knows of no watchdog where there is none, or it is for another process', () => {
    expect(watchdogMsOf({})).toBeUndefined();
    expect(watchdogMsOf({ WATCHDOG_USEC: '0' })).toBeUndefined();
    expect(watchdogMsOf({ WATCHDOG_USEC: '30000000', WATCHDOG_PID: '8' }, 7)).toBeUndefined();
  });
});
