/** The command line: which command, with what; each command is loaded when it is wanted. */
import { Command, CommanderError, Option } from 'commander';
import { exitCode } from './cli/exit-code.ts';
import { write } from './cli/terminal.ts';
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
  1   a device was refused or could not be read
  2   the command line was not understood
  3   the cloud could not be reached or refused us
  4   adb could not be reached
  78  the configuration is wrong`,
  )
  .action(async (options) => (await import('./cli/inventory.ts')).inventory(options));

const config = program.command('config').description('look at the configuration');

withConfig(config.command('check'))
  .description('say what is wrong with the configuration, all of it; exit code 78 if anything is')
  .option('-q, --quiet', 'print only what is wrong')
  .action(async (options) => (await import('./cli/config-check.ts')).configCheck(options));

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

program
  .command('demo')
  .description('see it work: simulated phones, a sandbox cloud, and the real agent between them')
  .option('--once', 'one round, then end')
  .action(async (options) => (await import('./cli/demo.ts')).demo(options));

async function main(): Promise<number> {
  try {
    await program.parseAsync();
    return process.exitCode === undefined ? exitCode.ok : Number(process.exitCode);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCode.ok : exitCode.usage;
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    process.stderr.write(`hostnode: ${error.stack ?? error}\n`);
    process.exitCode = 70; // EX_SOFTWARE: a bug
  },
);
