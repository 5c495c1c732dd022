import { describe, expect, it } from 'vitest';
import { hostnode, programFile } from '../support/program.ts';
import { temporaryFolder } from '../support/program-lab.ts';
import { measure } from './measure.ts';
import { World } from './world.ts';

describe('what the bench counts', () => {
  it('is each request and connection of an inventory of three phones', async () => {
    await using world = await World.start();
    await world.open({ phones: 3 });
    const { code } = await hostnode(['inventory', '--json'], world.env(await temporaryFolder()));
    expect(code).toBe(0);
    const { connections, requests, byKind, conversations } = await world.counted();
    const { 'host:transport-id': selected = 0, shell = 0, exec = 0, ...others } = byKind;
    expect(Object.keys(conversations).sort()).toEqual(['BENCH0', 'BENCH1', 'BENCH2']);
    expect(Object.values(conversations).reduce((sum, count) => sum + count)).toBe(shell + exec);
    expect(selected).toBe(shell + exec);
    expect(others).toEqual({ 'host:devices': 1, 'host:devices-l': 1 });
    expect(requests).toBe(2 + 2 * selected);
    // one to see whether a server listens
    expect(connections).toBe(3 + selected);
    expect(await world.counted()).toMatchObject({ connections: 0, requests: 0 });
  });

  it('is the time and memory of a program and of those that it starts, and nothing of one that does not end', async () => {
    const env = {};
    const child = "process.on('exit', () => { while (process.cpuUsage().user < 300_000); })"; // 300 ms, however busy the machine is
    const parent = `require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(child)}])`;
    const taken = await measure({ command: [process.execPath, '-e', parent], env, limitMs: 120_000 });
    expect(taken?.wallMs).toBeGreaterThan(300);
    expect(taken?.cpuMs).toBeGreaterThan(200);
    expect(taken?.peakBytes).toBeGreaterThan(60 * 1024 * 1024); // two of Node, 40 MB each
    expect(await measure({ command: ['sleep', '60'], env, limitMs: 200 })).toBeUndefined();
    await expect(
      measure({ command: [process.execPath, programFile(), 'nonsense'], env, limitMs: 120_000 }),
    ).rejects.toThrow('unknown command');
  });
});
