import type { HostStatus } from '../host-status.ts';
import { exactly, moment } from './words.ts';

/** The list of problems as Markdown, for the hand-over of a shift. Pure. */
export function problemsAsMarkdown({ host, causes, counts, phones, takenAt }: HostStatus): string {
  const title = `## ${escaped(host.name)}, ${exactly(takenAt)}`;
  const summary = `${counts.needsAttention} of ${counts.phones} phones need attention, ${counts.maintenance} in maintenance`;
  const known = new Map(phones.map((phone) => [phone.udid, phone]));
  const lines = causes.map(({ title, code: finding, said, remedy, command, since, udids }) => {
    const found = udids.flatMap((udid) => known.get(udid) ?? []);
    const where = found.map(({ slot, serial }) =>
      slot ? `${escaped(slot)} (${code(serial)})` : code(serial),
    );
    return [
      `- **${escaped(title)}**${finding ? ` (${code(finding)})` : ''}, since ${moment(since, takenAt)}. ${escaped(remedy)}`,
      ...(said === undefined ? [] : [`  The cloud says: ${escaped(said)}`]),
      ...(command === undefined ? [] : [`  Command: ${code(command)}`]),
      ...(where.length === 0 ? [] : [`  Where: ${where.join(', ')}`]),
    ].join('\n');
  });
  return [
    title,
    '',
    `${summary}.`,
    '',
    ...(lines.length === 0 ? ['Nothing needs attention.'] : lines),
    '',
  ].join('\n');
}

/** Puts text that would become a link or a mention into code. */
const escaped = (text: string) =>
  /@|:\/\/|www\./i.test(text) ? code(text) : text.replace(/[\\`*_[\]<>#|~&]/g, '\\$&');
/** Only a backtick ends a code span. */
const code = (text: string) => `\`${text.replaceAll('`', "'")}\``;
