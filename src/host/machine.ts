/** Facts of the host itself, in the contract's shape: node:os, systeminformation's memory, the network. */
import os from 'node:os';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Machine } from '../cloud/contract.ts';
import { readNetwork } from './network.ts';

interface Memory {
  freemem: number;
  totalmem: number;
}

/** systeminformation writes 0, NaN or null for what it does not know; node:os knows it then. */
const known = (bytes: unknown, otherwise: number): number =>
  typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes > 0 ? bytes : otherwise;

async function readMemory(): Promise<Memory> {
  // this file of it alone: the others are most of 600 kB that a daemon would keep in memory
  const { mem } = await import('systeminformation/lib/memory.js');
  const { free, total } = await mem();
  return { freemem: known(free, os.freemem()), totalmem: known(total, os.totalmem()) };
}

/**
 * Reads the host as it is now. Memory in bytes, uptime in whole seconds. Starts no process.
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
