/**
 * Joins the sections' commands into one script for the phone's shell.
 *
 * Each command runs as a background job of its own process group (`set -m`), so that its watchdog can kill it
 * with its children; `wait` gives its exit code, 137 where the watchdog struck. The marks around its output are
 * random and appear in the script only as two halves, so that no output, not even a listing of command lines,
 * can imitate them. The shell may be mksh R40 of Android 4.0: no printf, no here-document (it would write a
 * file), signals by number, and no function named like one of mksh's aliases (`r` is one: `fc -e -`).
 */
import { randomUUID } from 'node:crypto';
import type { CommandOptions, Section } from '../facts/section.ts';

/**
 * The longest script that is sent, bytes. What follows `exec:` travels in one packet of at most 4096 bytes to a
 * phone before Android 7, and a longer one aborts the adb server for everybody on the host (AOSP adb/sockets.cpp,
 * CHECK on data_length); prefix and the closing NUL come on top.
 */
export const MAX_SCRIPT_BYTES = 4000;

const HARNESS = [
  "trap 'kill -9 -$p -$w;exit 129' 1",
  'q(){ echo;echo "$A$B<$1";(eval "$3")</dev/null 2>&1&p=$!;(sleep $2;kill -9 -$p)>/dev/null 2>&1 </dev/null&w=$!;' +
    'wait $p;c=$?;kill -9 -$w;echo;echo "$A$B>$1 $c";}',
].join('\n');
const END = 'echo;echo "$A$B."';

export interface ProbeCommand {
  /** `section.command`, as it stands in the marks. */
  name: string;
  limitSeconds: number;
  /** Limit of its output; absent: `MAX_ANSWER_BYTES`. */
  limitBytes?: number;
  text: string;
}

/** The commands of these sections, less those that rest. */
export function commandsOf(
  sections: readonly Section<unknown>[],
  options: CommandOptions,
  resting: (name: string) => boolean = () => false,
): ProbeCommand[] {
  return sections.flatMap((section) =>
    Object.entries(section.commands(options))
      .map(([command, text]) => ({
        name: `${section.name}.${command}`,
        limitSeconds: section.limitSeconds,
        limitBytes: section.limitBytes,
        text,
      }))
      .filter(({ name }) => !resting(name)),
  );
}

export interface Script {
  text: string;
  /** The mark that the phone prints: never in the text as a whole. */
  mark: string;
  commands: ProbeCommand[];
}

/**
 * Composes as many of the commands as fit into one script, in their order.
 *
 * @returns the script and the commands that are left for another one
 * @throws {RangeError} for a command that is too long by itself, or holds a single quote
 */
export function composeScript(
  commands: readonly ProbeCommand[],
  mark = randomMark(),
): { script: Script; left: ProbeCommand[] } {
  const half = mark.length / 2;
  const head = `set -m;A=${mark.slice(0, half)};B=${mark.slice(half)}\n${HARNESS}\n`;
  const room = MAX_SCRIPT_BYTES - head.length - END.length;
  const lines = fitting(commands.map(lineOf), room);
  if (lines.length === 0 && commands[0])
    throw new RangeError(`the command ${commands[0].name} is too long for any script`);
  return {
    script: { text: head + lines.join('') + END, mark, commands: commands.slice(0, lines.length) },
    left: commands.slice(lines.length),
  };
}

/** As many of the first lines as fit into `bytes`; mostly all. */
function fitting(lines: readonly string[], bytes: number): readonly string[] {
  let first = lines;
  while (Buffer.byteLength(first.join('')) > bytes) first = first.slice(0, -1);
  return first;
}

function lineOf({ name, limitSeconds, text }: ProbeCommand): string {
  if (text.includes("'")) throw new RangeError(`the command ${name} holds a single quote`);
  return `q ${name} ${limitSeconds} '${text}'\n`;
}

const randomMark = () => randomUUID().replaceAll('-', '').slice(0, 24);
