import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Part of the width that a step moves, so that the eye keeps its place. */
const STEP = 0.7;

/** A box that scrolls sideways; a button on its right edge says that there is more, and goes there. */
export function Scroller({ children }: { children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const [hasMore, setMore] = useState(false);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const look = () => setMore(current.scrollWidth - current.clientWidth - current.scrollLeft > 1);
    const sizes = new ResizeObserver(look);
    for (const element of [current, ...current.children]) sizes.observe(element);
    current.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      current.removeEventListener('scroll', look);
    };
  }, []);
  const step = () => box.current?.scrollBy({ left: box.current.clientWidth * STEP });
  return (
    <div class="scrolled">
      <div ref={box} class="scroller">
        {children}
      </div>
      {hasMore && (
        <button type="button" class="more" onClick={step} title="More columns">
          <span class="unseen">More columns </span>›
        </button>
      )}
    </div>
  );
}
