import { quoted } from '../../base/words.ts';

/**
 * The command that puts phones in maintenance for two hours, a line for each. The reason is for the person to write.
 * A udid can hold any printable text of a phone: it is quoted for a shell. Pure.
 */
export const maintenanceCommand = (udids: readonly string[]): string =>
  udids.map((udid) => `hostnode maintenance --until 2h --reason 'REASON' -- ${quoted(udid)}`).join('\n');
