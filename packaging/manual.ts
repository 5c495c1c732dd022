/**
 * The manual page hostnode(1). Commands and options come from the program's help, the configuration from its
 * schema; this file holds only the rest.
 *
 * Source: groff_man(7).
 */

import { exitCode } from '../src/base/exit-code.ts';
import { allowed, metaOf } from '../src/base/schema.ts';
import { configKeys, defaultOf } from '../src/config/keys.ts';
import type { CommandHelp, Entry } from './command-help.ts';

const meaning: Record<keyof typeof exitCode, string> = {
  ok: 'Success.',
  failed:
    'The command failed, or failed for a device: the cloud rejected it, hostnode could not collect it, or no phone has that name. Also: no agent answers, another agent uses the state directory, the disk cannot read the name of this host or the configuration, a file is not writable, or this host has a fault.',
  usage: 'The command line is wrong.',
  cloud: 'Cannot reach the cloud, or it rejects our reports.',
  adb: 'Cannot reach adb.',
  lab: 'verdict: it was the lab.',
  unwatched: 'verdict: nothing was seen, but a part of the time was not watched.',
  bug: 'A bug. Standard error has its stack.',
  system: 'The system grants the agent too few open files or threads.',
  config:
    'The configuration is wrong, or root would run the agent in the state directory of another user. systemd does not restart the agent.',
};

const FILES: readonly Entry[] = [
  {
    term: '/etc/hostnode/hostnode.yaml',
    text: 'The configuration. After a change: systemctl reload hostnode.',
  },
  {
    term: '/etc/hostnode/conf.d/*.yaml',
    text: 'Drop-ins: they go over the configuration, in the order of their names. Optional.',
  },
  {
    term: '/etc/hostnode/environment',
    text: 'Variables for the service, such as HTTPS_PROXY. Optional.',
  },
  {
    term: '/etc/credstore/hostnode.cloud-api-key',
    text: 'The API key, readable only by root (chmod 600). After a change: systemctl restart hostnode.',
  },
  {
    term: '/etc/credstore.encrypted/hostnode.cloud-api-key',
    text: 'The same, encrypted by systemd-creds, for a service whose drop-in has LoadCredentialEncrypted=.',
  },
  {
    term: '/etc/credstore/hostnode.otlp-headers',
    text: 'The headers of the push of the metrics, such as Authorization. Optional.',
  },
  {
    term: '~/.config/hostnode/hosts.yaml',
    text: 'The hosts of hostnode status --hosts, for this user. Optional.',
  },
  { term: '/var/lib/hostnode', text: 'The known phones and the name of this host.' },
  {
    term: '/var/lib/hostnode-adb/.android/adbkey',
    text: 'The key by which the phones recognise this host. Back it up: with another key every phone asks for permission again.',
  },
  { term: '/run/hostnode', text: 'The socket for commands, for root and the group hostnode.' },
  { term: '/usr/lib/udev/rules.d/72-hostnode.rules', text: 'Gives the group plugdev access to the phones.' },
  {
    term: '/usr/share/doc/hostnode',
    text: 'README.md and docs/: all documents. Licences, changes, and the list of bundled packages.',
  },
];

const EXAMPLES: readonly Entry[] = [
  {
    term: 'systemctl status hostnode',
    text: 'The state in one line: phones and last report.',
  },
  {
    term: 'hostnode config init --force',
    text: 'Ask for the cloud, the account and its key, and write them for the service.',
  },
  { term: 'hostnode doctor', text: 'Check this host, and print how to fix what is wrong.' },
  { term: 'hostnode inventory', text: 'Collect all phones once and print a table.' },
  { term: 'journalctl -u hostnode -f', text: 'Follow the log of the agent.' },
  {
    term: 'systemctl restart hostnode-adb',
    text: 'Replace an adb server that does not answer; systemd does the same after a minute.',
  },
];

/** @param date of the sources */
export function manual(commands: readonly CommandHelp[], version: string, date: Date): string {
  const [program, ...others] = commands;
  if (program === undefined) throw new RangeError('no help was read');
  return [
    `.TH HOSTNODE 1 ${date.toISOString().slice(0, 10)} "hostnode ${version}" "User commands"`,
    section('NAME', 'hostnode \\- agent of a device cloud on a host with Android phones'),
    section('SYNOPSIS', `.B hostnode\n${verbatim('[command] [options]')}`),
    section(
      'DESCRIPTION',
      [
        verbatim(program.description),
        '.PP',
        verbatim(
          'As a service it runs as hostnode.service, next to hostnode-adb.service with the adb server. It follows the phones even without a cloud.',
        ),
      ].join('\n'),
    ),
    section('OPTIONS', list(program.options)),
    section('COMMANDS', others.map((each) => entry(each, others)).join('\n')),
    section(
      'CONFIGURATION',
      [
        verbatim(
          'Environment variables override the file, and the file overrides the defaults. A variable is HOSTNODE_ and the key in capitals; hostnode config check lists problems, hostnode config show the values in force.',
        ),
        ...configKeys.map(configuration),
      ].join('\n'),
    ),
    section(
      'EXIT STATUS',
      list(
        Object.entries(exitCode).map(([name, code]) => ({
          term: String(code),
          text: meaning[name as keyof typeof exitCode],
        })),
      ),
    ),
    section('FILES', list(FILES, 'I')),
    section('EXAMPLES', list(EXAMPLES)),
    section('SEE ALSO', `.BR adb (1),\n.BR systemctl (1),\n.BR journalctl (1)`),
  ].join('\n');
}

const section = (title: string, text: string) => `.SH ${title}\n${text.trimEnd()}`;

/** Of a command; of a group only what its commands share. */
function entry(command: CommandHelp, all: readonly CommandHelp[]): string {
  const { words, usage, description, options, arguments: args, commands, notes } = command;
  const isGroup = commands.length > 0;
  if (isGroup && notes === '') return '';
  const common = isGroup ? commonOptionsBelow(words, all) : [];
  const own = options.filter(({ term }) => !term.includes('--help'));
  return [
    `.SS ${verbatim(words.join(' '))}`,
    `.B ${verbatim(usage)}`,
    '.PP',
    verbatim(`${description.charAt(0).toUpperCase()}${description.slice(1)}.`),
    list([...args, ...own]),
    ...(notes === '' ? [] : ['.PP\n.nf', verbatim(notes), '.fi']),
    ...(common.length === 0 ? [] : ['.PP\nOptions of most of its commands:', list(common)]),
  ].join('\n');
}

function commonOptionsBelow(words: readonly string[], all: readonly CommandHelp[]): Entry[] {
  const below = all.filter((each) => words.every((word, index) => each.words[index] === word));
  const entries = below.flatMap(({ commonOptions }) => commonOptions);
  return [...new Map(entries.map((each) => [each.term, each])).values()];
}

function configuration(key: (typeof configKeys)[number]): string {
  const { description = '' } = metaOf(key.schema);
  const preset = defaultOf(key);
  const value = preset === undefined ? '' : ` Default: ${typeof preset === 'object' ? 'none' : preset}.`;
  const text = `${description} Must be ${allowed(key.schema)}.${value}`;
  return list([{ term: key.name, text }]);
}

const list = (entries: readonly Entry[], face: 'B' | 'I' = 'B') =>
  entries.map(({ term, text }) => `.TP\n.${face} ${verbatim(term)}\n${verbatim(text)}`).join('\n');

/** Escapes foreign text for roff: no line of it is a request. */
const verbatim = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll('’', '\\(cq')
    .replaceAll('…', '...')
    .replace(/^\./gm, '\\&.');
