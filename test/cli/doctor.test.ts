import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/base/styled-text.ts';
import { exitCodeOf, reportLines } from '../../src/cli/doctor.ts';
import { type CheckResult, failed, ok, skipped, warning } from '../../src/doctor/check.ts';
import type { Area, Group } from '../../src/doctor/examination.ts';

const group = (area: Area, ...results: CheckResult[]): Group => ({
  title: area,
  area,
  findings: results,
});

describe('the exit code', () => {
  it('is 0 with warnings only', () => {
    expect(exitCodeOf([group('adb', warning('a', 'old')), group('cloud', skipped('b', 'none'))])).toBe(0);
  });

  it('is that of the area where mending begins', () => {
    const areas: Area[] = ['configuration', 'adb', 'cloud', 'host'];
    const wrong = areas.map((area) => group(area, ok('fine', 'fine'), failed('broken', 'broken')));
    expect(areas.map((_, index) => exitCodeOf(wrong.slice(index).toReversed()))).toEqual([78, 4, 3, 1]);
  });
});

it('the report has a sign and a word for each finding, what to do below it, and the sum', () => {
  const findings = [
    ok('adb server', 'version 1.0.41'),
    failed('adb key', 'all 3 phones are unauthorized at once', 'Put the lab’s adbkey back'),
  ];
  const lines = reportLines([group('adb', ...findings), group('host', warning('clock', 'late'))], 60);
  expect(lines.map(textOf)).toEqual([
    'adb',
    ' ✔ ok       adb server  version 1.0.41',
    ' ✖ failed   adb key     all 3 phones are unauthorized at',
    '                        once',
    '                        → Put the lab’s adbkey back',
    '',
    'host',
    ' ! warning  clock       late',
    '',
    '1 failed, 1 warning, 1 ok, 0 skipped',
  ]);
});

it('of a narrow terminal has what is seen below the names, and no line is too long', () => {
  const unsure = {
    ...failed('credentials', 'GET /devices: 401 Unauthorized', 'Check the API key'),
    said: 'no',
  };
  const lines = reportLines([group('cloud', ok('emulator-5554@rack-1', 'ready'), unsure)], 36).map(textOf);
  expect(lines).toEqual([
    'cloud',
    ' ✔ ok       emulator-5554@rack-1',
    '    ready',
    ' ✖ failed   credentials',
    '    GET /devices: 401 Unauthorized',
    '    the cloud says: no',
    '    → Check the API key',
    '',
    '1 failed, 0 warnings, 1 ok, 0',
    'skipped',
  ]);
});
