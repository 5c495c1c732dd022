import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Check, Copy } from './icons.tsx';

interface Props {
  /** The button's text; without it the button is its icon. */
  word?: string;
  /** Instead of the icon for copying. */
  icon?: ComponentChildren;
  /** What it copies, for screen readers. */
  label: string;
  text: string;
  /** It says what it has copied: a command that nobody sees before. */
  isUnseen?: boolean;
}

/** Copies a text, and briefly shows whether that worked. */
export function CopyButton({ word, icon = <Copy />, label, text, isUnseen }: Props) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>();
  useEffect(() => {
    const timer = outcome && setTimeout(() => setOutcome(undefined), isUnseen ? 6000 : 2000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => setOutcome((await copied(text)) ? 'copied' : 'failed');
  const button = (
    <button
      type="button"
      class="copy-button"
      data-outcome={outcome}
      aria-label={label}
      title={label}
      onClick={copy}
    >
      {outcome === 'copied' ? <Check /> : icon}
      {outcome === 'failed' ? 'cannot copy' : word}
    </button>
  );
  if (!isUnseen) return button;
  return (
    <span class="unseen-copy">
      {button}
      <span class="copied" role="status">
        {outcome === 'copied' && `Copied: ${text}`}
      </span>
    </span>
  );
}

/** Browsers allow the clipboard API only on loopback or over TLS; elsewhere we use execCommand. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text);
  }
}

function copiedBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'unseen';
  document.body.append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
