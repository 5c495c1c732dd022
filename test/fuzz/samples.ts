/** Good inputs: what phones have printed, from the corpus and from the recorded phones. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { recordings } from '../../src/demo/phones/index.ts';
import { outputOf } from '../../src/demo/recording.ts';
import type { Facts } from '../../src/facts/index.ts';

const test = new URL('../', import.meta.url);
/** A longer one costs more time than it finds. */
const LONGEST = 64 * 1024;

/** All files below a folder of `test/`, or a file alone. */
function filesIn(path: string): string[] {
  const url = new URL(path, test);
  if (!existsSync(url)) return [];
  if (statSync(url).isFile()) return [readFileSync(url, 'utf8').slice(0, LONGEST)];
  return readdirSync(url)
    .filter((name) => !name.endsWith('.md') && !name.endsWith('.json') && !name.endsWith('.tsv'))
    .flatMap((name) => filesIn(`${path}/${name}`));
}

/** Where outputs are that a section reads, below `test/`; `phones` are names of files of the recorded phones. */
const places: Record<keyof Facts, { corpus: string[]; phones?: RegExp }> = {
  boot: { corpus: ['corpus/uptime', 'corpus/getprop'], phones: /^properties/ },
  identity: { corpus: ['corpus/getprop'], phones: /^properties/ },
  name: { corpus: [] },
  root: { corpus: ['corpus/su_id'] },
  battery: { corpus: ['corpus/battery', 'battery'], phones: /^battery/ },
  wear: { corpus: ['wear'] },
  readiness: { corpus: ['corpus/display', 'corpus/readiness', 'readiness'], phones: /^window/ },
  storage: { corpus: ['corpus/df', 'storage'], phones: /^df/ },
  memory: { corpus: ['corpus/meminfo'], phones: /^meminfo/ },
  screen: { corpus: ['corpus/wm', 'display'], phones: /^(?:wm|window)/ },
  display: { corpus: ['corpus/display', 'display'], phones: /^(?:display|window)/ },
  mobile: { corpus: ['corpus/telephony_registry', 'corpus/isub', 'mobile'], phones: /^telephony/ },
  identifiers: { corpus: ['corpus/iphonesubinfo', 'corpus/siminfo', 'corpus/isub', 'identifiers', 'mobile'] },
  browsers: { corpus: ['corpus/packages', 'browsers'], phones: /^package/ },
  network: { corpus: ['corpus/connectivity', 'network'], phones: /^connectivity/ },
};

/** What phones have answered to a section's commands. */
export function answersOf(section: keyof Facts): string[] {
  const { corpus, phones } = places[section];
  const recorded = recordings.flatMap(({ answers }) =>
    Object.entries(answers).flatMap(([name, answer]) =>
      name.startsWith(`${section}.`) ? [outputOf(answer).text.slice(0, LONGEST)] : [],
    ),
  );
  return [
    ...new Set([
      ...recorded,
      ...corpus.flatMap((folder) => filesIn(`fixtures/${folder}`)),
      ...filesOfPhones(phones),
    ]),
  ];
}

function filesOfPhones(names: RegExp | undefined): string[] {
  if (names === undefined) return [];
  const folder = 'rig/phones';
  return readdirSync(new URL(folder, test)).flatMap((phone) =>
    readdirSync(new URL(`${folder}/${phone}`, test))
      .filter((file) => names.test(file))
      .flatMap((file) => filesIn(`${folder}/${phone}/${file}`)),
  );
}

/** Lists of phones as adb prints them. */
export const deviceLists = (): string[] => filesIn('fixtures/corpus/adb_devices');

/** A file of the project, by its path. */
export const projectFile = (path: string): string => readFileSync(new URL(`../${path}`, test), 'utf8');
