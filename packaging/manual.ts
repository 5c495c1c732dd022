/**
 * The manual page hostnode(1). Commands and options come from the program's own help, the configuration from its
 * schema; only what neither says is written here.
 *
 * Source: groff_man(7).
 */

import { allowed, configKeys, defaultOf, inner } from '../src/config/keys.ts';
import { exitCode } from '../src/exit-code.ts';
import type { CommandHelp, Entry } from './command-help.ts';

const meaning: Record<keyof typeof exitCode, string> = {
  ok: 'All well.',
  failed:
    'It could not be done, or not for every device: one was refused or could not be read, no phone is called so, no agent answers, another agent has the state directory, the disk does not give out the name of this host or the configuration, a file cannot be written, or something on this host is wrong.',
  usage: 'The command line was not understood.',
  cloud: 'The cloud could not be reached or refused us.',
  adb: 'The adb server could not be reached.',
  bug: 'A bug: its stack is on standard error.',
  config:
    'The configuration is wrong, or root was to run the agent in the state directory of another user. systemd does not start the agent again.',
};

const FILES: readonly Entry[] = [
  {
    term: '/etc/hostnode/hostnode.yaml',
    text: 'The configuration. After a change: systemctl reload hostnode.',
  },
  {
    term: '/etc/hostnode/environment',
    text: 'Variables for the service, such as HTTPS_PROXY. Need not exist.',
  },
  {
    term: '/etc/credstore/hostnode.cloud-api-key',
    text: 'The API key, for root alone (chmod 600). After a change: systemctl restart hostnode.',
  },
  { term: '/var/lib/hostnode', text: 'The phones ever seen and the name of this host.' },
  {
    term: '/var/lib/hostnode-adb/.android/adbkey',
    text: 'The key by which the phones know this host. Back it up: with another one every phone asks again.',
  },
  { term: '/run/hostnode', text: 'The socket for commands, for root and the group hostnode.' },
  { term: '/usr/lib/udev/rules.d/72-hostnode.rules', text: 'Lets the group plugdev open the phones.' },
  {
    term: '/usr/share/doc/hostnode',
    text: 'README.md and docs/: all documents. Licences, changes, and the list of what the package holds.',
  },
];

const EXAMPLES: readonly Entry[] = [
  {
    term: 'systemctl status hostnode',
    text: 'How it goes, in one line: phones, and when the cloud last heard.',
  },
  { term: 'hostnode doctor', text: 'Everything that can be wrong on this host, and how to mend it.' },
  { term: 'hostnode inventory', text: 'All phones once, as a table.' },
  { term: 'journalctl -u hostnode -f', text: 'What the agent does.' },
  {
    term: 'systemctl restart hostnode-adb',
    text: 'A new adb server, where the old one answers nothing; systemd does the same after a minute.',
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
          'As a service it is hostnode.service, beside hostnode-adb.service, which runs the adb server. Without a cloud it follows the phones all the same.',
        ),
      ].join('\n'),
    ),
    section('OPTIONS', list(program.options)),
    section('COMMANDS', others.map(command).join('\n')),
    section(
      'CONFIGURATION',
      [
        verbatim(
          'The environment goes before the file, and the file before the defaults. A variable is HOSTNODE_ and the key in capitals; hostnode config check says what is wrong.',
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

function command({
  words,
  usage,
  description,
  options,
  arguments: args,
  commands,
  notes,
}: CommandHelp): string {
  // a command that only holds others is said by them
  if (commands.length > 0) return '';
  return [
    `.SS ${verbatim(words.join(' '))}`,
    `.B ${verbatim(usage)}`,
    '.PP',
    verbatim(`${description.charAt(0).toUpperCase()}${description.slice(1)}.`),
    list([...args, ...options.filter(({ term }) => !term.includes('--help'))]),
    ...(notes === '' ? [] : ['.PP\n.nf', verbatim(notes), '.fi']),
  ].join('\n');
}

function configuration(key: (typeof configKeys)[number]): string {
  const { description = '' } = { ...inner(key.schema).meta(), ...key.schema.meta() };
  const preset = defaultOf(key);
  const value = preset === undefined ? '' : ` Default: ${Array.isArray(preset) ? 'none' : preset}.`;
  const text = `${description} Must be ${allowed(key.schema)}.${value}`;
  return list([{ term: key.name, text }]);
}

const list = (entries: readonly Entry[], face: 'B' | 'I' = 'B') =>
  entries.map(({ term, text }) => `.TP\n.${face} ${verbatim(term)}\n${verbatim(text)}`).join('\n');

/** Foreign text as roff prints it letter by letter: no line of it is a request. */
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
