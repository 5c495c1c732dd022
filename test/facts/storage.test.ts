import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../src/base/errors.ts';
import { parseDf, parseStat, parseStorage, storage } from '../../src/facts/storage.ts';
import { expectFacts, expectUnreadable, samples } from '../support/corpus.ts';
import { expectOnlyParseErrors, hostileText, huge } from '../support/hostile-text.ts';
import { askPhone, hasPhoneShell } from './phone-shell.ts';

const phones = samples('df');
const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/storage/${name}.txt`, import.meta.url), 'utf8');

const power: Record<string, number> = { K: 1024, M: 1024 ** 2, G: 1024 ** 3 };
const bytes = (text: string) => Number(text.slice(0, -1)) * (power[text.slice(-1)] ?? Number.NaN);
const factsOf = (row: { size?: string; used?: string; size_kB?: number; used_kB?: number }) => ({
  totalBytes: row.size === undefined ? (row.size_kB ?? 0) * 1024 : bytes(row.size),
  usedBytes: row.used === undefined ? (row.used_kB ?? 0) * 1024 : bytes(row.used),
});
/** The row of a sample that `expected` speaks of: that of /data, or of the one mount that was asked for. */
const rowOf = (expected: { mount?: string; data?: object } | null) =>
  expected?.mount === undefined ? expected?.data : expected;
/** A table as it were had /data been asked for. */
const asOfData = (text: string, mount = '/data') => text.replaceAll(mount, '/data');

describe('parseDf', () => {
  it.each(phones.filter(({ expected }) => rowOf(expected)))('reads $file', ({ file, text, expected }) => {
    expectFacts(file, parseDf(asOfData(text, expected.mount)), factsOf(rowOf(expected) ?? {}));
  });

  it.each(phones.filter(({ expected }) => !expected?.data))(
    'has no size of /data in $file',
    ({ file, text }) => {
      expectUnreadable(file, () => parseDf(text));
    },
  );

  it('does not take the negative size of a card that is not mounted for a reading', () => {
    const [sample] = phones.filter(({ file }) => file.includes('negative'));
    const text = asOfData(sample?.text ?? '', '/storage/sdcard0');
    expect(text).toContain('/data         -1.0K     -1.0K     -1.0K   4096');
    expect(() => parseDf(text)).toThrow(ParseError);
    expect(parseDf(text.replaceAll('-1.0K', ' 1.0K'))).toEqual({ totalBytes: 1024, usedBytes: 1024 });
  });

  it('reads sizes with a decimal between rows that were denied', () => {
    expect(parseDf(fixture('sony-so-02h-android-6.0'))).toEqual({
      totalBytes: Math.round(21.9 * 1024 ** 3),
      usedBytes: Math.round(12.1 * 1024 ** 3),
    });
  });

  it('calls no disk full that has a free part, in a unit too small for the rounded size', () => {
    const text = fixture('handheld-android-4.4');
    const totalBytes = Math.round(1.4 * 1024 ** 3);
    expect(parseDf(text)).toEqual({ totalBytes, usedBytes: totalBytes - Math.round(83.8 * 1024 ** 2) });
    expect(parseDf(text.replace('83.8M', ' 0.0K'))).toEqual({ totalBytes, usedBytes: totalBytes });
  });

  it('reads sizes with units in a table that names devices', () => {
    expect(parseDf(fixture('mediatek-df-h-android-12'))).toEqual({
      totalBytes: 24 * 1024 ** 3,
      usedBytes: 23 * 1024 ** 3,
    });
  });

  const header = 'Filesystem     1K-blocks    Used Available Use% Mounted on\n';
  const expected = { totalBytes: 6082144 * 1024, usedBytes: 5372468 * 1024 };

  it('reads a row that a long device name has broken in two', () => {
    const wrapped = `${header}/dev/block/platform/soc.0/f9824900.sdhci/by-name/userdata\n                     6082144 5372468    709676  89% /data\n`;
    expect(parseDf(wrapped)).toEqual(expected);
  });

  it('reads a row whose second half starts at the margin, and a table that is indented', () => {
    const [top, row] = [header, '6082144 5372468 709676 89% /data\n'];
    expect(parseDf(`${top}/dev/block/dm-9\n${row}`)).toEqual(expected);
    expect(parseDf(`    ${top}    /dev/block/dm-9 ${row}`)).toEqual(expected);
  });

  it('reads a Sony and a Shield that name /data by its other mount, /data/user/0', () => {
    expect(parseDf(fixture('sony-so-03l-android-11'))).toEqual({
      totalBytes: 48023344 * 1024,
      usedBytes: 46097288 * 1024,
    });
    expect(parseDf(fixture('nvidia-shield-df-h'))).toEqual({
      totalBytes: 12 * 1024 ** 3,
      usedBytes: Math.round(3.7 * 1024 ** 3),
    });
  });

  it('reads an emulator that names /data by the mount of its media', () => {
    expect(parseDf(fixture('emulator-android-15'))).toEqual({
      totalBytes: 6082144 * 1024,
      usedBytes: 319032 * 1024,
    });
  });

  it('prefers the row of /data to that of /data/user/0', () => {
    expect(
      parseDf(`${header}/dev/block/dm-44 6082144 5372468 709676 89% /data\n/dev/x 1 1 0 100% /data/user/0`),
    ).toEqual(expected);
  });

  it('reads the disk and neither the tmpfs below it nor adopted storage', () => {
    const rows = [
      'tmpfs              65536       4     65532   1% /data',
      '/dev/block/dm-44 6082144 5372468    709676  89% /data',
      '/dev/block/dm-45 1000000   50000    950000   5% /mnt/expand/5f6c2e0e-1f0b-4b9c-8a6d-1e2f3a4b5c6d',
    ];
    expect(parseDf(header + rows.join('\n'))).toEqual(expected);
  });

  it('throws ParseError when a tmpfs alone stands in for /data', () => {
    expect(() => parseDf(`${header}tmpfs 65536 4 65532 1% /data\n`)).toThrow(ParseError);
  });

  it('counts 512-byte blocks where the heading says so', () => {
    const text =
      'Filesystem 512-blocks Used Available Use% Mounted on\n/dev/block/dm-0 1000 500 500 50% /data\n';
    expect(parseDf(text)).toEqual({ totalBytes: 512000, usedBytes: 256000 });
  });

  it('reads the sentences of the oldest df', () => {
    const text =
      '/dev: 94772K total, 12K used, 94760K available (block size 4096)\n/data: 200960K total, 63836K used, 137124K available (block size 4096)\n';
    expect(parseDf(text)).toEqual({ totalBytes: 200960 * 1024, usedBytes: 63836 * 1024 });
  });
});

describe('parseStat', () => {
  it('counts root’s reserve as free', () => {
    expect(parseStat('4096 28154880 11298816 11265000 f2f52010\n')).toEqual({
      totalBytes: 28154880 * 4096,
      usedBytes: (28154880 - 11298816) * 4096,
    });
  });

  it('finds nothing in the complaint of a phone without toybox', () => {
    expect(parseStat('sh: toybox: not found\n')).toBeUndefined();
  });
});

describe('parseStorage', () => {
  it('prefers the exact blocks to the table', () => {
    const text = `decrypt=\n4096 100 60 50 ef53\n${fixture('sony-so-02h-android-6.0')}`;
    expect(parseStorage(text)).toEqual({ totalBytes: 409600, usedBytes: 163840 });
  });

  it.each(['1', 'trigger_restart_min_framework'])(
    'throws ParseError while the disk waits for its PIN (%s)',
    (state) => {
      const text = `decrypt=${state}\n${fixture('sony-so-02h-android-6.0')}`;
      expect(() => parseStorage(text)).toThrow(ParseError);
    },
  );

  it('throws ParseError while a tmpfs stands in for /data', () => {
    expect(() => parseStorage('decrypt=\n4096 16384 16380 16380 1021994\n')).toThrow(ParseError);
  });

  it('answers anything with facts or ParseError, in linear time', () => {
    const texts = [...phones.map(({ text }) => text), 'decrypt=\n4096 100 60 50 ef53\n'];
    fc.assert(fc.property(hostileText(texts), (text) => expectOnlyParseErrors(parseStorage, text)));
    for (const text of [...texts.slice(0, 3), '1 ', '1K ', '/a', ' ', '/data 1 1 1 1\n', '1\t']) {
      expectOnlyParseErrors(parseStorage, huge(text));
    }
  });
});

describe.skipIf(!hasPhoneShell)('the command for the storage', () => {
  const command = storage.commands().size;
  // the real toybox, asked for the file system of this machine in place of /data
  const toybox = 'exec /usr/bin/toybox "$1" "$2" "$3" "$4" /';
  const df = `exec /usr/bin/toybox cat ${new URL('../fixtures/storage/sony-so-02h-android-6.0.txt', import.meta.url).pathname}`;

  it('asks stat and is content', () => {
    const text = askPhone(command, { getprop: 'echo', toybox, df: 'echo unasked' });
    expect(text).not.toContain('unasked');
    expect(parseStorage(text).totalBytes).toBeGreaterThan(0);
  });

  it('asks df on a phone without toybox', () => {
    const text = askPhone(command, { getprop: 'echo trigger_restart_framework', df });
    expect(parseStorage(text)).toEqual(parseDf(fixture('sony-so-02h-android-6.0')));
  });
});
