import type { HostStatus } from '../host-status.ts';
import { exactly, moment } from './words.ts';

/** The list of problems for the shift's hand-over, to be pasted where Markdown is read. Pure. */
export function problemsAsMarkdown({ host, causes, counts, phones, takenAt }: HostStatus): string {
  const title = `## ${escaped(host.name)}, ${exactly(takenAt)}`;
  const summary = `${counts.needHand} of ${counts.phones} phones need a hand, ${counts.maintenance} in maintenance`;
  const known = new Map(phones.map((phone) => [phone.udid, phone]));
  const lines = causes.map(({ title, remedy, command, since, udids }) => {
    const found = udids.flatMap((udid) => known.get(udid) ?? []);
    const where = found.map(({ slot, serial }) =>
      slot ? `${escaped(slot)} (${code(serial)})` : code(serial),
    );
    return [
      `- **${escaped(title)}**, since ${moment(since, takenAt)}. ${escaped(remedy)}`,
      ...(command === undefined ? [] : [`  Command: ${code(command)}`]),
      ...(where.length === 0 ? [] : [`  Where: ${where.join(', ')}`]),
    ].join('\n');
  });
  return [title, '', `${summary}.`, '', ...(lines.length === 0 ? ['Nothing needs a hand.'] : lines), ''].join(
    '\n',
  );
}

/** What would become a link or call somebody stands as code. */
const escaped = (text: string) =>
  /@|:\/\/|www\./i.test(text) ? code(text) : text.replace(/[\\`*_[\]<>#|~&]/g, '\\$&');
/** Nothing ends a span of code but its own mark. */
const code = (text: string) => `\`${text.replaceAll('`', "'")}\``;
