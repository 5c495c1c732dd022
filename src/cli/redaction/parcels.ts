/**
 * The texts within the replies of `service call`, which are printed as 32-bit words and, beside them, as ASCII (see
 * src/facts/parcel.ts).
 */
interface Row {
  line: number;
  /** Where the words begin in the line, and where the ASCII column does; the latter may be missing. */
  wordsAt: number;
  asciiAt: number | undefined;
  words: number;
}

const row = /^(.{0,40}?(?:Parcel\(|0x[0-9a-f]{8}: +))((?:[0-9a-f]{8} ){0,3}[0-9a-f]{8})( *')?/;
const WORD_BYTES = 4;

/** Something exchanges a text for one that is as long. */
export type Rewrite = (text: string) => string;

/**
 * Passes all text in parcels through `inParcel`, both columns alike, and the lines around them through `outside`.
 *
 * @param foreign for an ASCII column that says something else than the words
 */
export function rewriteParcels(
  text: string,
  { inParcel, outside, foreign }: Record<'inParcel' | 'outside' | 'foreign', Rewrite>,
): string {
  const lines = text.split('\n');
  const parcels = parcelsOf(lines);
  const inside = new Set(parcels.flat().map(({ line }) => line));
  for (const rows of parcels) rewriteParcel(lines, rows, inParcel, foreign);
  const pieces: string[] = [];
  for (let line = 0; line < lines.length; ) {
    let end = line;
    while (end < lines.length && inside.has(end) === inside.has(line)) end += 1;
    const piece = lines.slice(line, end).join('\n');
    pieces.push(inside.has(line) ? piece : outside(piece));
    line = end;
  }
  return pieces.join('\n');
}

/** Rows that follow each other, a new parcel at each beginning. */
function parcelsOf(lines: readonly string[]): Row[][] {
  const parcels: Row[][] = [];
  for (const [line, text] of lines.entries()) {
    const [whole = '', head = '', words = '', gap] = row.exec(text) ?? [];
    if (words === '') continue;
    const last = parcels.at(-1);
    const found: Row = {
      line,
      wordsAt: head.length,
      asciiAt: gap === undefined ? undefined : whole.length,
      words: (words.length + 1) / 9,
    };
    const isFirst = head.includes('Parcel(') || head.includes('0x00000000');
    if (isFirst || last?.at(-1)?.line !== line - 1) parcels.push([found]);
    else last.push(found);
  }
  return parcels;
}

function rewriteParcel(lines: string[], rows: readonly Row[], inParcel: Rewrite, foreign: Rewrite): void {
  const before = Buffer.concat(rows.map((each) => bytesOf(lines[each.line] ?? '', each)));
  const wide = Buffer.from(inParcel(before.toString('utf16le')), 'utf16le');
  const after = Buffer.from(inParcel(wide.toString('latin1')), 'latin1');
  if (after.length !== before.length) throw new RangeError('a parcel must keep its length');
  let offset = 0;
  for (const each of rows) {
    const size = each.words * WORD_BYTES;
    const part = (bytes: Buffer) => bytes.subarray(offset, offset + size);
    lines[each.line] = writeRow(lines[each.line] ?? '', each, part(before), part(after), foreign);
    offset += size;
  }
}

function bytesOf(line: string, { wordsAt, words }: Row): Buffer {
  const bytes = Buffer.alloc(words * WORD_BYTES);
  for (let i = 0; i < words; i += 1) {
    const at = wordsAt + i * 9;
    bytes.writeUInt32LE(Number.parseInt(line.slice(at, at + 8), 16), i * WORD_BYTES);
  }
  return bytes;
}

function writeRow(
  line: string,
  { wordsAt, asciiAt, words }: Row,
  before: Buffer,
  after: Buffer,
  foreign: Rewrite,
) {
  const hex = Array.from({ length: words }, (_, i) =>
    after
      .readUInt32LE(i * WORD_BYTES)
      .toString(16)
      .padStart(8, '0'),
  ).join(' ');
  const wordsEnd = wordsAt + hex.length;
  const written = line.slice(0, wordsAt) + hex;
  if (asciiAt === undefined) return written + line.slice(wordsEnd);
  const shown = line.slice(asciiAt, asciiAt + before.length);
  const rewritten = shown === asciiOf(before) ? asciiOf(after) : foreign(shown);
  const ascii = /[A-Za-z0-9]/.test(shown) ? rewritten : shown;
  return written + line.slice(wordsEnd, asciiAt) + ascii + line.slice(asciiAt + before.length);
}

const asciiOf = (bytes: Buffer): string => bytes.toString('latin1').replace(/[^ -~]/g, '.');
