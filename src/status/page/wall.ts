import { useEffect } from 'preact/hooks';
import type { HostStatus } from '../host-status.ts';

const LARGEST_PERCENT = 200;
const SMALLEST_PERCENT = 100;

/** The wall view: up to 200 % type for a television, but small enough to show everything, since nobody scrolls there. */
export function useWall(isWall: boolean, status: HostStatus): void {
  const { classList, style } = document.documentElement;
  useEffect(() => {
    if (!isWall) return;
    classList.add('wall');
    const leave = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') location.hash = '#';
    };
    addEventListener('resize', fill);
    addEventListener('keydown', leave);
    return () => {
      removeEventListener('resize', fill);
      removeEventListener('keydown', leave);
      classList.remove('wall');
      style.fontSize = '';
    };
  }, [isWall]);
  const shown = JSON.stringify([status.bands, status.causes.map(({ title, remedy }) => [title, remedy])]);
  useEffect(() => {
    if (isWall) fill();
  }, [isWall, shown]);
}

function fill(): void {
  const root = document.documentElement;
  for (let percent = LARGEST_PERCENT; percent >= SMALLEST_PERCENT; percent -= 5) {
    root.style.fontSize = `${percent}%`;
    if (root.scrollHeight <= innerHeight) return;
  }
}
