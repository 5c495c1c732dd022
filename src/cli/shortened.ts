/** Text that fits into some columns of a terminal; a wide character (CJK, emoji) takes two of them. */
import stringWidth from 'string-width';

const ELLIPSIS = '…';
const graphemes = new Intl.Segmenter();

/** Without its end, if it is too wide: `emulator-5554@l…`. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  return width < 1 ? '' : startOf(charactersOf(text), width - 1) + ELLIPSIS;
}

/** Without its middle, if it is too wide: `emulator-5554…a927`. Names differ at their start and at their end. */
export function shortened(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  if (width < 1) return '';
  const characters = charactersOf(text);
  const start = startOf(characters, Math.ceil(((width - 1) * 2) / 3));
  const end = endOf(characters, width - 1 - stringWidth(start));
  return start + ELLIPSIS + end;
}

/** In pieces of at most `width` columns. */
export function broken(text: string, width: number): string[] {
  if (stringWidth(text) <= width) return [text];
  const pieces: string[] = [];
  let piece = '';
  for (const character of charactersOf(text)) {
    if (piece !== '' && stringWidth(piece + character) > width) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...pieces, piece];
}

const charactersOf = (text: string): string[] => [...graphemes.segment(text)].map(({ segment }) => segment);

function startOf(characters: readonly string[], width: number): string {
  let start = '';
  for (const character of characters) {
    if (stringWidth(start + character) > width) break;
    start += character;
  }
  return start;
}

function endOf(characters: readonly string[], width: number): string {
  let end = '';
  for (const character of characters.toReversed()) {
    if (stringWidth(character + end) > width) break;
    end = character + end;
  }
  return end;
}
