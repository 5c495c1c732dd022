import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cleanEnvironment, Daemon, type Environment, programFile } from '../support/program.ts';
import {
  phoneOf,
  poco,
  startAdb,
  startCloud,
  stored,
  temporaryFolder,
  toAdb,
  toCloud,
} from '../support/program-lab.ts';

const DELAYS_MS = [0, 10, 20, 30, 40, 50, 60, 80, 100, 120, 140, 160, 180, 200, 250, 300, 400];
/** Node itself catches TERM and INT for the terminal's sake; HUP only the program does, in its first lines. */
const SIGHUP_BIT = 1n << 0n;

function caught(pid: number): bigint {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return BigInt(`0x${/^SigCgt:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
}

interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
}

/** Starts `hostnode run`, waits until its first lines have run and then so long, and sends it the signals. */
async function signalled(env: Environment, delayMs: number, ...signals: NodeJS.Signals[]): Promise<End> {
  const child = spawn(process.execPath, [programFile(), 'run'], {
    env: cleanEnvironment(env),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const closed = once(child, 'close');
  while ((caught(child.pid ?? 0) & SIGHUP_BIT) === 0n) await pause(1);
  await pause(delayMs);
  for (const signal of signals) child.kill(signal);
  const [code, signal] = await closed;
  return { code, signal, stderr };
}

const well: End = { code: 0, signal: null, stderr: '' };

describe('a signal as `hostnode run` starts', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends it well, whenever it comes',
    async (signal) => {
      const stateDir = await temporaryFolder();
      const adb = await startAdb(phoneOf(poco));
      const env = toAdb(adb.port, stateDir);
      const ends: [number, End, string[]][] = [];
      for (const delayMs of DELAYS_MS) {
        const end = await signalled(env, delayMs, signal);
        const left = readdirSync(stateDir, { withFileTypes: true }).flatMap((entry) =>
          entry.isSocket() ? [entry.name] : [],
        );
        ends.push([delayMs, end, left]);
      }
      expect(ends).toEqual(DELAYS_MS.map((delayMs) => [delayMs, well, []]));
    },
    60_000,
  );

  it('SIGHUP does not end it', async () => {
    const stateDir = join(await temporaryFolder(), 'state');
    const adb = await startAdb(phoneOf(poco));
    for (const delayMs of [0, 40, 80, 160])
      expect(await signalled(toAdb(adb.port, stateDir), delayMs, 'SIGHUP', 'SIGTERM')).toEqual(well);
  });

  it('ends it at once when a second one comes', async () => {
    const stateDir = join(await temporaryFolder(), 'state');
    const adb = await startAdb(phoneOf(poco));
    const end = await signalled(toAdb(adb.port, stateDir), 0, 'SIGTERM', 'SIGINT');
    expect(end).toEqual({ ...well, code: 1 });
  });

  it('has a host that is retired say so nevertheless', async () => {
    const stateDir = join(await temporaryFolder(), 'state');
    const [adb, cloud] = [await startAdb(phoneOf(poco)), await startCloud()];
    const env = { ...toAdb(adb.port, stateDir), ...toCloud(cloud), HOSTNODE_REPORT_ON_STOP: 'unplugged' };
    const first = new Daemon(env);
    await stored(cloud, ({ status }) => status === 'PLUGGED');
    expect(await first.end()).toEqual({ code: 0 });
    const status = () => cloud.devices().map(({ info }) => info.status);
    expect(status()).toEqual(['UNPLUGGED']);
    const before = cloud.requests.length;
    expect(await signalled(env, 0, 'SIGTERM')).toEqual(well);
    expect(status()).toEqual(['UNPLUGGED']);
    expect(cloud.requests.length).toBeGreaterThan(before);
  });
});
