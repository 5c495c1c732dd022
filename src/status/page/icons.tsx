/** Inline SVG, so that icons look the same everywhere; screen readers read the words beside them. */
import type { ComponentChildren } from 'preact';
import type { Condition } from '../host-status.ts';

function Icon({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <svg class={`icon ${name}`} viewBox="0 0 16 16" aria-hidden="true">
      {children}
    </svg>
  );
}

export const Warning = () => (
  <Icon name="warning">
    <path d="M8 1.2 15.4 14.6H.6Z" fill="currentColor" />
    <path d="M8 6v4.2M8 11.6v1.6" class="cut" />
  </Icon>
);

export const Wrench = () => (
  <Icon name="wrench">
    <path d="M2.5 13.5 8.6 7.4M14 5.2a3.6 3.6 0 1 1-3.2-3.2L9.8 4.6l1.6 1.6Z" class="line" />
  </Icon>
);

export const Check = () => (
  <Icon name="check">
    <path d="m2.5 8.5 3.7 3.7 7.3-8" class="line" />
  </Icon>
);

export const Charging = () => (
  <>
    <Icon name="bolt">
      <path d="M9.5.8 3 9h4l-1 6.2L13 6.6H8.6Z" fill="currentColor" />
    </Icon>
    <span class="unseen">charging </span>
  </>
);

export const Copy = () => (
  <Icon name="copy">
    <path d="M5.5 4.5h8v10h-8zM10.5 4.5v-3h-8v10h3" class="line" />
  </Icon>
);

export const Cross = () => (
  <Icon name="cross">
    <path d="m3 3 10 10M13 3 3 13" class="line" />
  </Icon>
);

/** The icon of a condition; none if fine or unknown. */
export function Sign({ condition }: { condition: Condition }) {
  if (condition === 'fine' || condition === 'unknown') return null;
  const isTrouble = condition === 'needsAttention';
  return (
    <>
      {isTrouble ? <Warning /> : <Wrench />}
      <span class="unseen">{isTrouble ? 'needs attention: ' : 'in maintenance: '}</span>
    </>
  );
}
