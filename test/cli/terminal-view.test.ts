import { describe, expect, it } from 'vitest';
import { painterOf } from '../../src/cli/terminal-view.ts';

/** A terminal, as far as a picture needs one, and what was written to it. */
function terminal(rows: number, columns: number) {
  const written: string[] = [];
  const out = Object.assign(Object.create(process.stdout), {
    rows,
    columns,
    write: (text: string) => written.push(text),
  });
  return { paint: painterOf(out), written };
}

describe('a picture on a terminal', () => {
  it('scrolls away what stood there before, once, and paints over itself then', () => {
    const { paint, written } = terminal(4, 80);
    paint(['one', 'two']);
    paint(['three']);
    expect(written).toEqual(['\n\n\n\n\x1b[Hone\x1b[K\ntwo\x1b[K\n\x1b[J', '\x1b[Hthree\x1b[K\n\x1b[J']);
  });

  it('shows all on a terminal that does not know its size', () => {
    const { paint, written } = terminal(0, 0);
    paint(['one', 'two']);
    expect(written).toEqual(['\x1b[Hone\x1b[K\ntwo\x1b[K\n\x1b[J']);
  });

  it('says how many lines do not fit, and counts those that take several rows', () => {
    const { paint, written } = terminal(5, 10);
    paint(['1', '2', '3', '4']);
    paint(['1', '2', '3', '4', '5']);
    paint(['1', '\u754c'.repeat(6), '3', '4']);
    expect(
      written.map((text) =>
        text
          .replace(/\x1b\[[HKJ]/g, '')
          .trim()
          .split('\n'),
      ),
    ).toEqual([
      ['1', '2', '3', '4'],
      ['1', '2', '3', '\u2026 2 more lines: enlarge the window to see them'],
      ['1', '\u754c'.repeat(6), '\u2026 2 more lines: enlarge the window to see them'],
    ]);
  });
});
