/** The command line. Each command's code loads when it is used; bundles have the code of one command, or of the small ones. */
import { InvalidArgumentError } from 'commander';
import { type HostCommand, named, newProgram, runProgram } from './cli/program.ts';

const program = newProgram();

const withConfig = (command: HostCommand) =>
  command.option(
    '-c, --config <file>',
    'configuration file (default: /etc/hostnode/hostnode.yaml if it exists)',
  );

/** For commands that talk to a running agent. */
const toAgent = (command: HostCommand) =>
  withConfig(command).option(
    '--socket <path>',
    "the agent's Unix socket (default: the service's, else that in the state directory)",
  );

const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
  };

/** Of commands that only ask the agent. */
const ASKING = `
  0   done
  1   no agent is running, it knows no such phone or place, or it cannot do that
  78  the configuration is wrong`;

withConfig(program.command('run'))
  .description('run the agent: follow the phones and report them to the cloud')
  .exits(`
  0   a signal stopped it
  1   another agent uses the state directory
  71  the system grants it too few files or threads
  78  the configuration is wrong, or the state directory belongs to another user: no need to start it again`)
  .action(async (options) => (await import('./cli/run.ts')).run(options));

/** What `inventory` does beside printing its phones: one at a time. */
const ONE_WAY = 'report serial explain showIdentifiers capture';

withConfig(program.command('inventory'))
  .description('collect all phones once and print them')
  .option('--json', 'print the body of PUT /devices')
  .alone('--csv', 'print one line a phone, for a spreadsheet', 'json explain capture expect writeExpected')
  .option('--report', 'also send one report to the cloud')
  .option(
    '-s, --serial <serial...>',
    'only phones with this serial, udid, slot, name or model',
    (name: string, names: string[] = []) => [...names, named(name)],
  )
  .option('--explain', 'print the source of each field, with identifiers masked')
  .implying('--show-identifiers', 'do not mask identifiers in the explanation', { explain: true })
  .alone('--capture <dir>', 'save what the phones print, with identifiers replaced', 'json report explain')
  .alone('--expect', 'compare the phones with inventory.expected, and print what differs', ONE_WAY)
  .alone(
    '--write-expected <file>',
    'write the attached phones as inventory.expected, to copy into the configuration; - prints them',
    `${ONE_WAY} json expect`,
  )
  .option('-f, --force', 'overwrite the file of --write-expected')
  .exits(`
  0   printed all phones; with --report, the cloud stored all; with --expect, nothing differs
  1   a phone was rejected, could not be read or captured, or no phone has that name; with --expect, the
      phones differ from the list, or there is none; with --write-expected, the file cannot be written
  2   the command line is wrong, or the file of --write-expected already exists
  3   cannot reach the cloud, or it rejects our reports
  4   cannot reach adb
  78  the configuration is wrong, or names no cloud`)
  .example('--serial "POCO F6" --explain')
  .action(async (options) => (await import('./cli/inventory.ts')).inventory(options));

const config = program
  .command('config')
  .summary('config init, check, show: write, check and print the configuration')
  .description('write, check and print the configuration');

config
  .command('init')
  .description('write a first configuration and the file with the API key; asks for what no option gives')
  .option('-c, --config <file>', 'the file to write (default: as root in /etc/hostnode, else here)')
  .option('--base-url <url>', "the v1 root of the cloud's API, https://…")
  .option('--username <name>', "the account's user name or email address")
  .option('--node-id <name>', "this host's name in the cloud (default: derived from the machine-id)")
  .option(
    '--key-file <file>',
    "where the API key goes (default: the service's credential, or beside the file)",
  )
  .option('-y, --yes', 'ask nothing: take the options, and the API key from standard input')
  .option('--offline', 'write it without a request to the cloud')
  .option('-f, --force', 'overwrite existing files')
  .exits(`
  0   both files are written
  1   nothing is written: cancelled, or a file cannot be written
  2   nothing is written: a file already exists, or the command line is wrong
  3   nothing is written: the cloud rejects the account (--offline does not ask it)`)
  .example('--base-url https://cloud.example.com/v1 --username lab@example.com')
  .action(async (options) => (await import('./cli/config-init.ts')).configInit(options));

withConfig(config.command('check'))
  .argument(
    '[folder]',
    'judge the hostnode.yaml and conf.d/*.yaml of this folder, before they are copied to a host',
  )
  .description('list all problems (exit code 78 if there is one), and which rules match which phone')
  .option('-q, --quiet', 'print problems only')
  .alone('--json', 'print the matches as JSON', 'quiet')
  .action(async (folder, options) => (await import('./cli/config-check.ts')).configCheck(folder, options));

withConfig(config.command('show'))
  .description('print every value in force and what sets it: default, file and line, or variable')
  .option('--json', 'print JSON')
  .action(async (options) => (await import('./cli/config-show.ts')).configShow(options));

const slots = program
  .command('slots')
  .summary('slots learn: name the bays where the phones sit')
  .description('name the bays where the phones sit');

withConfig(slots.command('learn'))
  .description('name the bays of plugged phones, or of one that you plug into bay after bay; print the slots')
  .option('-o, --output <file>', 'write the list to this file (default: print it)')
  .option('-f, --force', 'overwrite the file')
  .exits(`
  0   the list is printed, or written
  1   cannot write the file; the list is printed instead
  2   the file already exists, or the command line is wrong
  4   cannot reach adb
  78  the configuration is wrong`)
  .example('--output /etc/hostnode/conf.d/50-slots.yaml')
  .action(async (options) => (await import('./cli/slots-learn.ts')).slotsLearn(options));

withConfig(program.command('doctor'))
  .description('check this host, its phones and the cloud, and say how to fix what is wrong; changes nothing')
  .option('--json', 'print all checks as JSON')
  .exits(
    `
  0   no check failed; there may be warnings
  78  the configuration is wrong
  4   the adb server or its key has a fault
  3   the cloud, or the network to it, has a fault
  1   this host, its USB, or access to a phone has a fault`,
    'Exit codes (the first that applies):',
  )
  .action(async (options) => (await import('./cli/doctor.ts')).doctor(options));

toAgent(program.command('status'))
  .description('show what needs attention and where, and the address of the status page')
  .alone('-a, --all', 'list all phones too', 'check')
  .alone('--problems', 'only what needs attention, as much as fits the screen', 'all check json')
  .alone('-w, --watch', 'keep the display up to date; q or Ctrl-C ends it', 'check')
  .alone('--json', 'print JSON; with --watch one line per change', 'check')
  .alone(
    '--names',
    'only the names of phones, slots and shelves, one a line',
    'all problems watch json check',
  )
  .option('--check', 'print nothing if the agent is healthy (exit code 0)')
  .alone(
    '--hosts [list]',
    'of other hosts, by their status pages: rack-1,rack-2:9478,https://…; default: those of ~/.config/hostnode/hosts.yaml',
    'all problems watch check socket config',
  )
  .exits(`
  0   the status is printed; with --check, the agent is well; with --hosts, each host answered
  1   no agent answers, or with --check it hangs; with --hosts, a host did not answer
  78  the configuration is wrong`)
  .example('--problems')
  .action(async (options) => (await import('./cli/status.ts')).status(options));

toAgent(program.command('why <name>'))
  .description(
    'say why a phone or a place is as it is: since when, what led to it, who is to blame, what to do (udid, serial, slot, shelf, USB port, hub, name or model; host)',
  )
  .option('--since <when>', 'how far back: 30m, 2h, 7d, 1w, a day or a time (default: 30 days)')
  .option('--all', 'show all that is known, not only the newest 20 events')
  .option('--json', 'print JSON')
  .exits(ASKING)
  .example('"rack 2, shelf 3" --since 7d')
  .action(async (name, options) => (await import('./cli/why.ts')).why(name, options));

toAgent(program.command('verdict <phone>'))
  .description('say if the lab was at fault while a test ran on a phone (udid, serial, slot, name or model)')
  .option(
    '--from <when>',
    'when it began: 30m, 2h (ago), a day, a time (18:00, 2026-11-23T18:00, or with +01:00)',
  )
  .option('--to <when>', 'when it ended (default: now, or the end of the last test of --junit)')
  .option(
    '--junit <file>',
    'mark the tests of this JUnit file that ran then with a property "lab"; - reads standard input, and prints it',
  )
  .option('--utc', 'times without a zone in the JUnit file are UTC (default: local)')
  .option('--json', 'print JSON')
  .exits(`
  0   nothing seen, and all of the time was watched
  10  the lab’s fault
  11  not watched: nothing seen, but a part of the time was not watched
  1   no answer: no agent runs, it does not know the phone, or the JUnit file cannot be read or written
  78  the configuration is wrong`)
  .example('R58M123ABC --from 2026-11-23T14:00 --to 2026-11-23T14:30')
  .action(async (phone, options) => (await import('./cli/verdict.ts')).verdict(phone, options));

toAgent(program.command('note <name> <text>'))
  .description('write down what you did to a phone, a place or the host; why and the page show it')
  .option('--json', 'print the result as JSON')
  .exits(ASKING)
  .example('"hub 1-4" "new power supply"')
  .action(async (name, text, options) => (await import('./cli/phone-commands.ts')).note(name, text, options));

toAgent(program.command('report'))
  .description('make the running agent report')
  .option('--now', 'collect and report all phones now, and print the result')
  .option('--json', 'print the result as JSON')
  .exits(`
  0   the cloud stored all phones
  1   a phone was rejected or did not answer, or no agent is running
  3   cannot reach the cloud, or it rejects our reports
  4   cannot reach adb
  78  the configuration is wrong, or names no cloud`)
  .example('--now')
  .action(async (options) => (await import('./cli/report.ts')).report(options));

toAgent(program.command('forget <phone>'))
  .description('make the running agent forget an unplugged phone (udid, serial, slot, name or model)')
  .option('--json', 'print the result as JSON')
  .exits(ASKING)
  .action(async (phone, options) => (await import('./cli/phone-commands.ts')).forget(phone, options));

toAgent(program.command('maintenance [name]'))
  .description(
    'mute alerts for phones in maintenance: one (udid, serial, slot, name or model), those of a shelf, slot, USB port, hub or this host ("host"), or of slots like "rack 2, *"; without a name, list them',
  )
  .option(
    '--until <when>',
    '30m, 2h, 3d, 1w, a day (2026-11-23, until its end) or a time (18:00, 2026-11-23T18:00)',
  )
  .alone('--for <span>', '5m, 2h, 3d, 1w, for scripts: needs no reason', 'until')
  .option('--reason <text>', 'why they are in maintenance')
  .alone('--end', 'end the maintenance', 'until for reason')
  .option('--json', 'print the list as JSON')
  .exits(ASKING)
  .example('"rack 2, shelf 3" --until 2h --reason "new hub"')
  .action(async (name, options) => (await import('./cli/phone-commands.ts')).maintenance(name, options));

toAgent(program.command('drain [name]'))
  .description(
    'keep phones from being booked before you touch them, and wait until nobody uses them: one (udid, serial, slot, name or model), those of a shelf, slot, USB port, hub or this host ("host"), or of slots like "rack 2, *"; without a name, list them',
  )
  .option('-w, --wait', 'wait until the cloud says that none of them is booked')
  .implying('--timeout <span>', 'wait so long at most: 30m, 2h (default: as long as it takes)', {
    wait: true,
  })
  .option('--for <span>', 'end by itself after 30m, 2h, 3d (default: 8h)')
  .option('--reason <text>', 'why they are drained')
  .implying('--terminate', 'end the reservations of those that are booked; asks first', { wait: true })
  .alone('--end', 'let them be booked again', 'for reason wait timeout terminate')
  .option('-y, --yes', 'ask nothing: end reservations, or what others have drained')
  .option('--json', 'print the result as JSON')
  .exits(`
  0   done; with --wait, none of the phones is booked
  1   a phone is still booked at --timeout or Ctrl-C, or the drain ended meanwhile; they stay drained. Or no
      agent is running, or another person needs the drain that --end was to end
  3   the cloud does not say which phones are booked; they stay drained
  78  the configuration is wrong, or names no cloud`)
  .action(async (name, options) => (await import('./cli/drain.ts')).drain(name, options));

withConfig(program.command('notify'))
  .description('list where messages about findings go (notify of the configuration)')
  .option('--test', 'send a test message to each, and print the answers')
  .exits(`
  0   the list is printed; with --test, each address took the message
  1   with --test, an address did not take it
  78  the configuration is wrong, or notify names no address`)
  .example('--test')
  .action(async (options) => (await import('./cli/notify.ts')).notify(options));

withConfig(program.command('prepare <phone>'))
  .description('list how a phone differs from what is wanted of it; --apply sets what can be set from here')
  .choice('-p, --profile <profile>', 'instead of what the configuration wants', 'manual automation battery')
  .alone('--apply', 'set what the shell can set, and keep what was there; asks first', 'undo')
  .option('--undo', 'put back what was there before --apply; asks first')
  .option('-y, --yes', 'ask nothing')
  .alone('--json', 'print the list as JSON', 'apply undo')
  .exits(`
  0   the phone is known to differ in nothing; with --undo, all is put back
  1   it differs, or cannot be read, or does not take a value; or it is booked; nothing is wanted of it
  2   the command line is wrong, or --apply has nobody to ask
  3   the cloud does not say whether the phone is booked
  4   cannot reach adb
  78  the configuration is wrong, or prepare.apply is off`)
  .example('"POCO F6" --profile automation')
  .action(async (phone, options) => (await import('./cli/prepare.ts')).prepare(phone, options));

toAgent(program.command('support'))
  .description(
    'write one archive for whoever helps you: configuration, status, events, log; identifiers and names replaced',
  )
  .option('-o, --output <file>', 'the file to write (default: hostnode-support-<time>.tar.gz here)')
  .option('-y, --yes', 'write without a question')
  .option('-f, --force', 'overwrite the file')
  .exits(`
  0   the archive is written
  1   nothing is written: not wanted, or the file cannot be written
  2   nothing is written: the file already exists, or the command line is wrong`)
  .example('--output bundle.tar.gz')
  .action(async (options) => (await import('./cli/support.ts')).support(options));

program
  .command('demo')
  .description('try it: the real agent with simulated phones and a sandbox cloud')
  .option('--once', 'run one round, then exit')
  .alone('--phones <dir>', 'with the phones that inventory --capture saved in this folder', 'story')
  .option('--story <story>', 'play this story: a YAML file, or dying-hub, bad-cable or hot-shelf')
  .option(
    '-p, --port <number>',
    'port of the simulated adb server; the cloud has the next one (default: any free ones)',
    wholeNumber(1, 65_534),
  )
  .option('--write-config <file>', 'write a configuration for an agent of your own on these phones and cloud')
  .example('--story dying-hub')
  .action(async (options) => (await import('./cli/demo.ts')).demo(options));

program
  .command('sandbox')
  .description('serve a device cloud on this machine, with all operations of the API, to try things out')
  .option('-p, --port <number>', 'port on 127.0.0.1 (default: any free one)', wholeNumber(0, 65_535))
  .option('--data <file>', 'keep everything in this SQLite file (default: nothing is kept)')
  .option('--seed <file>', 'JSON file: what it has at its start, unless --data has something already')
  .option('--control', 'also serve /control, where tests change anything without credentials')
  .choice('--gestures <shape>', 'answer of GET /gestures (default: array)', 'array object')
  .option('--name-hosts', 'GET /devices also has the nodeId of the host that reported a device')
  .option('--json', 'print where it is and its users as one line of JSON')
  .exits(`
  0   ended by a signal
  1   its port is taken, or a file cannot be used`)
  .example('--port 8080')
  .action(async (options) => (await import('./cli/sandbox.ts')).sandbox(options));

// a bundle of its own has its commands: see launch.ts
program
  .command('cloud')
  .description('use the API of the device cloud: devices, apps, data sets, members, …')
  .action(() => {});

runProgram(program, async (error) => (await import('./cli/trouble.ts')).failureOf(error));
