import { useEffect, useRef, useState } from 'preact/hooks';
import type { Cause } from '../host-status.ts';

/** Announces to screen readers only what newly needs attention. */
export function Announcer({ causes }: { causes: readonly Cause[] }) {
  const known = useRef(new Set(causes.map(({ key }) => key)));
  const [news, setNews] = useState('');
  useEffect(() => {
    const fresh = causes.filter(({ key }) => !known.current.has(key));
    known.current = new Set(causes.map(({ key }) => key));
    if (fresh.length > 0) setNews(fresh.map(({ title, remedy }) => `${title}. ${remedy}`).join(' '));
  }, [causes]);
  return (
    <p class="unseen" aria-live="polite">
      {news}
    </p>
  );
}
