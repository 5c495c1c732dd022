/**
 * The phone's RAM, from `/proc/meminfo`.
 *
 * Source: Linux fs/proc/meminfo.c: `Key: value kB`. MemAvailable came with 3.14 and was brought to many older kernels.
 */
import { ParseError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { plainText } from './phone-text.ts';
import { KIB, type Section } from './section.ts';

export interface MemoryFacts {
  totalBytes: number;
  /** Absent if the dump has only the total. */
  usedBytes?: number;
}

/**
 * Used memory is the total minus MemAvailable; on kernels without it, minus MemFree, Buffers and Cached.
 *
 * @throws {ParseError} without a total
 */
export function parseMemory(text: string): MemoryFacts {
  const plain = plainText(text);
  const bytes = (key: string) => {
    const kilobytes = new RegExp(`^[ \\t]*${key}:[ \\t]*(\\d{1,12}) kB`, 'm').exec(plain)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  };
  const totalBytes = bytes('MemTotal');
  if (!totalBytes) throw new ParseError('/proc/meminfo', text);
  const unused = bytes('MemAvailable') ?? sum(bytes('MemFree'), bytes('Buffers'), bytes('Cached'));
  const plausible = unused !== undefined && unused <= totalBytes;
  return omitUndefined({ totalBytes, usedBytes: plausible ? totalBytes - unused : undefined });
}

/** Undefined if one of them is. */
const sum = (...values: (number | undefined)[]): number | undefined =>
  values.reduce(
    (total, value) => (total === undefined || value === undefined ? undefined : total + value),
    0,
  );

export const memory = {
  name: 'memory',
  cadence: 'round',
  limitSeconds: 2,
  limitBytes: 16 * KIB,
  commands: () => ({ meminfo: 'cat /proc/meminfo' }),
  parse: ({ meminfo }) => parseMemory(meminfo ?? ''),
} as const satisfies Section<MemoryFacts>;
