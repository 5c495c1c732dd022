import { quoted } from './quoted.ts';

/** Reads the output of `getprop` without arguments; a value may hold line breaks. */
export function parseProperties(dump: string): Map<string, string> {
  const pairs = dump.replaceAll('\r\n', '\n').matchAll(/^\[([^\]\n]+)\]: \[([\s\S]*?)\]$/gm);
  return new Map(Array.from(pairs, ([, key = '', value = '']) => [key, value]));
}

/** A script that answers `getprop`, `getprop KEY` and `getprop KEY DEFAULT`. */
export function propertyTool(properties: ReadonlyMap<string, string>): string {
  const dump = Array.from(properties, ([key, value]) => `[${key}]: [${value}]`).join('\n');
  const cases = Array.from(properties, ([key, value]) => `${quoted(key)}) value=${quoted(value)} ;;`);
  return [
    '#!/system/bin/sh',
    `if [ $# = 0 ]; then print -r -- ${quoted(dump)}; exit; fi`,
    'value=',
    'case $1 in',
    ...cases,
    'esac',
    'print -r -- "${' + 'value:-$2}"',
    '',
  ].join('\n');
}
