/** The picture of the page in the documents: made of a fixed sample at a fixed time, the same on each run. */
import { crc32 } from 'node:zlib';
import { sampleHost } from './sample-host.ts';
import type { Viewer } from './viewer.ts';

const NOW = Date.UTC(2026, 10, 21, 14, 53);
/** The key of the words in the file: one that the PNG specification registers. */
const KEY = 'Description';

/** A PNG file that also holds the words on the page as a text chunk. */
export async function pictureOf(viewer: Viewer): Promise<Buffer> {
  const page = await viewer.open(
    sampleHost({ phones: 60, now: NOW }),
    '',
    { viewport: { width: 1280, height: 720 }, timezoneId: 'UTC', colorScheme: 'light' },
    { fixedAt: NOW },
  );
  const words = await page.locator('body').innerText();
  const png = await page.screenshot({ fullPage: true, animations: 'disabled', caret: 'hide' });
  await page.context().close();
  return withWords(png, words);
}

const SIGNATURE_BYTES = 8;
/** Signature and header chunk: length, type, 13 bytes of data, check sum. */
const HEAD_BYTES = SIGNATURE_BYTES + 4 + 4 + 13 + 4;

/** Adds an iTXt chunk, uncompressed, behind the header (PNG specification, section 11.3.3.4). */
function withWords(png: Buffer, words: string): Buffer {
  const data = Buffer.from(`iTXt${KEY}\0\0\0\0\0${words}`);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length - 4);
  check.writeUInt32BE(crc32(data));
  return Buffer.concat([png.subarray(0, HEAD_BYTES), length, data, check, png.subarray(HEAD_BYTES)]);
}

/** The words on the page that a picture shows; undefined for a file without them. */
export function wordsIn(png: Buffer): string | undefined {
  for (let at = SIGNATURE_BYTES; at + 8 <= png.length; ) {
    const length = png.readUInt32BE(at);
    const text = png.toString('utf8', at + 4, at + 8 + length);
    if (text.startsWith(`iTXt${KEY}\0`)) return text.slice(`iTXt${KEY}\0\0\0\0\0`.length);
    at += length + 12;
  }
  return undefined;
}
