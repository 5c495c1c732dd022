/** Completion for bash: the commands and options of the program's help, and files for options that take one. */
import { type CommandHelp, firstWord, optionNames, optionValue } from './command-help.ts';

const FILE_VALUES = ['file', 'path'];
const FOLDER_VALUES = ['dir', 'folder'];

const optionsOf = ({ options, commonOptions }: CommandHelp) => [...options, ...commonOptions];

/** A script for bash-completion, or to source by hand. */
export function completion(commands: readonly CommandHelp[]): string {
  const names = commands.map(({ words }) => words.join(' ')).filter((name) => name !== '');
  const options = commands.flatMap(optionsOf);
  const taking = (values?: readonly string[]) => {
    const chosen = options.filter(({ term }) => {
      const value = optionValue(term);
      return value !== undefined && (values === undefined || values.includes(value));
    });
    return [...new Set(chosen.flatMap(({ term }) => optionNames(term)))].toSorted().join('|') || '!';
  };
  const cases = commands.map((command) => {
    const { words, commands } = command;
    const below = commands.map(({ term }) => firstWord(term));
    const own = [...below, ...optionsOf(command).flatMap(({ term }) => optionNames(term))];
    return `    '${words.join(' ')}') words='${own.join(' ')}' ;;`;
  });
  return `# bash completion of hostnode

_hostnode() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command='' word words
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${command:+$command }$word" in
      ${names.map((name) => `'${name}'`).join('|')}) command=\${command:+$command }$word ;;
    esac
  done
  case $previous in
    ${taking(FILE_VALUES)}) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    ${taking(FOLDER_VALUES)}) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$current"); return ;;
    ${taking()}) return ;;
  esac
  case $command in
${cases.join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -F _hostnode hostnode
`;
}
