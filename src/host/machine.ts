/** Facts about the host itself, in the contract's form. */
import os from 'node:os';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Machine } from '../cloud/contract/report.ts';
import { readNetwork } from './network.ts';

interface Memory {
  freemem: number;
  totalmem: number;
}

/** systeminformation returns 0, NaN or null for unknown values; then we use node:os. */
const known = (bytes: unknown, otherwise: number): number =>
  typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes > 0 ? bytes : otherwise;

async function readMemory(): Promise<Memory> {
  // only this file: the whole package would keep 600 kB in memory
  const { mem } = await import('systeminformation/lib/memory.js');
  const { free, total } = await mem();
  return { freemem: known(free, os.freemem()), totalmem: known(total, os.totalmem()) };
}

/**
 * Reads the current values. Memory in bytes, uptime in whole seconds. Starts no process.
 *
 * @param buildNumber the agent's own build, `YYMM.DD`
 */
export async function readMachine(buildNumber: string): Promise<Machine> {
  const [memory, network] = await Promise.all([readMemory(), readNetwork()]);
  return omitUndefined({
    hostname: os.hostname(),
    arch: os.arch(),
    ...memory,
    platform: os.platform(),
    type: os.type(),
    uptime: Math.floor(os.uptime()),
    version: os.version(),
    buildNumber,
    network,
  });
}
