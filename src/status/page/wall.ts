import { useLayoutEffect } from 'preact/hooks';

/** Type on a screen of 1080 lines, against a desk's. */
const LARGEST_PERCENT = 200;
const LARGEST_AT_LINES = 1080;
const SMALLEST_PERCENT = 100;
const STEP_PERCENT = 2;
/** Narrower tiles show too little, px. */
const NARROWEST_PX = 92;

/**
 * `roomy`: names over two lines; `flat`: no room to spare, and a long name pushes the temperature out; `flattest`: it
 * does not push out what is wrong.
 */
type Manner = '' | 'roomy' | 'flat' | 'flattest';

const MANNERS = ['roomy', 'flat', 'flattest'] as const;

interface Arrangement {
  manner: Manner;
  /** Lines of tiles for a full shelf. */
  lines: number;
}

/** A shelf may take several lines, for wider tiles. */
const arrangements = [1, 2, 3, 4].flatMap((lines): Arrangement[] => [
  { manner: '', lines },
  { manner: 'roomy', lines },
]);

/**
 * The wall view: everything, since nobody scrolls there, in type as large as fits without cutting a word; on larger
 * screens larger. Where even the smallest type is too large, words are cut, and then tiles get flat.
 */
export function useWall(isWall: boolean): void {
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
      classList.remove('wall', ...MANNERS);
      style.removeProperty('--wall-columns');
      style.fontSize = '';
    };
  }, [isWall]);
}

function fill(): void {
  const uncut = () => isWhole() && !isCut();
  let [best, largest]: [Arrangement | undefined, number] = [undefined, 0];
  for (const arrangement of arrangements) {
    const percent = largestIn(arrangement, uncut);
    if (percent > largest) [best, largest] = [arrangement, percent];
  }
  if (best) {
    arrange(best);
    setType(largest);
    return;
  }
  const lines = Math.ceil((tilesAside() * NARROWEST_PX) / innerWidth);
  largestIn({ manner: 'flat', lines }, uncut) ||
    largestIn({ manner: '', lines }, isWhole) ||
    largestIn({ manner: 'flattest', lines }, uncut);
}

/** Tiles of a full shelf in one line. */
const tilesAside = () =>
  Number(document.querySelector<HTMLElement>('.rack')?.style.getPropertyValue('--aside')) || 1;

function arrange({ manner, lines }: Arrangement): void {
  const { classList, style } = document.documentElement;
  classList.remove(...MANNERS);
  if (manner !== '') classList.add(manner);
  style.setProperty('--wall-columns', String(Math.ceil(tilesAside() / lines)));
}

const setType = (percent: number) => {
  document.documentElement.style.fontSize = `${percent}%`;
};

/** Sets the largest type at which all is well, in percent, and returns it; the smallest, and 0, where there is none. */
function largestIn(arrangement: Arrangement, isWell: () => boolean): number {
  arrange(arrangement);
  setType(SMALLEST_PERCENT);
  if (!isWell()) return 0;
  const percentAt = (step: number) => SMALLEST_PERCENT + step * STEP_PERCENT;
  const most = LARGEST_PERCENT * Math.max(1, innerHeight / LARGEST_AT_LINES);
  let [well, unwell] = [0, Math.floor((most - SMALLEST_PERCENT) / STEP_PERCENT) + 1];
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
