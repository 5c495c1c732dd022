import { readFileSync } from 'node:fs';

const folder = new URL('./fixtures/corpus/', import.meta.url);

/** One captured output and the facts that a careful person reads from it. */
export interface Sample {
  file: string;
  command: string;
  device: string;
  android: string;
  note: string;
  text: string;
  /** Facts in the units that the text uses; null where nothing valid can be read. */
  // biome-ignore lint/suspicious/noExplicitAny: each folder of samples has a shape of its own
  expected: any;
}

/** The samples of one folder of test/fixtures/corpus, as its manifest.tsv lists them. */
export function samples(section: string): Sample[] {
  const [, ...rows] = readFileSync(new URL('manifest.tsv', folder), 'utf8').trimEnd().split('\n');
  return rows
    .map((row) => row.split('\t'))
    .filter(([file]) => file?.startsWith(`${section}/`))
    .map(([file = '', command = '', device = '', android = '', , , , , note = '', expected = 'null']) => ({
      file,
      command,
      device,
      android,
      note,
      text: readFileSync(new URL(file, folder), 'utf8'),
      expected: JSON.parse(expected),
    }));
}
