/**
 * Completion for bash, zsh and fish: the commands and options of the program's help, files for options that take one,
 * stories, and the names of phones and places that the running agent knows.
 */
import { stories } from '../src/demo/stories.ts';
import { type CommandHelp, firstWord, optionNames, optionValue } from './command-help.ts';

/** What can stand at a place: of a kind, or one of these words; with `files` also any file. */
interface Value {
  readonly kind: 'files' | 'folders' | 'names' | 'words' | 'any';
  readonly words: readonly string[];
}

const KINDS: Readonly<Record<string, Value['kind']>> = {
  file: 'files',
  path: 'files',
  dir: 'folders',
  folder: 'folders',
  serial: 'names',
};

/** Arguments of the commands to a running agent that are the name of a phone or a place. */
const NAMES = ['name', 'phone', 'place'];

interface Option {
  /** `-o`, `--output`. */
  readonly names: readonly string[];
  readonly text: string;
  /** Undefined for a switch, and where the value may be left out: it is not the next word. */
  readonly value: Value | undefined;
}

interface Completed {
  /** `slots learn`; '' for the program itself. */
  readonly name: string;
  readonly commands: readonly { readonly word: string; readonly text: string }[];
  readonly options: readonly Option[];
  readonly takesFile: boolean;
  readonly takesName: boolean;
}

function valueIn(term: string, text: string): Value | undefined {
  const kind = optionValue(term);
  if (kind === undefined || term.includes('[')) return undefined;
  const [, list = ''] = /\(choices: ((?:"[\w.]+"(?:, )?)+)/.exec(text) ?? [];
  if (list !== '') return { kind: 'words', words: list.replaceAll(/[",]/g, '').split(' ') };
  if (kind === 'story') return { kind: 'files', words: Object.keys(stories) };
  return { kind: KINDS[kind] ?? 'any', words: [] };
}

function completed({
  words,
  usage,
  commands,
  arguments: args,
  options,
  commonOptions,
}: CommandHelp): Completed {
  const all = [...options, ...commonOptions];
  const isToAgent = all.some(({ term }) => term.startsWith('--socket '));
  const inUsage = [...usage.matchAll(/[<[]([\w-]+)(?:\.{3})?[>\]]/g)].map(([, name = '']) => name);
  return {
    name: words.join(' '),
    commands: commands.map(({ term, text }) => ({ word: firstWord(term), text })),
    options: all.map(({ term, text }) => ({ names: optionNames(term), text, value: valueIn(term, text) })),
    takesFile: args.some(({ term }) => ['file', 'path', 'folder'].includes(term.replace(/\W/g, ''))),
    takesName: isToAgent && inUsage.some((name) => NAMES.includes(name)),
  };
}

/** As one word of a shell, in single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** For fish, whose single quotes know the backslash. */
const quotedInFish = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

const namesOf = (all: readonly Completed[]): string[] =>
  all.map(({ name }) => name).filter((name) => name !== '');

/** The options with a value like this, as the pattern of a `case`: `'slots learn --output'|'slots learn -o'`. */
function before(all: readonly Completed[], fits: (value: Value) => boolean): string {
  const patterns = all.flatMap(({ name, options }) =>
    options.flatMap(({ names, value }) =>
      value !== undefined && fits(value) ? names.map((option) => quoted(`${name} ${option}`)) : [],
    ),
  );
  return patterns.join('|') || '!';
}

/** The words that some options have as values, each list once. */
function lists(all: readonly Completed[]): string[] {
  const values = all.flatMap(({ options }) => options.flatMap(({ value }) => value ?? []));
  return [...new Set(values.map(({ words }) => words.join(' ')).filter((list) => list !== ''))];
}

const isPlain =
  (kind: Value['kind']) =>
  (value: Value): boolean =>
    value.kind === kind && value.words.length === 0;

/** Finds which command the words before the cursor name; for bash and zsh. */
const commandLoop = (all: readonly Completed[], words: string): string => `  for word in ${words}; do
    case "\${command:+$command }$word" in
      ${namesOf(all).map(quoted).join('|')}) command="\${command:+$command }$word" ;;
    esac
  done`;

/** A script for bash-completion, or to source by hand. */
export function bashCompletion(commands: readonly CommandHelp[]): string {
  const all = commands.map(completed);
  const cases = all.map(({ name, commands, options, takesFile, takesName }) => {
    const own = [...commands.map(({ word }) => word), ...options.flatMap(({ names }) => names)];
    const more = `${takesFile ? ' files=yes' : ''}${takesName ? ' names=yes' : ''}`;
    return `    '${name}') words='${own.join(' ')}'${more} ;;`;
  });
  const values = lists(all).map((list) => {
    const isThis = (value: Value) => value.words.join(' ') === list;
    const withFiles = before(all, (value) => isThis(value) && value.kind === 'files') !== '!';
    return `    ${before(all, isThis)}) words='${list}'${withFiles ? ' files=yes' : ''} ;;`;
  });
  return `# bash completion of hostnode

# Adds the names of phones and places that fit. No shell reads them as code: a phone may have any name.
_hostnode_names() {
  local name typed=\${1#[\\"\\']}
  typed=\${typed//\\\\/}
  compopt -o filenames 2>/dev/null # blanks get their backslash
  while IFS= read -r name; do
    [[ $name == "$typed"* && ! $name =~ [^[:alnum:]\\ ,._:/@+-] ]] && COMPREPLY+=("$name")
  done < <(hostnode status --names 2>/dev/null </dev/null)
}

_hostnode_files() {
  local file
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen "$1" -- "$2")
}

_hostnode() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command='' word words files='' names=''
  COMPREPLY=()
${commandLoop(all, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  case "$command $previous" in
    ${before(all, isPlain('files'))}) _hostnode_files -f "$current"; return ;;
    ${before(all, isPlain('folders'))}) _hostnode_files -d "$current"; return ;;
    ${before(all, isPlain('names'))}) _hostnode_names "$current"; return ;;
    ${before(all, isPlain('any'))}) return ;;
${values.join('\n')}
    *)
      case $command in
${cases.map((line) => `    ${line}`).join('\n')}
      esac ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [[ $files && $current && $current != -* ]]; then _hostnode_files -f "$current"; fi
  if [[ $names && $current != -* ]]; then _hostnode_names "$current"; fi
}

complete -F _hostnode hostnode
`;
}

/** A function for zsh's completion system, to lie in a folder of \`fpath\` as \`_hostnode\`. */
export function zshCompletion(commands: readonly CommandHelp[]): string {
  const all = commands.map(completed);
  const described = (word: string, text: string) => quoted(`${word.replaceAll(':', '\\:')}:${text}`);
  const cases = all.map(({ name, commands, options, takesFile, takesName }) => {
    const below = commands.map(({ word, text }) => described(word, text));
    const own = options.flatMap(({ names, text }) => names.map((option) => described(option, text)));
    const more = `${takesFile ? ' files=yes' : ''}${takesName ? ' names=yes' : ''}`;
    return `    ('${name}') below=(${below.join(' ')}) own=(${own.join(' ')})${more} ;;`;
  });
  const values = lists(all).map((list) => {
    const isThis = (value: Value) => value.words.join(' ') === list;
    const withFiles = before(all, (value) => isThis(value) && value.kind === 'files') !== '!';
    return `    (${before(all, isThis)}) compadd -- ${list};${withFiles ? ' _files;' : ''} return ;;`;
  });
  return `#compdef hostnode
# zsh completion of hostnode

_hostnode_names() {
  local -a known
  known=("\${(@f)$(hostnode status --names 2>/dev/null </dev/null)}")
  compadd -a known
}

_hostnode() {
  local command='' word files='' names=''
  local -a below own
${commandLoop(all, '$words[2,CURRENT-1]')}
  case "$command $words[CURRENT-1]" in
    (${before(all, isPlain('files'))}) _files; return ;;
    (${before(all, isPlain('folders'))}) _files -/; return ;;
    (${before(all, isPlain('names'))}) _hostnode_names; return ;;
    (${before(all, isPlain('any'))}) return ;;
${values.join('\n')}
  esac
  case $command in
${cases.join('\n')}
  esac
  (( $#below )) && _describe -t commands command below
  [[ -n $names ]] && _hostnode_names
  [[ -n $files ]] && _files
  if (( ! $#below )) && [[ -z $names$files ]] || [[ $PREFIX == -* ]]; then
    _describe -o -t options option own
  fi
}

_hostnode "$@"
`;
}

/** For fish, to lie in its folder of completions as \`hostnode.fish\`. */
export function fishCompletion(commands: readonly CommandHelp[]): string {
  const all = commands.map(completed);
  const valueWords = (value: Value): string => {
    const known = value.words.length > 0 ? ` -a '${value.words.join(' ')}'` : '';
    if (value.kind === 'files') return `-r -F${known}`;
    if (value.kind === 'folders') return `-x -a '(__fish_complete_directories)'`;
    return value.kind === 'names' ? `-x -a '(__hostnode_names)'` : `-x${known}`;
  };
  const lines = all.flatMap(({ name, commands, options, takesFile, takesName }) => {
    const at = `complete -c hostnode -n '__hostnode_at ${name}'`;
    const below = commands.map(({ word, text }) => `${at} -a ${word} -d ${quotedInFish(text)}`);
    const own = options.map(({ names, text, value }) => {
      const terms = names.map((option) =>
        option.startsWith('--') ? `-l ${option.slice(2)}` : `-s ${option.slice(1)}`,
      );
      const words = value === undefined ? [] : [valueWords(value)];
      return [at, ...terms, ...words, `-d ${quotedInFish(text)}`].join(' ');
    });
    const args = [
      ...(takesFile ? [`${at} -F`] : []),
      ...(takesName ? [`${at} -a '(__hostnode_names)'`] : []),
    ];
    return [...below, ...own, ...args];
  });
  return `# fish completion of hostnode

function __hostnode_names
  command hostnode status --names 2>/dev/null </dev/null
end

# Whether the words before the cursor name this command, and none below it
function __hostnode_at
  set -l command
  for word in (commandline -opc)[2..]
    switch (string join ' ' -- $command $word)
      case ${namesOf(all).map(quoted).join(' ')}
        set -a command $word
    end
  end
  test "$command" = "$argv"
end

complete -c hostnode -f
${lines.join('\n')}
`;
}
