/** What a parser looks for, read off its source: the words that it compares, and the patterns that it matches. */
import { existsSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';

const string = /'((?:[^'\\\n]|\\.){1,80})'/g;
const pattern =
  /(?<=[=(,:?|&!\s[])\/((?:[^/\\\n[*]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*)\/([dgimsuvy]*)/g;
const imported = /from '((?:\.|\.\.\/base)\/[\w-]+\.ts)'/g;
const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

/** A file of the sources and those that it imports from its own folder and from `base`, without comments. */
function sourcesOf(file: URL, seen = new Set<string>()): string[] {
  if (seen.has(file.href) || !existsSync(file)) return [];
  seen.add(file.href);
  const text = readFileSync(file, 'utf8');
  const others = Array.from(text.matchAll(imported), ([, name = '']) => new URL(name, file));
  const code = text.replace(comment, '').replace(/^import .*$/gm, '');
  return [code, ...others.flatMap((other) => sourcesOf(other, seen))];
}

export interface Vocabulary {
  /** Pieces of text that a parser looks for. */
  words: readonly string[];
  /** Texts that its patterns match. */
  phrases: readonly fc.Arbitrary<string>[];
}

/** @param files below `src/` */
export function vocabularyOf(...files: string[]): Vocabulary {
  const root = new URL('../../src/', import.meta.url);
  const code = files.flatMap((file) => sourcesOf(new URL(file, root))).join('\n');
  const strings = Array.from(code.matchAll(string), ([, text = '']) => text.replace(/\\(.)/g, '$1'));
  const patterns = Array.from(code.matchAll(pattern), ([, source = '', flags = '']) => ({ source, flags }));
  const pieces = patterns.flatMap(({ source }) => source.split(/[\\^$.*+?()[\]{}|]+/));
  return {
    words: [...new Set([...strings, ...pieces].filter((word) => word !== '' && !word.startsWith('./')))],
    phrases: patterns.flatMap(({ source, flags }) => matching(source, flags)),
  };
}

/** No phrase need be longer, characters. */
const LONGEST_PHRASE = 300;

/** For these fast-check draws letters until some fit, which may be for ever; or lists all million characters that do. */
const undrawable = /\\[pP1-9]|\(\?[<!=]|\[\^ -~\]/;

/** None for a pattern that fast-check cannot build a text for. */
function matching(source: string, flags: string): fc.Arbitrary<string>[] {
  if (undrawable.test(source)) return [];
  try {
    // no `maxLength`: it draws until one is short enough, which may be for ever
    const phrase = fc.stringMatching(new RegExp(source, flags.replace(/[dgymv]/g, '')));
    return [phrase.map((text) => text.slice(0, LONGEST_PHRASE))];
  } catch {
    return [];
  }
}
