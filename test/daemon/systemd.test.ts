import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AgentState } from '../../src/agent/state.ts';
import { anyHost } from '../../src/base/environment.ts';
import { notifyOver, openNotify, Service, watchdogMsOf } from '../../src/daemon/systemd.ts';
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
  const service = new Service(notifyOver(fd), watchdogMs, { ...slow, ...timing });
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

describe('openNotify', () => {
  it('sends to systemd over the descriptor that the opener passed on', async () => {
    const { fd, next } = await listen();
    openNotify({ HOSTNODE_NOTIFY_FD: String(fd) })('READY=1', 'STATUS=2 phones');
    expect([await next(), await next()]).toEqual(['READY=1', 'STATUS=2 phones']);
  });

  it('finds the descriptor by its name among those that systemd hands to this process', async () => {
    const { fd, next } = await listen();
    const names = [...Array.from({ length: fd - 3 }, () => 'other'), 'notify'].join(':');
    openNotify({ LISTEN_PID: '7', LISTEN_FDNAMES: names }, 8)('STATUS=for another process');
    openNotify({ LISTEN_PID: '7', LISTEN_FDNAMES: names }, 7)('STATUS=for this one');
    expect(await next()).toBe('STATUS=for this one');
  });

  it('writes into nothing that is not a socket', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hostnode-notify-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'file');
    const fd = openSync(file, 'w');
    openNotify({ HOSTNODE_NOTIFY_FD: String(fd) })('READY=1');
    closeSync(fd);
    openNotify({ HOSTNODE_NOTIFY_FD: String(fd) })('READY=1');
    openNotify({ HOSTNODE_NOTIFY_FD: 'x' })('READY=1');
    openNotify({})('READY=1');
    expect(readFileSync(file, 'utf8')).toBe('');
  });
});

describe('the opener in the unit', () => {
  const unit = readFileSync(new URL('../../systemd/hostnode.service', import.meta.url), 'utf8');
  const [, script = ''] =
    /^ExecStart=\/usr\/bin\/perl -MSocket=:DEFAULT,SOCK_NONBLOCK -e '(.*?)' \\$/ms.exec(unit) ?? [];
  /** As systemd reads it. */
  const perl = script.replaceAll('\\\n', ' ').replaceAll('$$', '$').replaceAll('\\\\', '\\');
  const start = (env: Record<string, string>) =>
    execFileSync(
      'perl',
      ['-MSocket=:DEFAULT,SOCK_NONBLOCK', '-e', perl, '/bin/sh', '-c', 'echo "$HOSTNODE_NOTIFY_FD"'],
      {
        env,
        encoding: 'utf8',
      },
    );

  it('starts the agent also where there is nobody to notify', () => {
    expect(perl).toContain('exec @ARGV');
    expect(start({})).toBe('\n');
    expect(start({ NOTIFY_SOCKET: '/nonexistent/notify' })).toBe('\n');
  });
});
