import { describe, expect, it } from 'vitest';
import { JunitError, markedJunit, readJunit } from '../../src/cli/junit.ts';

const T0 = Date.UTC(2026, 10, 23, 10);
const minute = (count: number) => T0 + count * 60_000;
const read = (text: string, options: { utc?: boolean; from?: number } = {}) =>
  readJunit(Buffer.from(text), { utc: true, ...options });
/** When each test ran, minutes after ten; undefined: not known. */
const times = (text: string, options = {}) =>
  read(text, options).tests.map(({ from, to }) =>
    from === undefined || to === undefined ? undefined : [(from - T0) / 60_000, (to - T0) / 60_000],
  );
/** The text with a mark in the tests that began at these minutes, and how many these are. */
function mark(text: string, ...minutes: number[]): string {
  const file = read(text);
  const all = { from: 0, to: Number.MAX_SAFE_INTEGER };
  return markedJunit(file, all, ({ from }) =>
    minutes.includes((from - T0) / 60_000) ? 'x' : '',
  ).bytes.toString();
}
const suite = (inner: string, more = '') =>
  `<testsuite timestamp="2026-11-23T10:00:00Z"${more}>${inner}</testsuite>`;
const LAB = '<property name="lab" value="x"/>';

describe('the times of tests', () => {
  it('follow each other from the begin of their suite, unless they have their own', () => {
    const cases =
      '<testcase name="a" time="60"/><testcase time="1,200.0"/><testcase timestamp="2026-11-23T12:00:00+01:00" time="60"/><testcase/>';
    expect(times(suite(cases)).map((time) => time?.map(Math.floor))).toEqual([
      [0, 1],
      [1, 21],
      [60, 61],
      [61, 61],
    ]);
  });

  it('of suites within suites go on where the ones before ended', () => {
    const inner = (more: string) => `<testsuite${more}><testcase time="60"/></testsuite>`;
    expect(
      times(suite(inner('') + inner('') + inner(' timestamp="2026-11-23T10:30:00Z"') + inner(''))),
    ).toEqual([
      ...[
        [0, 1],
        [1, 2],
      ],
      ...[
        [30, 31],
        [31, 32],
      ],
    ]);
    const several =
      '<testsuites><testsuite><testcase time="60"/></testsuite><testsuite><testcase time="60"/></testsuite></testsuites>';
    expect(times(several)).toEqual([undefined, undefined]);
    expect(times(several, { from: T0 })).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });

  it('without a zone are local, or UTC if that is said', () => {
    const text = '<testsuite timestamp="2026-11-23T10:00:00"><testcase time="60"/></testsuite>';
    expect([read(text).from, read(text).hasZoneless]).toEqual([T0, true]);
    expect(read(text, { utc: false }).from).toBe(new Date(2026, 10, 23, 10).getTime());
    expect(read(suite('<testcase/>')).hasZoneless).toBe(false);
  });

  it('that are none are not guessed', () => {
    for (const stamp of ['', 'now', '2026-13-40T10:00:00Z', '23.11.2026 10:00'])
      expect(times(`<testsuite timestamp="${stamp}"><testcase time="-1"/></testsuite>`)).toEqual([undefined]);
    expect(
      times(suite('<testcase time="NaN"/><testcase time="1e999"/>'))
        .flat()
        .every((at = 1) => at < 0.01),
    ).toBe(true);
  });
});

describe('a mark', () => {
  it('is a property of the test, whatever it has', () => {
    expect(mark(suite('<testcase name="a"/>'), 0)).toBe(
      suite(`<testcase name="a"><properties>${LAB}</properties></testcase>`),
    );
    expect(mark(suite('<testcase ><failure/></testcase>'), 0)).toBe(
      suite(`<testcase ><properties>${LAB}</properties><failure/></testcase>`),
    );
    const has = (more: string) =>
      suite(`<testcase>\n<properties>${more}<property name="a" value="b"/></properties></testcase>`);
    expect(mark(has(''), 0)).toBe(has(LAB));
    expect(mark(suite('<testcase><properties /></testcase>'), 0)).toBe(
      suite(`<testcase><properties >${LAB}</properties></testcase>`),
    );
  });

  it('changes nothing else, byte for byte, and is not written twice', () => {
    const odd = `\ufeff<?xml version='1.0'  encoding="UTF-8"?>\r\n<!-- <testcase time="1"/> -->\n${suite(
      '<testcase name="&gt;&#x1F600; 测试 > \'"   time="60"  /><testcase><system-out><![CDATA[<testcase/>]]></system-out></testcase >',
      " hostname='<>'".replace('<', '&lt;'),
    )}\n\n`;
    expect(mark(odd)).toBe(odd);
    const once = mark(odd, 0, 1);
    expect(
      once
        .replaceAll(`<properties>${LAB}</properties>`, '')
        .replace('></testcase><testcase><s', '/><testcase><s'),
    ).toBe(odd);
    expect(mark(once, 0, 1)).toBe(once);
    const bytes = Buffer.concat([
      Buffer.from(suite('<testcase name="').slice(0, -12)),
      Buffer.from([0xe9, 0xff, 0x80]),
      Buffer.from('"/></testsuite>'),
    ]);
    const file = readJunit(bytes, { utc: true });
    expect(markedJunit(file, { from: 0, to: T0 }, () => '').bytes.equals(bytes)).toBe(true);
  });

  it('holds no byte that the file’s encoding or XML could take for something else', () => {
    const file = read(suite('<testcase/>'));
    const said = 'a "hub" <b> & \u0000\u001b\ud800 ’测😀\ufffe';
    const { bytes, marked, outside } = markedJunit(file, { from: 0, to: minute(99) }, () => said);
    expect(bytes.toString('latin1')).toContain(
      'value="a &#34;hub&#34; &#60;b&#62; &#38; ??&#65533; &#8217;&#27979;&#128512;?"',
    );
    expect([marked, outside]).toEqual([1, 0]);
  });

  it('is in its place in a test within a test', () => {
    const nested = (inner: string, outer: string) =>
      suite(`<testcase><testcase>${inner}</testcase><properties>${outer}</properties></testcase>`);
    expect(mark(nested('', ''), 0)).toBe(nested(`<properties>${LAB}</properties>`, LAB));
  });

  it('is left out of tests without a time, and of those at another time', () => {
    const file = read(`<a><testcase/>${suite('<testcase time="60"/><testcase time="60"/>')}</a>`);
    const { marked, outside } = markedJunit(file, { from: minute(1), to: minute(2) }, () => 'x');
    expect([marked, outside]).toEqual([1, 2]);
  });
});

describe('a file that is not as it should be', () => {
  it.each([
    ['', 'has no test: is it a JUnit file?'],
    ['<html></html>', 'has no test: is it a JUnit file?'],
    [
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><testsuite/>',
      'has a DOCTYPE or an entity, which no JUnit file needs',
    ],
    ['<testsuite><testcase></testsuite>', 'is no well-formed XML'],
    ['<testsuite><testcase/>', 'ends before its elements do'],
    ['</testsuite>', 'is no well-formed XML'],
    ['<testcase a/>', 'is no well-formed XML'],
    ['<testcase a="', 'is no well-formed XML'],
    ['<testcase a=b/>', 'is no well-formed XML'],
    ['<', 'is no well-formed XML'],
    ['<!-- ', 'ends within <!--'],
    ['<![CDATA[ ]] >', 'ends within <![CDATA['],
    ['<testcase', 'is no well-formed XML'],
    ['</', 'is no well-formed XML'],
    ['<a>'.repeat(201), 'has elements more than 200 deep'],
    ['\0', 'is not in UTF-8, or no text'],
    [Buffer.from('<testsuite/>', 'utf16le').toString('latin1'), 'is not in UTF-8, or no text'],
  ])('%j %s', (text, problem) => {
    expect(() => read(text)).toThrow(new JunitError(problem));
  });

  it('has no end of attributes', () => {
    const endless = `<testcase${' a="1"'.repeat(1_000_000)}/>`;
    expect(() => read(endless)).toThrow(new JunitError('is no well-formed XML'));
  });

  it('takes time in proportion to its length, whatever it holds', () => {
    const many = [
      ' '.repeat(1e6),
      '<a '.repeat(3e5),
      '"'.repeat(1e6),
      '<![CDATA['.repeat(1e5),
      `<testcase ${'a="" '.repeat(2e5)}/>`,
    ];
    for (const text of many) expect(() => read(`${text}<a`)).toThrow(JunitError);
  });
});
