import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openNotifier } from '../../src/daemon/sd-notify.ts';
import { listen } from './listener.ts';

describe('openNotifier', () => {
  it('tells systemd over the descriptor that the opener passed on', async () => {
    const { fd, next } = await listen();
    const notifier = openNotifier({ HOSTNODE_NOTIFY_FD: String(fd) });
    notifier.ready('2 phones');
    expect([await next(), await next()]).toEqual(['READY=1', 'STATUS=2 phones']);
    notifier.alive('3 phones');
    expect([await next(), await next()]).toEqual(['WATCHDOG=1', 'STATUS=3 phones']);
    notifier.stopping();
    expect([await next(), await next()]).toEqual(['STOPPING=1', 'STATUS=stopping']);
  });

  it('says when a reload began, by the monotonic clock', async () => {
    const { fd, next } = await listen();
    const before = process.hrtime.bigint() / 1000n;
    openNotifier({ HOSTNODE_NOTIFY_FD: String(fd) }).reloading();
    expect(await next()).toBe('RELOADING=1');
    const [, began = ''] = /^MONOTONIC_USEC=(\d+)$/.exec(await next()) ?? [];
    expect(BigInt(began)).toBeGreaterThanOrEqual(before);
    expect(BigInt(began)).toBeLessThanOrEqual(process.hrtime.bigint() / 1000n);
  });

  it('finds the descriptor by its name among those that systemd hands to this process', async () => {
    const { fd, next } = await listen();
    const names = [...Array.from({ length: fd - 3 }, () => 'other'), 'notify'].join(':');
    openNotifier({ LISTEN_PID: '7', LISTEN_FDNAMES: names }, 8).status('for another process');
    openNotifier({ LISTEN_PID: '7', LISTEN_FDNAMES: names }, 7).status('for this one');
    expect(await next()).toBe('STATUS=for this one');
  });

  it('writes into nothing that is not a socket', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hostnode-notify-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'file');
    const fd = openSync(file, 'w');
    openNotifier({ HOSTNODE_NOTIFY_FD: String(fd) }).ready('');
    closeSync(fd);
    openNotifier({ HOSTNODE_NOTIFY_FD: String(fd) }).ready('');
    openNotifier({ HOSTNODE_NOTIFY_FD: 'x' }).ready('');
    openNotifier({}).ready('');
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
