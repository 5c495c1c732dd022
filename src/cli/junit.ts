/**
 * Tests in a JUnit file, with their times, and where a property goes into each. What is not written is left as it is, byte by
 * byte. A file with a DOCTYPE is refused, so there are no entities to expand.
 *
 * There is no standard; this holds for the files of Ant, Maven, Gradle, pytest, gtest and Flutter: `testsuite` has the
 * `timestamp` of its start, `testcase` may have one, and `time` is in seconds.
 */
import sax from 'sax';

/** Why the file cannot be used; completes `FILE …`. */
export class JunitError extends Error {}

/** ms since the epoch. */
interface Span {
  from: number;
  to: number;
}

interface JunitTest {
  /** Absent: not known. */
  ran?: Span;
  /** Where the tag ends that the property goes behind: that of its properties, else its own. */
  tagEnd: number;
  /** The name of that tag, if it ends with `/>`. */
  closed: string | undefined;
  hasProperties: boolean;
  /** It has a property `lab` already. */
  isMarked: boolean;
}

export interface JunitFile {
  text: string;
  tests: JunitTest[];
  /** From the begin of the first to the end of the last; absent: no test has a time. */
  ran?: Span;
  /** A time in it names no zone. */
  hasZoneless: boolean;
}

const MOST_TESTS = 100_000;
/** Of a name, a value or a comment, characters: the parser adds one to the other, some 40 bytes each. */
const LONGEST_PART = 4 * 1024 ** 2;
/** The parser looks at the length of its parts after each piece, characters. */
const PIECE = 64 * 1024;
/** Of the text of a mark, characters: all tests' marks fit into one string. */
const MOST_SAID = 500;

const timestamp = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)?$/;

/** UTF-8's mark at the start of a file, with each byte as one character. */
const BYTE_ORDER_MARK = '\xef\xbb\xbf';

/**
 * @param utc times without a zone are UTC; default: of this host's time zone
 * @param from when suites without a time begin, ms since the epoch
 * @throws {JunitError}
 */
export function readJunit(
  bytes: Buffer,
  { utc, from }: { utc: boolean; from?: number | undefined },
): JunitFile {
  const text = bytes.toString('latin1'); // each byte is one character, and stays it
  const begin = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const file: JunitFile = { text, tests: [], hasZoneless: false };
  const open: { name: string; test: JunitTest | undefined }[] = [];
  /** When the next test of each open suite begins. */
  const suites: { next: number | undefined }[] = [];

  const momentOf = (value: string | undefined): number | undefined => {
    const [, stamp, zone] = timestamp.exec(value?.slice(0, 60).trim() ?? '') ?? [];
    if (stamp === undefined) return undefined;
    const at = new Date(`${stamp.replace(' ', 'T')}${zone ?? (utc ? 'Z' : '')}`).getTime();
    if (Number.isNaN(at) || at < 0) return undefined;
    if (zone === undefined) file.hasZoneless = true;
    return at;
  };

  Object.assign(sax, { MAX_BUFFER_LENGTH: LONGEST_PART });
  const parser = sax.parser(true);
  parser.onerror = ({ message }) => {
    const [why = ''] = message.split('\n', 1);
    // `&#27;`, which XML forbids: Maven writes it for the colours in a message
    if (why === 'Invalid character entity') return void parser.resume();
    if (why.startsWith('Max buffer'))
      throw new JunitError(`has a value or a comment of more than ${LONGEST_PART} bytes`);
    throw new JunitError(`is no well-formed XML: line ${parser.line + 1}: ${why.slice(0, 100)}`);
  };
  parser.ondoctype = () => {
    throw new JunitError('has a DOCTYPE, which no JUnit file needs');
  };
  parser.onopentag = ({ name, attributes, isSelfClosing }) => {
    const { timestamp, time, name: property } = attributes as Record<string, string | undefined>;
    const place = { tagEnd: begin + parser.position, closed: isSelfClosing ? name : undefined };
    const suite = suites.at(-1);
    const parent = open.at(-1);
    let test: JunitTest | undefined;
    if (name === 'testsuite') suites.push({ next: momentOf(timestamp) ?? suite?.next ?? from });
    if (name === 'testcase') {
      if (file.tests.length === MOST_TESTS) throw new JunitError(`has more than ${MOST_TESTS} tests`);
      const began = momentOf(timestamp) ?? suite?.next;
      const lasted = msOf(time);
      test = { ...place, hasProperties: false, isMarked: false };
      if (began !== undefined) test.ran = { from: began, to: began + Math.max(1, lasted) };
      if (began !== undefined && suite) suite.next = began + lasted;
      file.tests.push(test);
    }
    if (name === 'properties' && parent?.name === 'testcase' && parent.test)
      test = Object.assign(parent.test, place, { hasProperties: true });
    if (name === 'property' && parent?.name === 'properties' && parent.test)
      parent.test.isMarked ||= property === 'lab';
    open.push({ name, test });
  };
  parser.onclosetag = (name) => {
    open.pop();
    const { next } = (name === 'testsuite' && suites.pop()) || {};
    const suite = suites.at(-1);
    if (suite && next !== undefined) suite.next = Math.max(suite.next ?? next, next);
  };
  try {
    for (let at = begin; at < text.length; at += PIECE) parser.write(text.slice(at, at + PIECE));
    parser.close();
  } catch (error) {
    // the parser asks the attributes themselves for hasOwnProperty, and one of them may be called so
    throw error instanceof TypeError ? new JunitError('has an attribute that no JUnit file has') : error;
  }
  if (file.tests.length === 0) throw new JunitError('has no test: is it a JUnit file?');
  for (const { ran } of file.tests) {
    if (ran === undefined) continue;
    const { from, to } = file.ran ?? ran;
    file.ran = { from: Math.min(from, ran.from), to: Math.max(to, ran.to) };
  }
  return file;
}

/** Seconds, at times with commas between the thousands. */
function msOf(time = ''): number {
  const seconds = Number(time.slice(0, 40).replaceAll(',', '') || Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 1e7) * 1000 : 0;
}

/**
 * The file with a property `lab` in each test between these moments of which there is something to say.
 *
 * @param say empty: nothing
 * @returns `outside`: tests without a time, or not between these moments
 */
export function markedJunit(
  { text, tests }: JunitFile,
  window: Span,
  say: (test: Span) => string,
): { bytes: Buffer; marked: number; outside: number } {
  const parts: string[] = [];
  let [done, marked, outside] = [0, 0, 0];
  // a test within a test may stand before the outer one's properties
  for (const test of tests.toSorted((one, other) => one.tagEnd - other.tagEnd)) {
    const { ran, tagEnd, closed, hasProperties, isMarked } = test;
    const inside = ran && ran.from < window.to && ran.to > window.from ? ran : undefined;
    if (inside === undefined) outside += 1;
    const said = inside && !isMarked ? say(inside) : '';
    if (said === '') continue;
    marked += 1;
    const property = `<property name="lab" value="${escapedXml(said)}"/>`;
    const added = hasProperties ? property : `<properties>${property}</properties>`;
    if (closed === undefined) parts.push(text.slice(done, tagEnd), added);
    else parts.push(text.slice(done, tagEnd - '/>'.length), `>${added}</${closed}>`);
    done = tagEnd;
  }
  parts.push(text.slice(done));
  return { bytes: Buffer.from(parts.join(''), 'latin1'), marked, outside };
}

/** In ASCII, whatever the file's encoding is. What XML cannot hold becomes `?`. */
const escapedXml = (said: string): string =>
  said
    .slice(0, MOST_SAID)
    .toWellFormed()
    .replace(/[\0-\x1f\x7f-\x9f\ufffe\uffff]/g, '?')
    .replace(/[<>&"']|[^ -~]/gu, (character) => `&#${character.codePointAt(0)};`);
