/**
 * The texts within the replies of `service call`, which are printed as 32-bit words and, beside them, as ASCII (see
 * src/facts/parcel.ts).
 */

/** Before the words, the words, and what is between them and the ASCII column, which may be missing. */
const row = /^(.{0,40}?(?:Parcel\(|0x[0-9a-f]{8}: +))((?:[0-9a-f]{8} ){0,3}[0-9a-f]{8})( *')?/;

interface Row {
  readonly head: string;
  readonly bytes: Buffer;
  readonly gap: string | undefined;
  /** Begins with the ASCII column, if there is one. */
  readonly rest: string;
}

/** Something exchanges a text for one that is as long. */
export type Rewrite = (text: string) => string;

type Rewrites = Record<'inParcel' | 'outside' | 'foreign', Rewrite>;

/**
 * Passes all text in parcels through `inParcel`, both columns alike, and the lines around them through `outside`.
 *
 * @param rewrites `foreign` is for an ASCII column that says something else than the words
 */
export function rewriteParcels(text: string, rewrites: Rewrites): string {
  // lines that follow each other: rows of one parcel, or lines that are none
  const groups: { lines: string[]; rows: Row[] }[] = [];
  for (const line of text.split('\n')) {
    const found = rowOf(line);
    const last = groups.at(-1);
    const isFirst = found !== undefined && /Parcel\(|0x00000000/.test(found.head);
    const isMore = last !== undefined && !isFirst && last.rows.length > 0 === (found !== undefined);
    const group = isMore ? last : { lines: [], rows: [] };
    if (!isMore) groups.push(group);
    group.lines.push(line);
    if (found !== undefined) group.rows.push(found);
  }
  return groups
    .map(({ lines, rows }) =>
      rows.length > 0 ? rewritten(rows, rewrites) : rewrites.outside(lines.join('\n')),
    )
    .join('\n');
}

function rowOf(line: string): Row | undefined {
  const [whole = '', head = '', words = '', gap] = row.exec(line) ?? [];
  if (words === '') return undefined;
  const bytes = Buffer.from(words.replaceAll(' ', ''), 'hex').swap32();
  return { head, bytes, gap, rest: line.slice(whole.length) };
}

function rewritten(rows: readonly Row[], { inParcel, foreign }: Rewrites): string {
  const before = Buffer.concat(rows.map(({ bytes }) => bytes));
  const wide = Buffer.from(inParcel(before.toString('utf16le')), 'utf16le');
  const after = Buffer.from(inParcel(wide.toString('latin1')), 'latin1');
  if (after.length !== before.length) throw new RangeError('a parcel must keep its length');
  let offset = 0;
  const lines = rows.map(({ head, bytes, gap, rest }) => {
    const now = after.subarray(offset, offset + bytes.length);
    offset += bytes.length;
    const words = Buffer.from(now)
      .swap32()
      .toString('hex')
      .replace(/.{8}(?=.)/g, '$& ');
    if (gap === undefined) return head + words + rest;
    const shown = rest.slice(0, bytes.length);
    const same = shown === asciiOf(bytes) ? asciiOf(now) : foreign(shown);
    return head + words + gap + (/[A-Za-z0-9]/.test(shown) ? same : shown) + rest.slice(bytes.length);
  });
  return lines.join('\n');
}

const asciiOf = (bytes: Buffer): string => bytes.toString('latin1').replace(/[^ -~]/g, '.');
