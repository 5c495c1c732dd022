/**
 * Tests in a JUnit file, with their times, and where a property goes into each. The file is read byte by byte and never parsed
 * into a tree: what is not written is left as it is. No entity is expanded, and a file with a DOCTYPE is refused.
 *
 * There is no standard; this holds for the files of Ant, Maven, Gradle, pytest, gtest and Flutter: `testsuite` has the
 * `timestamp` of its start, `testcase` may have one, and `time` is in seconds.
 */

/** Why the file cannot be used; completes `FILE …`. */
export class JunitError extends Error {}

/** ms since the epoch; absent: not known. */
export interface JunitTest {
  from?: number;
  to?: number;
  /** Where the property goes, and what stands around it there. */
  splice: Splice;
  /** It has a property `lab` already. */
  isMarked: boolean;
}

interface Splice {
  from: number;
  to: number;
  before: string;
  after: string;
}

/** What an element begins with, and ends with: in place of its end where it is empty. */
type SpliceOf = (before: string, after: string) => Splice;

export interface JunitFile {
  text: string;
  tests: JunitTest[];
  /** From the begin of the first to the end of the last, ms since the epoch; absent: no test has a time. */
  from?: number;
  to?: number;
  /** A time in it names no zone. */
  hasZoneless: boolean;
}

const MOST_TESTS = 100_000;
const MOST_DEPTH = 200;
/** Of the text of a mark, characters: all tests' marks fit into one string. */
const MOST_SAID = 500;

const timestamp = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)?$/;

interface Element {
  name: string;
  test?: JunitTest;
  /** Of a suite: when its next test begins, ms since the epoch. */
  next?: number | undefined;
}

/**
 * @param utc times without a zone are UTC; default: of this host's time zone
 * @param from when suites without a time begin, ms since the epoch
 * @throws {JunitError}
 */
export function readJunit(bytes: Buffer, { utc, from }: { utc: boolean; from?: number }): JunitFile {
  const text = bytes.toString('latin1'); // each byte is one character, and stays it
  if (text.includes('\0') || text.startsWith('\xff\xfe') || text.startsWith('\xfe\xff'))
    throw new JunitError('is not in UTF-8, or no text');
  const file: JunitFile = { text, tests: [], hasZoneless: false };
  const open: Element[] = [];
  let next = from;
  const suiteNow = () => open.findLast(({ name }) => name === 'testsuite');

  const momentOf = (value: string | undefined): number | undefined => {
    const [, stamp, zone] = timestamp.exec(value?.slice(0, 60).trim() ?? '') ?? [];
    if (stamp === undefined) return undefined;
    const at = new Date(`${stamp.replace(' ', 'T')}${zone ?? (utc ? 'Z' : '')}`).getTime();
    if (Number.isNaN(at) || at < 0) return undefined;
    if (zone === undefined) file.hasZoneless = true;
    return at;
  };

  const begin = (name: string, attributes: ReadonlyMap<string, string>, spliceOf: SpliceOf): Element => {
    const parent = open.at(-1);
    const stamped = momentOf(attributes.get('timestamp'));
    if (name === 'testsuite') return { name, next: stamped ?? suiteNow()?.next ?? next };
    if (name === 'testcase') {
      if (file.tests.length === MOST_TESTS) throw new JunitError(`has more than ${MOST_TESTS} tests`);
      const suite = suiteNow();
      const began = stamped ?? suite?.next;
      const lasted = msOf(attributes.get('time'));
      const test: JunitTest = { splice: spliceOf('<properties>', '</properties>'), isMarked: false };
      if (began !== undefined) Object.assign(test, { from: began, to: began + Math.max(1, lasted) });
      if (began !== undefined && suite) suite.next = began + lasted;
      file.tests.push(test);
      return { name, test };
    }
    if (name === 'properties' && parent?.name === 'testcase' && parent.test) {
      parent.test.splice = spliceOf('', '');
      return { name, test: parent.test };
    }
    if (name === 'property' && parent?.name === 'properties' && parent.test)
      parent.test.isMarked ||= attributes.get('name') === 'lab';
    return { name };
  };

  const close = (name: string) => {
    const element = open.pop();
    if (element?.name !== name) throw new JunitError('is no well-formed XML');
    const suite = name === 'testsuite' ? suiteNow() : undefined;
    if (suite && element.next !== undefined) suite.next = Math.max(suite.next ?? element.next, element.next);
    if (name === 'testsuite' && suite === undefined) next = from;
  };

  let at = 0;
  for (const [whole, closed, name, attributes = '', slash] of text.matchAll(piece)) {
    at += whole.length;
    if (closed !== undefined) close(closed);
    if (name === undefined) continue;
    const isEmpty = slash === '/';
    const to = at;
    const spliceOf: SpliceOf = (before, after) =>
      isEmpty
        ? { from: to - 2, to, before: `>${before}`, after: `${after}</${name}>` }
        : { from: to, to, before, after };
    open.push(begin(name, readIn(attributes), spliceOf));
    if (open.length > MOST_DEPTH) throw new JunitError(`has elements more than ${MOST_DEPTH} deep`);
    if (isEmpty) close(name);
  }
  const [begun] = /<(?:!--|!\[CDATA\[|\?|!|\/?)/.exec(text.slice(at)) ?? [];
  if (begun === '<!') throw new JunitError('has a DOCTYPE or an entity, which no JUnit file needs');
  if (begun !== undefined)
    throw new JunitError(
      begun.length > 2 || begun === '<?' ? `ends within ${begun}` : 'is no well-formed XML',
    );
  if (open.length > 0) throw new JunitError('ends before its elements do');
  if (file.tests.length === 0) throw new JunitError('has no test: is it a JUnit file?');
  for (const test of file.tests) {
    if (test.from === undefined || test.to === undefined) continue;
    file.from = Math.min(file.from ?? test.from, test.from);
    file.to = Math.max(file.to ?? test.to, test.to);
  }
  return file;
}

/** Seconds, at times with commas between the thousands. */
function msOf(time = ''): number {
  const seconds = Number(time.slice(0, 40).replaceAll(',', '') || Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 1e7) * 1000 : 0;
}

/** Text, and what follows it: passed over, the end of an element, or its begin. More attributes would take all of the stack. */
const piece =
  /[^<]*<(?:!--.*?-->|!\[CDATA\[.*?\]\]>|\?.*?\?>|\/([^ \t\r\n<>]+)[ \t\r\n]*>|([^ \t\r\n/>=<"'!?]+)((?:[ \t\r\n]+[^ \t\r\n/>=<"']+[ \t\r\n]*=[ \t\r\n]*(?:"[^"]*"|'[^']*')){0,100})[ \t\r\n]*(\/?)>)/gsy;
const attribute = /[ \t\r\n]+([^ \t\r\n=]+)[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)')/gy;

const readIn = (attributes: string): Map<string, string> =>
  new Map(
    Array.from(attributes.matchAll(attribute), ([, key = '', double, single = '']) => [
      key,
      double ?? single,
    ]),
  );

/**
 * The file with a property `lab` in each test between these moments of which there is something to say.
 *
 * @param say empty: nothing
 * @returns `outside`: tests without a time, or not between these moments
 */
export function markedJunit(
  { text, tests }: JunitFile,
  window: { from: number; to: number },
  say: (test: { from: number; to: number }) => string,
): { bytes: Buffer; marked: number; outside: number } {
  const parts: string[] = [];
  let [done, marked, outside] = [0, 0, 0];
  // a test within a test may stand before the outer one's properties
  const inOrder = tests.toSorted((one, other) => one.splice.from - other.splice.from);
  for (const { from, to, splice, isMarked } of inOrder) {
    const isInside = from !== undefined && to !== undefined && from < window.to && to > window.from;
    if (!isInside) outside += 1;
    const said = isInside && !isMarked ? say({ from, to }) : '';
    if (said === '') continue;
    marked += 1;
    const property = `<property name="lab" value="${escapedXml(said)}"/>`;
    parts.push(text.slice(done, splice.from), splice.before, property, splice.after);
    done = splice.to;
  }
  parts.push(text.slice(done));
  return { bytes: Buffer.from(parts.join(''), 'latin1'), marked, outside };
}

/** In ASCII, whatever the file's encoding is. What XML cannot hold becomes `?`. */
const escapedXml = (said: string): string =>
  [...said.slice(0, MOST_SAID).toWellFormed()]
    .map((character) => {
      const code = character.codePointAt(0) ?? 63;
      if (code < 32 || (code >= 127 && code < 160) || (code & 0xfffe) === 0xfffe) return '?';
      return code < 127 && !'<>&"\''.includes(character) ? character : `&#${code};`;
    })
    .join('');
