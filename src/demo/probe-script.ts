/**
 * Parses the probe's script, as far as a simulated phone needs it:
 *
 *     set -m;A=<hex>;B=<hex>
 *     q(){ … }
 *     q <section>.<command> <limitSeconds> '<command text>'
 *     …
 *     echo;echo "$A$B."
 */

export interface ScriptCommand {
  /** `section.command`. */
  name: string;
  /** Time limit after which the phone kills the command. */
  limitSeconds: number;
  text: string;
}

export interface ProbeScript {
  /** The prefix of every mark of this conversation. */
  mark: string;
  commands: ScriptCommand[];
}

/** The script's commands; undefined when the text is not a probe's script. */
export function parseProbeScript(script: string): ProbeScript | undefined {
  const halves = /^set -m;A=([0-9a-f]+);B=([0-9a-f]+)/.exec(script);
  if (halves === null) return undefined;
  const commands = [...script.matchAll(/^q (\S+) (\d+) '([^']*)'$/gm)].map(
    ([, name = '', limit = '', text = '']) => ({ name, limitSeconds: Number(limit), text }),
  );
  return { mark: `${halves[1]}${halves[2]}`, commands };
}

export const startMark = (mark: string, name: string): string => `\n${mark}<${name}\n`;
export const endMark = (mark: string, name: string, exitCode: number): string =>
  `\n${mark}>${name} ${exitCode}\n`;
export const finalMark = (mark: string): string => `\n${mark}.\n`;

/** How a shell answers a command that it cannot find. */
export function notFound(command: string): { text: string; exitCode: number } {
  const [word = ''] = command.trim().split(/\s+/);
  return { text: `sh: ${word}: not found\n`, exitCode: 127 };
}
