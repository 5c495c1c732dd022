/**
 * Recorded commands: a script for each tool that answers its command lines from files. What stands between
 * phone and answer is the phone's own shell, so pipes, redirections and exit codes behave as on a phone.
 */
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import type { AndroidRelease } from './android-release.ts';
import { quoted } from './quoted.ts';

/** What a command line prints, and how it ends. */
export interface Recording {
  /** The words of the command line, joined by blanks; `*` stands for any text. */
  command: string;
  stdout?: string | Uint8Array;
  stderr?: string;
  exitCode?: number;
  /** After its output it never ends; a child of it holds stdout open. */
  hangs?: boolean;
}

/** A script and the files that it prints, by path in the phone's root folder. */
export type ScriptFiles = Record<string, string | Uint8Array>;

/** A `case` pattern: the text itself, with its stars open. */
const pattern = (words: string): string =>
  words
    .split('*')
    .map((part) => part && quoted(part))
    .join('*') || "''";

export const toolOf = (recording: Recording): string => /^[^ *]+/.exec(recording.command)?.[0] ?? '';

/** The script of one tool: its recordings, the first match counts, then what it says to anything else. */
export function recordedTool(tool: string, recordings: Recording[], release: AndroidRelease): ScriptFiles {
  const files: ScriptFiles = {};
  const cases = recordings.map(({ command, stdout, stderr, exitCode = 0, hangs = false }, index) => {
    // started first, so that it runs already when the answer arrives
    const steps = hangs ? ['/.rig/sleep 600 & :'] : [];
    for (const [name, content] of Object.entries(omitUndefined({ stdout, stderr }))) {
      const file = `/.rig/answers/${tool}/${index}.${name}`;
      files[file] = content;
      steps.push(`/.rig/cat ${file}${name === 'stderr' ? ' >&2' : ''}`);
    }
    if (hangs) steps.push('wait');
    return `${pattern(command.slice(tool.length).trimStart())}) ${[...steps, `exit ${exitCode}`].join('; ')} ;;`;
  });
  const script = [
    '#!/system/bin/sh',
    prelude(tool, release),
    'case "$*" in',
    ...cases,
    'esac',
    rest(tool, recordings),
    '',
  ];
  return { ...files, [`/.rig/tools/${tool}`]: script.join('\n') };
}

/** What a tool does before it looks at its arguments. */
function prelude(tool: string, release: AndroidRelease): string {
  if (tool === 'nc') return '/.rig/cat >/dev/null';
  if (tool === 'dumpsys' && release.hasDumpsysTimeout) return 'case $1 in -t|-T) shift 2 ;; esac';
  return ':';
}

/** What a tool says to a command line that nobody recorded, as the real one would. */
function rest(tool: string, recordings: Recording[]): string {
  const services = recordings.map(({ command }) => command.split(' ')[2] ?? '');
  switch (tool) {
    case 'dumpsys':
      return `print -u2 -r -- "Can't find service: $1"; exit 0`;
    case 'cmd':
      return `print -u2 -r -- "cmd: Can't find service: $1"; exit 20`;
    case 'service':
      return [
        `case $2 in ${services.map(quoted).join('|') || "''"})`,
        `print -r -- 'Result: Parcel(Error: 0xffffffffffffffb6 "Not a data message")'; exit 0 ;; esac`,
        `print -u2 -r -- "service: Service $2 does not exist"; exit 10`,
      ].join('\n');
    case 'settings':
      return 'echo null; exit 0';
    case 'toybox':
      return [
        'for folder in /.rig/tools /system/bin; do',
        '[ "$1" != toybox ] && [ -x "$folder/$1" ] && tool=$folder/$1 && shift && exec "$tool" "$@"',
        'done',
        'print -u2 -r -- "toybox: Unknown command $1"; exit 127',
      ].join('\n');
    default:
      return [
        `[ -x /.rig/real/${tool} ] && exec /.rig/real/${tool} "$@"`,
        `print -u2 -r -- "Error: unknown command: ${tool} $*"; exit 1`,
      ].join('\n');
  }
}
