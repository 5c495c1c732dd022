import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openNotify } from '../../src/daemon/sd-notify.ts';
import { listen } from './listener.ts';

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
