import os from 'node:os';
import { describe, expect, it } from 'vitest';
import { Machine } from '../../src/cloud/contract/report.ts';
import { readMachine } from '../../src/host/machine.ts';

describe('readMachine', () => {
  it('describes this host', async () => {
    const before = Math.floor(os.uptime());
    const machine = await readMachine('2611.21');
    expect(Machine.parse(machine)).toEqual(machine);
    expect(machine).toMatchObject({
      hostname: os.hostname(),
      arch: os.arch(),
      platform: os.platform(),
      type: os.type(),
      version: os.version(),
      totalmem: os.totalmem(),
      buildNumber: '2611.21',
    });
    expect(machine.freemem).toBeGreaterThan(0);
    expect(machine.freemem).toBeLessThan(machine.totalmem);
    expect(machine.uptime).toBeGreaterThanOrEqual(before);
    expect(machine.uptime).toBeLessThanOrEqual(os.uptime());
  });
});
