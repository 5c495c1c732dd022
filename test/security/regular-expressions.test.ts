import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { type AttackPattern, check } from 'recheck';
import { describe, expect, it } from 'vitest';
import { phoneOf } from '../findings/phones.ts';
import { endsWithin } from '../support/ends-within.ts';
import { silentLog } from '../support/log.ts';
import { finding } from '../support/sample-finding.ts';
import { builtExpressions, type Expression, writtenExpressions } from './regular-expressions.ts';

/** For one expression, ms. */
const LIMIT_MS = 60_000;
/**
 * Those that were proven once, as all their proofs take half a minute. A hash stands for recheck's version and the expression:
 * what has changed, or a newer recheck, is proven again. HOSTNODE_TEST_PROVE=all proves all, and writes the file anew.
 */
const PROVEN_FILE = new URL('proven-expressions.txt', import.meta.url);
const PROVES_ALL = process.env.HOSTNODE_TEST_PROVE === 'all';
const proven = new Set(PROVES_ALL ? [] : readFileSync(PROVEN_FILE, 'utf8').split('\n'));
const { version } = createRequire(import.meta.url)('recheck/package.json');
const hashOf = ({ source, flags }: Expression): string =>
  createHash('sha256').update(`${version} /${source}/${flags}`).digest('hex').slice(0, 16);

/** Letters of an attack that is tried: some ms in linear time, minutes in quadratic time. */
const ATTACK_LETTERS = 500_000;
/** V8 ends a try that hangs after this time, ms: also a loaded machine does in it what takes some ms. */
const HANG_MS = 5_000;

/** Undefined where it takes linear time at most, whatever it is tried on. */
async function complaint({ source, flags, files }: Expression): Promise<string | undefined> {
  const asked = flags.replace('d', ''); // says only where the groups are
  const found = await check(source, asked, { timeout: LIMIT_MS });
  if (found.status === 'safe') return undefined;
  // what is tried out, and not proven, is sometimes said of one that is not slow
  const isGuess = found.status === 'vulnerable' && found.checker === 'fuzz';
  if (
    isGuess &&
    found.complexity.type === 'polynomial' &&
    !isSlow(new RegExp(source, asked.replace(/[gy]/g, '')), found.attack)
  )
    return undefined;
  const why = found.status === 'unknown' ? found.error.kind : found.complexity.summary;
  return `/${source}/${flags} in ${[...files].join(', ')}: ${why}`;
}

/** Tries an attack. */
function isSlow(pattern: RegExp, { pumps, suffix }: AttackPattern): boolean {
  const pumped = pumps.reduce((sum, { pump }) => sum + pump.length, 0);
  const times = Math.ceil(ATTACK_LETTERS / Math.max(1, pumped));
  const text = pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix;
  return !endsWithin(HANG_MS, () => void pattern.test(text));
}

const expression = (pattern: RegExp): Expression => ({
  ...pattern,
  source: pattern.source,
  flags: pattern.flags,
  files: new Set(['here']),
});

/** Has each place that builds an expression build one. */
async function buildAll(): Promise<void> {
  const [screen, memory, units, policy, filter, words, redactor, board, limits] = await Promise.all([
    import('../../src/facts/screen.ts'),
    import('../../src/facts/memory.ts'),
    import('../../src/doctor/host.ts'),
    import('../../src/report/policy.ts'),
    import('../../src/status/page/filter.ts'),
    import('../../src/cloud/redaction.ts'),
    import('../../src/cli/redaction/redactor.ts'),
    import('../../src/status/findings-board.ts'),
    import('../../src/base/limits.ts'),
    import('../../src/facts/storage.ts'),
    import('../../src/config/lists.ts'),
    import('../../src/report/sources.ts'),
    import('../../src/base/printable.ts'),
    import('../../src/status/names.ts'),
    import('../../src/adb/device-list.ts'),
  ]);
  limits.limitOf('open files');
  screen.parseScreen('Physical size: 1080x1920');
  memory.parseMemory('MemTotal: 100 kB\nMemFree: 10 kB');
  units.parseUnits('Id=hostnode.service');
  policy.matches({ model: '*a?b*(x)*y', serial: 'a*' }, { model: 'zaxb (x) y', serial: 'ab', udid: 'x' });
  filter.parseFilter('"shelf 3" pixel 5 (a)');
  words.hiding(['490154203237518'])('49015 4203237518');
  words.redactor(['a+b/%2 ä'])('a%2Bb/%252+%C3%A4');
  const phones = ['Pixel (a+b)', 'Pixel'].map((name, at) => ({ ...phoneOf(`P${at}`), name }));
  const lost = finding('HUB_LOST', {
    ...{ subject: { kind: 'hub', key: '1-4' }, title: 'Pixel (a+b) and Pixel', udids: ['P0', 'P1'] },
  });
  new board.FindingsBoard(silentLog).take([lost], { phones });
  new redactor.Redactor({ texts: ['[ro.serialno]: [0123456789abc]'], known: ['R58M12', 'a+b'] });
}

describe('the tool that looks at regular expressions', () => {
  it.each([/\bsettings: .*not found/, /^\[([^\]\n]+)\]: \[/gm, /[ \t]+$/, /^(a+)+$/, /\((.*)\)/])(
    'finds that %s takes long',
    async (pattern) => {
      expect(await complaint(expression(pattern))).toMatch(/in here: \d|exponential|polynomial/);
    },
  );

  it('lets one pass that does not', async () => {
    expect(await complaint(expression(/^name=(.*)$/m))).toBeUndefined();
  });
});

describe('every regular expression of the sources', () => {
  it('takes linear time at most, those of the page and those that are built included', async () => {
    const written = writtenExpressions();
    const built = await builtExpressions(buildAll);
    expect(written.expressions.length).toBeGreaterThan(200);
    for (const [file, count] of written.built)
      expect(
        built.places.get(file) ?? 0,
        `places of ${file} that build an expression`,
      ).toBeGreaterThanOrEqual(count);

    const limit = pLimit(availableParallelism());
    const all = [...written.expressions, ...built.expressions];
    const unproven = all.filter((each) => !proven.has(hashOf(each)));
    const complaints = await Promise.all(unproven.map((each) => limit(() => complaint(each))));
    expect(complaints.filter((each) => each !== undefined)).toEqual([]);
    if (PROVES_ALL) writeFileSync(PROVEN_FILE, `${[...new Set(all.map(hashOf))].toSorted().join('\n')}\n`);
  });
});
