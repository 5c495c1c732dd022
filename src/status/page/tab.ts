/** The browser's tab: shows trouble without opening it. */
import { isHostProblem } from '../host-status.ts';
import type { Live } from './live.ts';

const colours = { trouble: '#d1242f', fine: '#1a7f37', unknown: '#6e7781' } as const;

/** `(3) lab-07`: the phones that need attention; with an exclamation mark while the host itself has a problem. */
export function tabOf({ status, lostSince }: Live): { title: string; icon: string } {
  if (status === undefined) return { title: 'hostnode', icon: iconOf('unknown') };
  const { host, counts, causes } = status;
  const marks = [
    causes.some(isHostProblem) ? '!' : '',
    counts.needsAttention > 0 ? `(${counts.needsAttention})` : '',
  ].filter(Boolean);
  const title = [...marks, host.name].join(' ');
  if (lostSince !== undefined) return { title: `${title}: no connection`, icon: iconOf('unknown') };
  return { title, icon: iconOf(marks.length === 0 ? 'fine' : 'trouble') };
}

/** Not by colour alone: a tick, an exclamation mark, a question mark's dot. */
function iconOf(condition: keyof typeof colours): string {
  const mark = { trouble: 'M16 7v11M16 22v3.5', fine: 'm8 16.5 6 6 10-12', unknown: 'M9 16h14' }[condition];
  return `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${colours[condition]}"/><path d="${mark}" fill="none" stroke="#fff" stroke-width="4"/></svg>`,
  )}`;
}

export function showTab({ title, icon }: { title: string; icon: string }): void {
  if (document.title !== title) document.title = title;
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (link && link.href !== icon) link.href = icon;
}
