/** The order of the folders of src: each file imports only what stands before it, types included. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** From the ground up. A folder more gets its place here, and a line in docs/architecture.md. */
const ORDER = [
  'base',
  'facts',
  'adb',
  'cloud',
  'host',
  'sandbox',
  'demo',
  'probe',
  'roster',
  'report',
  'history',
  'diagnosis',
  'config',
  'agent',
  'status',
  'daemon',
  'doctor',
  'cli',
];
/** The only files beside the folders. They stand above all of them. */
const LOOSE = ['launch.ts', 'main.ts'];
/** Where the process's own environment is read; all others are handed what they need of it. */
const MAY_READ_ENVIRONMENT = ['cli', 'doctor', 'daemon', ...LOOSE];

const src = fileURLToPath(new URL('../src', import.meta.url));

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));

/** A file's text without its comments. */
const codeOf = (file: string): string =>
  readFileSync(join(src, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, '');

const code = new Map(files.map((file) => [file, codeOf(file)]));

/** The files of src that a file imports, by whatever kind of import. */
function importsOf(file: string): string[] {
  const found = (code.get(file) ?? '').matchAll(
    /(?:\bfrom|\bimport|\bimport\(|\bURL\()\s*'(\.[^']*\.tsx?)'/g,
  );
  return Array.from(found, ([, path = '']) => relative(src, join(src, dirname(file), path)));
}

const imports = new Map(files.map((file) => [file, importsOf(file)]));

const folderOf = (file: string): string => file.split('/', 1)[0] ?? '';

/** How high a file stands; loose files stand above all folders. */
const heightOf = (file: string): number =>
  LOOSE.includes(file) ? ORDER.length : ORDER.indexOf(folderOf(file));

/**
 * What a file stands for where circles of sub-folders are looked for: its whole sub-folder, such as `status/http`; a file
 * beside the sub-folders stands for itself.
 */
const roomOf = (file: string): string => {
  const [folder = '', below, deeper] = file.split('/');
  return below !== undefined && deeper !== undefined ? `${folder}/${below}` : file;
};

/** The same imports between rooms, without those within one. */
const importsOfRooms = new Map<string, string[]>();
for (const [file, targets] of imports) {
  const room = roomOf(file);
  const others = targets.map(roomOf).filter((target) => target !== room);
  importsOfRooms.set(room, [...(importsOfRooms.get(room) ?? []), ...others]);
}

/** A way from a file or room back to itself; undefined where there is none. */
function circleFrom(start: string, graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const waiting = [start];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const next of graph.get(at) ?? []) {
      if (next === start) {
        const way = [at];
        for (let step = at; step !== start; way.unshift(step)) step = cameFrom.get(step) ?? start;
        return [...way, start];
      }
      if (!cameFrom.has(next)) {
        cameFrom.set(next, at);
        waiting.push(next);
      }
    }
  }
  return undefined;
}

describe('the folders of src', () => {
  it('are those of the order, with two files beside them', () => {
    expect(imports.get('main.ts')).toContain('cli/run.ts'); // imports are seen
    const unknown = files.filter((file) => heightOf(file) < 0);
    expect(unknown, 'move these into a folder of the order (ORDER in this file)').toEqual([]);
    expect(new Set(files.map(folderOf))).toEqual(new Set([...ORDER, ...LOOSE]));
  });

  it('import only what stands before them', () => {
    const wrong = [...imports].flatMap(([file, targets]) =>
      targets
        .filter((target) => heightOf(target) > heightOf(file))
        .map(
          (target) =>
            `src/${file} imports src/${target}: ${folderOf(target)} stands behind ${folderOf(file)}. ` +
            `Move what both need down, or hand it over as an argument`,
        ),
    );
    expect(wrong).toEqual([]);
  });

  it('have no circle of files', () => {
    const circles = files.flatMap((file) => circleFrom(file, imports) ?? []);
    expect(circles, 'move what two of these share into a file of its own').toEqual([]);
  });

  it('have no circle of sub-folders', () => {
    const circles = [...importsOfRooms.keys()].flatMap((room) => {
      const way = circleFrom(room, importsOfRooms);
      return way === undefined ? [] : [way.join(' → ')];
    });
    expect(circles, 'move what two of these share into a file beside them').toEqual([]);
  });

  it('keep the diagnosis free of HTTP and the terminal', () => {
    const outside =
      /\bfrom '(node:(?:http|https|http2|net|tls|tty|readline)|\.\.\/(?:\.\.\/)*(?:status|cli)\/[^']*)'|\bprocess\.std/;
    const knowing = files.filter(
      (file) => /^(?:diagnosis|history)\//.test(file) && outside.test(code.get(file) ?? ''),
    );
    expect(knowing, 'give it a function, or have its caller put the answer into words').toEqual([]);
  });

  it('read the environment of the process at the edge only', () => {
    const readers = files.filter(
      (file) => code.get(file)?.includes('process.env') && !MAY_READ_ENVIRONMENT.includes(folderOf(file)),
    );
    expect(readers, 'take the environment as an argument').toEqual([]);
  });
});
