import { useLayoutEffect } from 'preact/hooks';
import { needsAttention } from './words.ts';

/** Type on a screen of 1080 lines, against a desk's. */
const LARGEST_PERCENT = 200;
const LARGEST_AT_LINES = 1080;
const SMALLEST_PERCENT = 100;
const STEP_PERCENT = 2;
/** Narrower tiles show too little, px. */
const NARROWEST_PX = 92;

/**
 * `roomy`: names over two lines; `flat`: no room to spare, and a long name pushes the temperature out; `flattest`: it
 * does not push out what is wrong; `brief`: a line with the bay and what is wrong.
 */
type Manner = '' | 'roomy' | 'flat' | 'flattest' | 'brief';

const MANNERS = ['roomy', 'flat', 'flattest', 'brief'] as const;

interface Arrangement {
  manner: Manner;
  /** Lines of tiles for a full shelf. */
  lines: number;
  /** As many shelves stand side by side as the type lets; one that is longer takes the whole width. */
  isPacked?: boolean;
}

/** A shelf may take several lines, for wider tiles. */
const LINES = [1, 2, 3, 4];
const arrangements = LINES.flatMap((lines): Arrangement[] => [
  { manner: '', lines },
  { manner: 'roomy', lines },
]);
const packed = (manner: Manner) => LINES.map((lines): Arrangement => ({ manner, lines, isPacked: true }));

/**
 * The wall view: everything, since nobody scrolls there, in type as large as fits without cutting a word; on larger
 * screens larger. Where even the smallest type is too large, words are cut, tiles get flat, shelves stand side by side, and
 * at last only the first tiles are shown, those that need attention before others.
 *
 * @param phones which there are and which need attention
 */
export function useWall(isWall: boolean, phones: string): void {
  useLayoutEffect(() => {
    if (!isWall) return;
    const { classList, style } = document.documentElement;
    classList.add('wall');
    let filled = 0;
    const refill = () => {
      fill();
      filled = document.body.scrollHeight;
    };
    refill();
    const leave = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') location.hash = '#';
    };
    const contents = new ResizeObserver(() => document.body.scrollHeight !== filled && refill());
    contents.observe(document.body);
    addEventListener('resize', refill);
    addEventListener('keydown', leave);
    return () => {
      contents.disconnect();
      removeEventListener('resize', refill);
      removeEventListener('keydown', leave);
      classList.remove('wall', 'packed', ...MANNERS);
      style.removeProperty('--wall-columns');
      style.fontSize = '';
    };
  }, [isWall, phones]);
}

function fill(): void {
  const uncut = () => isWhole() && !isCut();
  show(Infinity);
  if (largestOf(arrangements, uncut)) return;
  const lines = Math.ceil((tilesAside() * NARROWEST_PX) / innerWidth);
  largestIn({ manner: 'flat', lines }, uncut) ||
    largestIn({ manner: '', lines }, isWhole) ||
    largestIn({ manner: 'flattest', lines }, uncut) ||
    largestIn({ manner: 'flattest', lines }, isWhole) ||
    largestOf(packed('flattest'), isWhole) ||
    largestOf(packed('brief'), isWhole) ||
    showFirst();
}

/** Takes the arrangement with the largest type at which all is well, and returns that, or 0. */
function largestOf(arrangements: Arrangement[], isWell: () => boolean): number {
  let [best, largest]: [Arrangement | undefined, number] = [undefined, SMALLEST_PERCENT - STEP_PERCENT];
  for (const arrangement of arrangements) {
    const percent = largestIn(arrangement, isWell, largest + STEP_PERCENT);
    if (percent > 0) [best, largest] = [arrangement, percent];
  }
  if (best === undefined) return 0;
  arrange(best);
  setType(largest);
  return largest;
}

/** Shows as many tiles as fit, in the arrangement that is. */
function showFirst(): void {
  let [fits, tooMany] = [0, document.querySelectorAll('.tile').length];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    show(middle);
    if (isWhole()) fits = middle;
    else tooMany = middle;
  }
  show(fits);
}

/** Shows so many tiles, those that need attention before others and empty bays last, and says how many more there are. */
function show(count: number): void {
  const of = (kind: string) => [...document.querySelectorAll(`.tile${kind}`)];
  const tiles = [...of('.needsAttention'), ...of(':not(.needsAttention, .empty)'), ...of('.empty')];
  for (const [place, tile] of tiles.entries()) tile.parentElement?.classList.toggle('below', place >= count);
  const below = tiles.slice(count).filter((tile) => !tile.matches('.empty'));
  const inTrouble = below.filter((tile) => tile.matches('.needsAttention')).length;
  const words = inTrouble === 0 ? 'none needs attention' : needsAttention(inTrouble);
  const more = document.querySelector('.more');
  if (more) more.textContent = below.length === 0 ? '' : `+ ${below.length} more, ${words}`;
}

/** Tiles of a full shelf in one line. */
const tilesAside = () =>
  Number(document.querySelector<HTMLElement>('.rack')?.style.getPropertyValue('--aside')) || 1;

function arrange({ manner, lines, isPacked = false }: Arrangement): void {
  const { classList, style } = document.documentElement;
  classList.remove(...MANNERS);
  if (manner !== '') classList.add(manner);
  classList.toggle('packed', isPacked);
  style.setProperty('--wall-columns', String(Math.ceil(tilesAside() / lines)));
}

const setType = (percent: number) => {
  document.documentElement.style.fontSize = `${percent}%`;
};

/**
 * Sets the largest type at which all is well, in percent, and returns it; the least, and 0, where there is none.
 *
 * @param least a smaller type is not asked about
 */
function largestIn(arrangement: Arrangement, isWell: () => boolean, least = SMALLEST_PERCENT): number {
  const most = LARGEST_PERCENT * Math.max(1, innerHeight / LARGEST_AT_LINES);
  arrange(arrangement);
  setType(least);
  if (least > most || !isWell()) return 0;
  const percentAt = (step: number) => least + step * STEP_PERCENT;
  let [well, unwell] = [0, Math.floor((most - least) / STEP_PERCENT) + 1];
  while (unwell - well > 1) {
    const middle = Math.floor((well + unwell) / 2);
    setType(percentAt(middle));
    if (isWell()) well = middle;
    else unwell = middle;
  }
  setType(percentAt(well));
  return percentAt(well);
}

const isWhole = () => {
  const { scrollHeight, scrollWidth } = document.documentElement;
  return scrollHeight <= innerHeight && scrollWidth <= innerWidth;
};

const isCut = () =>
  [...document.querySelectorAll('.tile :is(.name, .text)')].some(
    ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      scrollWidth > clientWidth || scrollHeight > clientHeight + 1,
  );
