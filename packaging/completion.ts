/** Completion for bash: the commands and options of the program's help, and files for options that take one. */
import { type CommandHelp, firstWord, optionNames, optionValue } from './command-help.ts';

const FILE_VALUES = ['file', 'path'];
const FOLDER_VALUES = ['dir', 'folder'];

const optionsOf = ({ options, commonOptions }: CommandHelp) => [...options, ...commonOptions];

/** An option that takes a value. */
interface OptionValue {
  /** The command and the option, behind which the value comes: `slots learn --output`. */
  readonly before: string;
  /** `file` of `--output <file>`. */
  readonly kind: string;
  /** The values that are allowed, with blanks between them; '' for any. */
  readonly choices: string;
}

const valuesOf = (command: CommandHelp): OptionValue[] =>
  optionsOf(command).flatMap(({ term, text }) => {
    const kind = optionValue(term);
    if (kind === undefined || term.includes('[')) return []; // a value that may be left out is not the next word
    const [, list = ''] = /\(choices: ((?:"[\w.]+"(?:, )?)+)/.exec(text) ?? [];
    const choices = list.replaceAll(/[",]/g, '');
    return optionNames(term).map((name) => ({ before: `${command.words.join(' ')} ${name}`, kind, choices }));
  });

/** A script for bash-completion, or to source by hand. */
export function completion(commands: readonly CommandHelp[]): string {
  const names = commands.map(({ words }) => words.join(' ')).filter((name) => name !== '');
  const values = commands.flatMap(valuesOf);
  const patterns = (fits: (value: OptionValue) => boolean) =>
    values
      .filter(fits)
      .map(({ before }) => `'${before}'`)
      .join('|') || '!';
  const choices = [...new Set(values.map(({ choices }) => choices).filter((list) => list !== ''))];
  const cases = commands.map((command) => {
    const { words, commands, arguments: args } = command;
    const takesFile = args.some(({ term }) => FILE_VALUES.includes(term));
    const below = commands.map(({ term }) => firstWord(term));
    const own = [...below, ...optionsOf(command).flatMap(({ term }) => optionNames(term))];
    return `    '${words.join(' ')}') words='${own.join(' ')}'${takesFile ? ' files=yes' : ''} ;;`;
  });
  return `# bash completion of hostnode

_hostnode() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command='' word words files=''
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${command:+$command }$word" in
      ${names.map((name) => `'${name}'`).join('|')}) command=\${command:+$command }$word ;;
    esac
  done
  case "$command $previous" in
    ${patterns(({ kind }) => FILE_VALUES.includes(kind))}) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    ${patterns(({ kind }) => FOLDER_VALUES.includes(kind))}) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$current"); return ;;
${choices.map((list) => `    ${patterns((value) => value.choices === list)}) mapfile -t COMPREPLY < <(compgen -W '${list}' -- "$current"); return ;;`).join('\n')}
    ${patterns(({ kind, choices }) => choices === '' && ![...FILE_VALUES, ...FOLDER_VALUES].includes(kind))}) return ;;
  esac
  case $command in
${cases.join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [[ $files && $current && $current != -* ]]; then
    compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}

complete -F _hostnode hostnode
`;
}
