/** What the command line of the program is, without its commands: help, errors, exit codes. */
import { Command, CommanderError } from 'commander';
import { exitCode } from '../base/exit-code.ts';
import { escaped } from '../base/printable.ts';
import { version } from '../base/version.ts';
import { write } from './terminal.ts';

export const newProgram = (): Command =>
  new Command('hostnode')
    .description('Finds the Android phones on this host over adb, and keeps your device cloud up to date.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => write(process.stdout, text),
      writeErr: (text) => write(process.stderr, text),
    })
    .showHelpAfterError('(hostnode --help lists the commands)');

/** What stands behind a command in the example of its help, by the words of the command: `why` → `R58M123ABC`. */
export type Examples = Readonly<Record<string, string>>;

/** Runs the command that the arguments name, and sets the exit code of the process. */
export function runProgram(program: Command, examples: Examples): void {
  program.addHelpText('afterAll', ({ command }) => exampleOf(command, examples));
  pointToHelp(program, program.name());
  process.on('uncaughtException', crash);
  parse(program).then((code) => {
    process.exitCode = code;
  }, crash);
}

/** Values of arguments, in an example that nobody wrote. */
const SAMPLES: Examples = { name: 'R58M123ABC', phone: 'R58M123ABC', text: '"swapped the cable"' };

/** Of a command for which there is none, its name and the arguments that it must have. */
function exampleOf(command: Command, examples: Examples): string {
  const words: string[] = [];
  for (let each: Command | null = command; each?.parent; each = each.parent) words.unshift(each.name());
  if (words.length === 0 || command.commands.length > 0) return '';
  const name = words.join(' ');
  const needed = command.registeredArguments.filter(({ required }) => required);
  const sample = needed.map((argument) => SAMPLES[argument.name()] ?? argument.name()).join(' ');
  return `\nExample:\n${`  hostnode ${name} ${examples[name] ?? sample}`.trimEnd()}`;
}

/** After a usage error, points to the help of that command. */
function pointToHelp(command: Command, name: string): void {
  for (const below of command.commands) {
    const called = `${name} ${below.name()}`;
    below.showHelpAfterError(`(${called} --help lists the options)`);
    pointToHelp(below, called);
  }
}

async function parse(program: Command): Promise<number> {
  try {
    await program.parseAsync();
    return process.exitCode === undefined ? exitCode.ok : Number(process.exitCode);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCode.ok : exitCode.usage;
  }
}

/**
 * A bug ends the process. Prints only the text: other fields of an error may hold the request, and with it the API key.
 */
function crash(error: unknown): never {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`hostnode: ${escaped(text)}\n`);
  process.exit(exitCode.bug);
}
