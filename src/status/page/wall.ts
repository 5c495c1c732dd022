import { useLayoutEffect } from 'preact/hooks';

/** Type on a screen of 1080 lines, against a desk's. */
const LARGEST_PERCENT = 200;
const LARGEST_AT_LINES = 1080;
const SMALLEST_PERCENT = 100;
const STEP_PERCENT = 2;

/**
 * The wall view: type as large as shows everything, since nobody scrolls there; on larger screens larger. It prefers a
 * size at which no word is cut, with names over two lines if that is larger. Where even the smallest type is too large, tiles get flatter.
 */
export function useWall(isWall: boolean): void {
  useLayoutEffect(() => {
    if (!isWall) return;
    const { classList, style } = document.documentElement;
    classList.add('wall');
    fill();
    const leave = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') location.hash = '#';
    };
    const contents = new ResizeObserver(fill); // of its own changes too: the second time nothing changes
    contents.observe(document.body);
    addEventListener('resize', fill);
    addEventListener('keydown', leave);
    return () => {
      contents.disconnect();
      removeEventListener('resize', fill);
      removeEventListener('keydown', leave);
      classList.remove('wall', 'roomy', 'flat');
      style.fontSize = '';
    };
  }, [isWall]);
}

function fill(): void {
  const uncut = () => isWhole() && !isCut();
  const plain = largest('', uncut);
  const roomy = largest('roomy', uncut);
  if (roomy !== undefined && roomy > (plain ?? 0)) return;
  if (plain !== undefined ? largest('', uncut) : largest('', isWhole)) return;
  largest('flat', isWhole);
}

/** Sets the largest type at which all is well, in percent, and returns it; the smallest and undefined where there is none. */
function largest(manner: '' | 'roomy' | 'flat', isWell: () => boolean): number | undefined {
  const { classList, style } = document.documentElement;
  classList.toggle('roomy', manner === 'roomy');
  classList.toggle('flat', manner === 'flat');
  const percentAt = (step: number) => SMALLEST_PERCENT + step * STEP_PERCENT;
  const set = (step: number) => {
    style.fontSize = `${percentAt(step)}%`;
    return isWell();
  };
  const most = LARGEST_PERCENT * Math.max(1, innerHeight / LARGEST_AT_LINES);
  let [well, unwell] = [-1, Math.floor((most - SMALLEST_PERCENT) / STEP_PERCENT) + 1];
  while (unwell - well > 1) {
    const middle = Math.floor((well + unwell) / 2);
    if (set(middle)) well = middle;
    else unwell = middle;
  }
  set(Math.max(0, well));
  return well < 0 ? undefined : percentAt(well);
}

const isWhole = () => document.documentElement.scrollHeight <= innerHeight;

/** Does a tile cut a word? */
const isCut = () =>
  [...document.querySelectorAll('.tile :is(.name, .text)')].some(
    ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      scrollWidth > clientWidth || scrollHeight > clientHeight + 1,
  );
