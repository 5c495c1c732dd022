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

/** Runs the command that the arguments name, and sets the exit code of the process. */
export function runProgram(program: Command): void {
  pointToHelp(program, program.name());
  process.on('uncaughtException', crash);
  parse(program).then((code) => {
    process.exitCode = code;
  }, crash);
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
