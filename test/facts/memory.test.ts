import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMemory } from '../../src/facts/memory.ts';
import { expectFacts, expectUnreadable, samples } from '../support/corpus.ts';
import { expectOnlyParseErrors, hostileText, huge } from '../support/hostile-text.ts';

const phones = samples('meminfo');
const usedKilobytes: Record<string, number> = {
  'meminfo/asus-tf201-3.2.1.txt': 1008528 - 130932 - 39992 - 282852,
  'meminfo/awesome-adb.txt': 1027424 - 486564 - 15224 - 72464,
  'meminfo/nexusone-miui-2.3.txt': 415248 - 200396 - 0 - 58000,
  'meminfo/smartron-t5911-8.1.txt': 3669728 - 2200236,
};

describe('parseMemory', () => {
  it.each(phones.filter(({ expected }) => expected))(
    'reads the memory of $file',
    ({ file, text, expected }) => {
      const used = usedKilobytes[file];
      expectFacts(file, parseMemory(text), {
        totalBytes: expected.MemTotal_kB * 1024,
        ...(used !== undefined && { usedBytes: used * 1024 }),
      });
    },
  );

  it.each(phones.filter(({ expected }) => expected === null))(
    'throws ParseError for $file',
    ({ file, text }) => {
      expectUnreadable(file, () => parseMemory(text));
    },
  );

  it('reads a table that is indented', () => {
    const text = phones.find(({ file }) => file.includes('smartron'))?.text ?? '';
    expect(parseMemory(text.replace(/^/gm, '    '))).toEqual(parseMemory(text));
  });

  it('does not report more unused memory than there is', () => {
    expect(parseMemory('MemTotal: 1000 kB\nMemAvailable: 2000 kB\n')).toEqual({ totalBytes: 1024000 });
  });

  it('reads the same through a pty, after a byte order mark and between NULs', () => {
    const text = phones.find(({ file }) => file.includes('smartron'))?.text ?? '';
    expect(parseMemory(`\uFEFF${text.replaceAll('\n', '\0\r\n')}`)).toEqual(parseMemory(text));
  });

  it('answers anything with facts or ParseError, in linear time', () => {
    const texts = phones.map(({ text }) => text);
    fc.assert(fc.property(hostileText(texts), (text) => expectOnlyParseErrors(parseMemory, text)));
    for (const text of [...texts, 'MemTotal:', 'MemTotal: 1\n', ' ']) {
      expectOnlyParseErrors(parseMemory, huge(text));
    }
  });
});
