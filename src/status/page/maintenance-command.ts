import { quoted } from '../../base/words.ts';
import type { Band } from '../host-status.ts';

/**
 * The command that puts phones in maintenance for two hours: one line for a whole shelf, else one for each phone. The reason
 * is for the person to write. A udid can hold any printable text of a phone: it is quoted for a shell. Pure.
 */
export function maintenanceCommand(udids: readonly string[], bands: readonly Band[] = []): string {
  const left = new Set(udids);
  const shelves = bands.flatMap(({ name, bays }) => {
    const there = bays.flatMap(({ udid = [] }) => udid);
    if (name === '' || there.length < 2 || !there.every((udid) => left.has(udid))) return [];
    for (const udid of there) left.delete(udid);
    return name;
  });
  return [...shelves, ...left]
    .map((name) => `hostnode maintenance --until 2h --reason 'REASON' -- ${quoted(name)}`)
    .join('\n');
}
