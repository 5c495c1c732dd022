/** A `.tar.gz` of small files, in the format that every tar reads (POSIX ustar). */
import { gzipSync } from 'node:zlib';

export interface ArchiveFile {
  /** At most 100 bytes, no folder. */
  name: string;
  text: string;
}

const BLOCK = 512;

/** @param at the time of all files */
export function archiveOf(files: readonly ArchiveFile[], at: Date): Buffer {
  const blocks = files.flatMap(({ name, text }) => {
    const content = Buffer.from(text);
    return [header(name, content.length, at), content, Buffer.alloc(-content.length & (BLOCK - 1))];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]));
}

/** Source: POSIX.1-2017, pax, "ustar Interchange Format". */
function header(name: string, bytes: number, at: Date): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`;
  block.write(name, 0, 100);
  block.write(octal(0o600, 8), 100); // mode
  block.write(octal(0, 8), 108); // uid
  block.write(octal(0, 8), 116); // gid
  block.write(octal(bytes, 12), 124);
  block.write(octal(Math.floor(at.getTime() / 1000), 12), 136);
  block.write(' '.repeat(8), 148); // the checksum counts as blanks
  block.write('0', 156); // a regular file
  block.write('ustar\x0000', 257, 'latin1');
  block.write(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      7,
    )} `,
    148,
  );
  return block;
}
