import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Cross } from './icons.tsx';

interface Props {
  title: string;
  onClose(): void;
  children: ComponentChildren;
}

/** What stands beside the rack. Takes the keyboard focus when it opens. */
export function Panel({ title, onClose, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    const close = ({ key }: KeyboardEvent) => key === 'Escape' && onClose();
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [onClose]);
  return (
    <aside class="panel" aria-labelledby="panel">
      <div class="heading">
        <h2 id="panel" ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <button
          type="button"
          class="close"
          onClick={onClose}
          aria-label="Close the panel"
          title="Close (Escape)"
        >
          <Cross />
        </button>
      </div>
      {children}
    </aside>
  );
}
