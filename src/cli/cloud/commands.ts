/** The commands below `hostnode cloud`: one for each operation of the contract, and a few of our own. */
import { Option } from 'commander';
import { operations } from '../../cloud/contract/index.ts';
import type { Operation } from '../../cloud/contract/operation.ts';
import type { OpenApiVersion } from '../../cloud/openapi.ts';
import type { HostCommand } from '../program.ts';
import { say } from '../terminal.ts';
import { FORMATS } from './answer.ts';
import { exampleWords, flagsOf, lowered, positionalsOf, problemInFlags } from './flags.ts';

/** In the help, and in the manual page once for all commands. */
const COMMON = 'Common options:';

export function addCloudCommands(cloud: HostCommand): void {
  cloud.addHelpText('after', NOTES);
  for (const operation of operations) addOperation(groupFor(cloud, operation.command[0]), operation);
  const upload = groupFor(cloud, 'apps')
    .command('upload')
    .description('upload the file of an app: a new app, or a new version of one')
    .argument('<file>', 'an APK or IPA')
    .option('--app <id>', 'the app that gets a new version')
    .option('--filename <text>', 'the name of the file in the cloud (default: its own)')
    .option('--wait', 'wait until the cloud has parsed it; exit code 1 if it cannot')
    .example('shop.apk --app 12 --wait')
    .action(async (file, options) => (await import('./upload.ts')).upload(file, options));
  addCommon(upload);
  const diff = groupFor(cloud, 'devices')
    .command('diff')
    .description("compare the cloud's view with the phones that this host knows")
    .argument('[udids...]', 'only these phones, also some that this host does not know')
    .addHelpText('after', DIFF_NOTES)
    .action(async (udids, options) => (await import('./devices-diff.ts')).devicesDiff(udids, options));
  addCommon(diff, { canDryRun: false });
  for (const group of cloud.commands)
    group.description(group.commands.map((command) => command.name()).join(', '));
  cloud
    .command('login')
    .description('save an account in your own file of clouds; asks for what no option gives')
    .option('--profile <name>', 'its name (default: default)')
    .option('--base-url <url>', "the v1 root of the cloud's API")
    .option('--username <text>', "the account's user name or email address")
    .option('--ca-file <file>', 'CA certificates (PEM) to trust instead of those that Node.js brings with it')
    .option('--allow-insecure', 'allow http://; the API key then crosses the network unencrypted')
    .option('--organization-id <id>', 'the id of your organization, for groups list', Number)
    .option('--offline', 'do not check it with a request')
    .addHelpText('after', LOGIN_NOTES)
    .example('--profile lab --base-url https://cloud.example.com/v1 --username lab@example.com')
    .action(async (options) => (await import('./profiles.ts')).login(options));
  cloud
    .command('logout')
    .description('remove an account, with its key, from your own file of clouds')
    .option('--profile <name>', 'its name (default: default)')
    .example('--profile lab')
    .action(async (options) => (await import('./profiles.ts')).logout(options));
  addCommon(cloud.command('whoami'), { canDryRun: false })
    .description('print the account that counts, once the cloud accepts it')
    .action(async (options) => (await import('./profiles.ts')).whoami(options));
  addCommon(cloud.command('profiles'), { canDryRun: false })
    .description('list the accounts that have a name')
    .action(async (options) => (await import('./profiles.ts')).profiles(options));
  const api = cloud
    .command('api')
    .description('send a request of your own, and print the answer')
    .argument('<method>', 'GET, POST, …')
    .argument('<path>', 'below the address of the cloud: /v1/devices; without a version, of v1')
    .option('--body <file>', 'send this JSON object; - is standard input')
    .example('GET /v1/devices')
    .action(async (method, path, options) => (await import('./call.ts')).callApi(method, path, options));
  addCommon(api, { hasAnswer: false, canDryRun: false });
  const versions = '3.1 leaves out the method DEL, for tools that know no better';
  cloud
    .command('openapi')
    .description('print the API as an OpenAPI document (YAML)')
    .option('--json', 'print JSON')
    .addOption(new Option('--spec <version>', versions).choices(['3.2', '3.1']).default('3.2'))
    .action(printOpenApi);
}

const DIFF_NOTES = `
Reads the state directory of the agent, and each phone in the cloud by its udid. Exit code 1 if they differ.`;

const LOGIN_NOTES = `
The API key comes from a question on the terminal, else from standard input; never from an option.
The file is ~/.config/hostnode/clouds.yaml ($XDG_CONFIG_HOME); only you may read it (mode 0600).`;

async function printOpenApi({ spec, json = false }: { spec: OpenApiVersion; json?: boolean }): Promise<void> {
  const [{ openApi }, { stringify }] = await Promise.all([import('../../cloud/openapi.ts'), import('yaml')]);
  const document = openApi(spec);
  if (json) say(JSON.stringify(document, null, 2));
  else say(stringify(document, { lineWidth: 120, aliasDuplicateObjects: false }).trimEnd());
}

const NOTES = `
Output: a table on a terminal, elsewhere lines of tab-separated values without titles; --json has all that the
cloud sent, --json id,name those fields. Results go to standard output, all else to standard error. Commands that
delete ask first on a terminal; elsewhere they need --yes.

The cloud: that of --profile, else that of the agent's configuration, else the profile "default". Profiles are in
~/.config/hostnode/clouds.yaml (hostnode cloud login writes it) and below "clouds:" in the configuration.

Exit codes:
  0   done
  1   the cloud refuses this request: nothing has this id, it conflicts, or a part of it failed; or you cancelled it
  2   the command line is wrong; nothing was sent
  3   cannot reach the cloud, it rejects the account, has a fault, or answers something else than this API
  78  the configuration is wrong, or names no cloud

Examples:
  hostnode cloud devices list --booked=false --platform-version 14
  hostnode cloud apps upload shop.apk --app 12
  hostnode cloud versions tag 77 nightly
  hostnode cloud gestures save swipe --command-file - < swipe.txt`;

/** Its values are too long for a line. */
const REPORT_EXAMPLE = '--node-id rack-2 --machine-file machine.json --devices-file devices.json';

const groupFor = (cloud: HostCommand, name: string): HostCommand =>
  (cloud.commands.find((command) => command.name() === name) as HostCommand) ?? cloud.command(name);

function addOperation(group: HostCommand, operation: Operation): void {
  const summary = lowered(operation.summary);
  const description = [summary, ...notesOf(operation)].join('. ').replace(/\.$/, '');
  const command = group.command(operation.command[1]).summary(summary).description(description);
  for (const { argument } of positionalsOf(operation)) command.addArgument(argument);
  for (const { option } of flagsOf(operation)) command.addOption(option);
  if (operation.isPartlyKnown)
    command.option('--body <file>', 'send this JSON object in place of ours; - is standard input');
  if (operation.method === 'DEL')
    command.choice('--method <method>', 'the HTTP method to send', 'DEL DELETE');
  if (operation.isDestructive) command.option('-y, --yes', 'do not ask');
  const isReport = operation.command.join(' ') === 'devices report';
  addCommon(command, { hasAnswer: operation.answer !== undefined });
  command.example(isReport ? REPORT_EXAMPLE : exampleWords(operation).join(' '));
  command.action(async (...args: unknown[]) => {
    const { callOperation } = await import('./call.ts');
    const texts = args.slice(0, operation.positional.length) as (string | string[] | undefined)[];
    await callOperation(operation, texts, command.opts());
  });
}

function addCommon(
  command: HostCommand,
  { hasAnswer = true, canDryRun = true }: { hasAnswer?: boolean; canDryRun?: boolean } = {},
): HostCommand {
  const add = (term: string, description: string) => {
    const option = command.createOption(term, description).helpGroup(COMMON);
    command.addOption(option);
    return option;
  };
  if (hasAnswer) {
    add('--json [fields]', 'print JSON: all, or the fields that you name, separated by commas');
    add('-o, --output <format>', 'how to print the answer').choices(FORMATS);
  }
  if (canDryRun) add('--dry-run', 'print the request, without secrets, and send nothing');
  add('--profile <name>', "a cloud by its name; without it the agent's own");
  add('-c, --config <file>', 'configuration file (default: /etc/hostnode/hostnode.yaml if it exists)');
  return command;
}

/** What a caller should know; rules with code in them are for the client in TypeScript. */
function notesOf(operation: Operation): string[] {
  const { rules, isAdminOnly } = operation;
  const plain = rules
    .filter((rule) => !rule.includes('`'))
    .map((rule) => problemInFlags(operation, rule))
    .map((rule) => rule.replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1'));
  const needs = isAdminOnly ? ['Needs the organization admin role.'] : [];
  return [...plain, ...needs].map((rule) => rule.replace(/\.$/, ''));
}
