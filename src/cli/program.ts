/** What the command line of the program is, without its commands: help, errors, exit codes. */
import { type Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { exitCode } from '../base/exit-code.ts';
import { escaped } from '../base/printable.ts';
import { version } from '../base/version.ts';
import { type CommandError, fail, write } from './terminal.ts';

/** Values of arguments, in an example that nobody wrote. */
const SAMPLES: Readonly<Record<string, string>> = {
  name: 'R58M123ABC',
  phone: 'R58M123ABC',
  text: '"swapped the cable"',
};

/** What a script gives where a variable of it is empty. */
const filled = (what: string) => (text: string) => {
  if (text.trim() === '') throw new InvalidArgumentError(`It is empty: give ${what}.`);
  return text;
};
export const named = filled('a udid, serial, slot or name');
const path = filled('a path');

/** A command that says in one line what those of ours often say. */
export class HostCommand extends Command {
  /** What stands behind it in the example of its help; by default sample values of its arguments. */
  #example: string | undefined;

  override createCommand(name?: string): HostCommand {
    return new HostCommand(name);
  }

  override createArgument(name: string, description?: string): Argument {
    const argument = super.createArgument(name, description);
    if (/^(?:file|folder)$/.test(argument.name())) return argument.argParser(path);
    return ['name', 'phone'].includes(argument.name()) ? argument.argParser(named) : argument;
  }

  override createOption(flags: string, description?: string): Option {
    const option = super.createOption(flags, description);
    return /<(?:file|path|dir)>/.test(flags) ? option.argParser(path) : option;
  }

  /** Commander prints its own help for `help NAME` where no command has this name. */
  override help(context?: { error: boolean } | ((text: string) => string)): never {
    const [first, name] = this.args;
    if (first === 'help' && typeof context === 'object') this.error(`error: unknown command '${name}'`);
    return super.help(context as { error: boolean });
  }

  /** An option that does not go with others: `json writeExpected`. */
  alone(flags: string, description: string, others: string): this {
    return this.addOption(this.createOption(flags, description).conflicts(others.split(' ')));
  }

  implying(flags: string, description: string, others: object): this {
    return this.addOption(this.createOption(flags, description).implies({ ...others }));
  }

  /** An option with one of these values: `manual automation`. */
  choice(flags: string, description: string, values: string): this {
    return this.addOption(new Option(flags, description).choices(values.split(' ')));
  }

  /** @param codes what each exit code means, with the line end before each; 2 where it means more than elsewhere */
  exits(codes: string, title = 'Exit codes:'): this {
    const usage = codes.includes('\n  2 ') ? '' : '\n  2   the command line is wrong';
    const inOrder = codes.replace(/(?=\n {2}(?:[34]|7\d) )|$/, usage);
    return this.addHelpText('after', `\n${title}${inOrder}`);
  }

  example(words: string): this {
    this.#example = words;
    return this;
  }

  /** The last lines of its help; none for a command that has commands. */
  exampleText(): string {
    const words: string[] = [];
    for (let each: Command | null = this; each?.parent; each = each.parent) words.unshift(each.name());
    if (words.length === 0 || this.commands.length > 0) return '';
    const needed = this.registeredArguments.filter(({ required }) => required);
    const samples = needed.map((argument) => SAMPLES[argument.name()] ?? argument.name()).join(' ');
    return `\nExample:\n${`  hostnode ${words.join(' ')} ${this.#example ?? samples}`.trimEnd()}`;
  }
}

export const newProgram = (): HostCommand =>
  new HostCommand('hostnode')
    .description('Finds the Android phones on this host over adb, and keeps your device cloud up to date.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => write(process.stdout, text),
      writeErr: (text) => write(process.stderr, text),
    })
    .showHelpAfterError('(hostnode --help lists the commands)');

/** @param failureOf what a person reads of an error that a command ends with; undefined: a bug */
export function runProgram(
  program: HostCommand,
  failureOf: (error: unknown) => CommandError | undefined | Promise<CommandError | undefined>,
): void {
  program.addHelpText('afterAll', ({ command }) => (command as HostCommand).exampleText());
  pointToHelp(program, program.name());
  process.on('uncaughtException', crash);
  program
    .parseAsync()
    .catch(async (error: unknown) => {
      if (error instanceof CommanderError) {
        process.exitCode = error.exitCode === 0 ? exitCode.ok : exitCode.usage;
        return;
      }
      const failure = await failureOf(error);
      if (failure === undefined) throw error;
      fail(failure.exitCode, failure.message, ...failure.more);
    })
    .catch(crash);
}

function pointToHelp(command: Command, name: string): void {
  for (const below of command.commands) {
    const called = `${name} ${below.name()}`;
    below.showHelpAfterError(`(${called} --help lists the options)`);
    pointToHelp(below, called);
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
