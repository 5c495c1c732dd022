/** All regular expressions of the sources: what is written as such, and what is built while the program runs. */
import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AnyNode, parse } from 'acorn';
import { transformSync } from 'esbuild';
import { vi } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Expression {
  source: string;
  flags: string;
  /** The files that have it, from the root of the sources. */
  files: Set<string>;
}

export interface Written {
  expressions: Expression[];
  /** By file, how many are built there by `RegExp(…)`. */
  built: Map<string, number>;
}

const nodesBelow = (node: AnyNode): AnyNode[] =>
  Object.values(node)
    .flat()
    .filter((value): value is AnyNode => typeof value?.type === 'string')
    .flatMap((below) => [below, ...nodesBelow(below)]);

const codeOf = (file: string) =>
  transformSync(readFileSync(`${root}${file}`, 'utf8'), {
    loader: file.endsWith('x') ? 'tsx' : 'ts',
    target: 'esnext',
    format: 'esm',
  }).code;

/** What stands in the sources. */
export function writtenExpressions(): Written {
  const expressions = new Map<string, Expression>();
  const built = new Map<string, number>();
  for (const file of globSync('src/**/*.{ts,tsx}', { cwd: root })) {
    for (const node of nodesBelow(parse(codeOf(file), { ecmaVersion: 'latest', sourceType: 'module' }))) {
      if (node.type === 'Literal' && node.regex) {
        const { pattern: source, flags } = node.regex;
        const known = expressions.get(`/${source}/${flags}`) ?? { source, flags, files: new Set() };
        expressions.set(`/${source}/${flags}`, known);
        known.files.add(file);
      }
      const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
      if (isCall && node.callee.type === 'Identifier' && node.callee.name === 'RegExp')
        built.set(file, (built.get(file) ?? 0) + 1);
    }
  }
  return { expressions: [...expressions.values()], built };
}

/**
 * Runs this with a RegExp that writes down what is built of it.
 *
 * @returns what the sources built, and by file, at how many places
 */
export async function builtExpressions(
  run: () => Promise<void>,
): Promise<{ expressions: Expression[]; places: Map<string, number> }> {
  const expressions = new Map<string, Expression>();
  const places = new Map<string, Set<string>>();
  class Recorded extends RegExp {
    constructor(source: string | RegExp, flags?: string) {
      super(source, flags);
      const [, place = '', path = ''] = /\n.*?((?:file:\/\/)?(\/[^\n():]+):\d+:\d+)/.exec(callerOf()) ?? [];
      const file = relative(root, path);
      if (!file.startsWith('src/')) return;
      const key = `/${this.source}/${this.flags}`;
      const known = expressions.get(key) ?? { source: this.source, flags: this.flags, files: new Set() };
      expressions.set(key, known);
      known.files.add(file);
      places.set(file, (places.get(file) ?? new Set()).add(place));
    }

    static override get [Symbol.species]() {
      return OwnRegExp;
    }
  }
  vi.resetModules();
  vi.stubGlobal('RegExp', Recorded);
  try {
    await run();
  } finally {
    vi.unstubAllGlobals();
    vi.resetModules();
  }
  const counted = Array.from(places, ([file, { size }]) => [file, size] as const);
  return { expressions: [...expressions.values()], places: new Map(counted) };
}

const OwnRegExp = RegExp;

/** The stack above the constructor, first the line that called it. */
const callerOf = (): string => (new Error().stack ?? '').split('\n').slice(3).join('\n').replace(/^/, '\n');
