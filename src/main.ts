/** The command line: which command, with what; each command is loaded when it is wanted. */
import { Command, CommanderError, Option } from 'commander';
import { write } from './cli/terminal.ts';
import { exitCode } from './exit-code.ts';
import { escaped } from './printable.ts';
import { version } from './version.ts';

const program = new Command('hostnode')
  .description(
    'Finds the Android phones on this host over adb and keeps a device cloud up to date about them.',
  )
  .version(version, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print this help')
  .exitOverride()
  .configureOutput({
    writeOut: (text) => write(process.stdout, text),
    writeErr: (text) => write(process.stderr, text),
  })
  .showHelpAfterError('(hostnode --help lists the commands)');

const withConfig = (command: Command) =>
  command.option(
    '-c, --config <file>',
    'configuration file (default: /etc/hostnode/hostnode.yaml where it exists)',
  );

/** For those that talk to a running agent. */
const toAgent = (command: Command) =>
  withConfig(command).option(
    '--socket <path>',
    "the agent's Unix socket (default: the service's, else that in the state directory)",
  );

withConfig(program.command('run'))
  .description('stay, follow the phones and report them to the cloud')
  .action(async (options) => (await import('./cli/run.ts')).run(options));

withConfig(program.command('inventory'))
  .description('read all phones once and print them')
  .option('--json', 'print the body of PUT /devices')
  .option('--report', 'also put it to the cloud, once')
  .option(
    '-s, --serial <serial>',
    'only this phone, by serial or udid (may be repeated)',
    (serial: string, more: string[] = []) => [...more, serial],
  )
  .option('--explain', 'print for each field what it was read from, identifiers masked')
  .addOption(
    new Option('--show-identifiers', 'do not mask identifiers in the explanation').implies({ explain: true }),
  )
  .addOption(
    new Option(
      '--capture <dir>',
      'write what the phones print into files to be shared, identifiers replaced',
    ).conflicts(['json', 'report', 'explain']),
  )
  .addHelpText(
    'after',
    `
Exit codes:
  0   all printed, or stored
  1   a device was refused, could not be read or captured, or no phone is called so
  2   the command line was not understood
  3   the cloud could not be reached or refused us
  4   adb could not be reached
  78  the configuration is wrong, or has no cloud to report to`,
  )
  .action(async (options) => (await import('./cli/inventory.ts')).inventory(options));

const config = program
  .command('config')
  .summary('config check: say what is wrong with the configuration')
  .description('look at the configuration');

withConfig(config.command('check'))
  .description(
    'say what is wrong with the configuration, all of it (exit code 78 if anything is), and which rules match which phone',
  )
  .option('-q, --quiet', 'print only what is wrong')
  .addOption(new Option('--json', 'print for a program which rules match which phone').conflicts('quiet'))
  .action(async (options) => (await import('./cli/config-check.ts')).configCheck(options));

const slots = program
  .command('slots')
  .summary('slots learn: name the places where the phones sit')
  .description('where the phones sit');

withConfig(slots.command('learn'))
  .description('write the list of slots while you plug one phone into bay after bay and name each')
  .option('-o, --output <file>', 'write it into this file (default: print it)')
  .option('-f, --force', 'write over the file')
  .addHelpText(
    'after',
    `
Exit codes:
  0   what was named is printed, or written
  1   the file could not be written: it is printed instead
  2   the file is there already, or the command line was not understood
  4   adb could not be reached
  78  the configuration is wrong`,
  )
  .action(async (options) => (await import('./cli/slots-learn.ts')).slotsLearn(options));

withConfig(program.command('doctor'))
  .description('look at everything that can be wrong on this host, and say how to mend it; changes nothing')
  .option('--json', 'print all checks for a program')
  .addHelpText(
    'after',
    `
Exit codes, of several the first that applies:
  0   nothing failed, perhaps with warnings
  78  the configuration is wrong
  4   the adb server, or its key
  3   the cloud, or the way to it
  1   this host, its USB, or a phone that it may not open
  2   the command line was not understood`,
  )
  .action(async (options) => (await import('./cli/doctor.ts')).doctor(options));

toAgent(program.command('status'))
  .description('show what the running agent sees: what needs a hand, and all phones')
  .addOption(new Option('-w, --watch', 'go on showing it, live').conflicts('check'))
  .addOption(
    new Option('--json', 'print it for a program; with --watch a line for each change').conflicts('check'),
  )
  .option('--check', 'print nothing; exit code 0 while the agent is well')
  .action(async (options) => (await import('./cli/status.ts')).status(options));

toAgent(program.command('report'))
  .description('have the running agent report')
  .option('--now', 'ask all phones and report them out of turn, and say what came of it')
  .addHelpText(
    'after',
    `
Exit codes:
  0   the cloud stored all phones
  1   a phone was refused or gave no answer, or no agent runs
  2   the command line was not understood
  3   the cloud could not be reached or refused us
  4   adb could not be reached
  78  no cloud is configured`,
  )
  .action(async (options) => (await import('./cli/report.ts')).report(options));

toAgent(program.command('forget <phone>'))
  .description('have the running agent forget an unplugged phone now (udid, serial or slot)')
  .action(async (phone, options) => (await import('./cli/forget.ts')).forget(phone, options));

toAgent(program.command('maintenance [phone]'))
  .description(
    'say that somebody works on a phone (udid, serial or slot): it raises no alarm; without one, list them',
  )
  .option('--until <when>', '30m, 2h, 3d, 1w, a day (2026-11-23, to its end) or a time (2026-11-23T18:00)')
  .option('--reason <text>', 'what for')
  .addOption(new Option('--end', 'it is over').conflicts(['until', 'reason']))
  .option('--json', 'print the list for a program')
  .action(async (phone, options) => (await import('./cli/maintenance.ts')).maintenance(phone, options));

program
  .command('demo')
  .description('see it work: simulated phones, a sandbox cloud, and the real agent between them')
  .option('--once', 'one round, then end')
  .action(async (options) => (await import('./cli/demo.ts')).demo(options));

/** After an error of a command, its own help is what lists what it takes. */
function pointToHelp(command: Command, name: string): void {
  for (const below of command.commands) {
    const called = `${name} ${below.name()}`;
    below.showHelpAfterError(`(${called} --help lists what it takes)`);
    pointToHelp(below, called);
  }
}

pointToHelp(program, program.name());

async function main(): Promise<number> {
  try {
    await program.parseAsync();
    return process.exitCode === undefined ? exitCode.ok : Number(process.exitCode);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCode.ok : exitCode.usage;
  }
}

/**
 * A bug: the process ends, whatever would keep it. Its text only: what else hangs on an error may hold the request,
 * and that the API key.
 */
function crash(error: unknown): never {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`hostnode: ${escaped(text)}\n`);
  process.exit(exitCode.bug);
}

process.on('uncaughtException', crash);

main().then((code) => {
  process.exitCode = code;
}, crash);
