/** Arrow keys move the focus between phones by position, across shelves. */

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export const ARROW_KEYS: readonly string[] = Object.keys(ARROWS);

/** Weight of sideways distance against distance ahead. */
const ASIDE = 4;

/**
 * The element to go to.
 *
 * @param elements all candidates; `from` is one of them
 * @returns undefined for other keys, or if nothing lies in that direction
 */
export function nextByKey(
  key: string,
  from: Element,
  elements: readonly HTMLElement[],
): HTMLElement | undefined {
  if (key === 'Home') return elements.at(0);
  if (key === 'End') return elements.at(-1);
  const [dx, dy] = ARROWS[key] ?? [0, 0];
  if (dx === 0 && dy === 0) return undefined;
  const start = middleOf(from);
  let nearest: HTMLElement | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const element of elements) {
    const { x, y } = middleOf(element);
    const [ahead, aside] = dx === 0 ? [(y - start.y) * dy, x - start.x] : [(x - start.x) * dx, y - start.y];
    const distance = ahead + Math.abs(aside) * ASIDE;
    if (ahead > 1 && distance < least && (dx === 0 || Math.abs(aside) < 2))
      [nearest, least] = [element, distance];
  }
  return nearest;
}

function middleOf(element: Element): { x: number; y: number } {
  const { left, width, top, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
