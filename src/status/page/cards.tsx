import type { ComponentChildren } from 'preact';
import type { PhoneStatus } from '../host-status.ts';
import { CopyButton } from './copy-button.tsx';
import { Charging } from './icons.tsx';
import { celsius, percent, usage } from './words.ts';

interface CardContent {
  title: string;
  /** Empty or undefined if it is not known. */
  value: string | undefined;
  icon?: ComponentChildren;
  detail?: string | undefined;
  isCopied?: true;
}

/** What the phone is and how it is, at a glance. Of a phone that cannot be reached, only what is known. */
export function Cards({ phone }: { phone: PhoneStatus }) {
  const isOnline = phone.attached && phone.state === 'device';
  const cards = contentsOf(phone).filter(({ value }) => isOnline || value);
  if (cards.length === 0) return null;
  return (
    <dl class="cards">
      {cards.map((card) => (
        <Card key={card.title} {...card} />
      ))}
    </dl>
  );
}

function contentsOf({ model, brand, android, battery, storage, network }: PhoneStatus): CardContent[] {
  const used = storage?.usedBytes === undefined ? undefined : storage.usedBytes / storage.totalBytes;
  return [
    { title: 'Model', value: model, detail: brand, isCopied: true },
    { title: 'Android', value: android, isCopied: true },
    {
      title: 'Battery',
      value: percent(battery?.levelRatio),
      icon: battery?.isCharging && <Charging />,
      detail: battery?.health?.toLowerCase().replaceAll('_', ' '),
    },
    { title: 'Temperature', value: celsius(battery?.temperatureCelsius), detail: 'of the battery' },
    { title: 'Storage', value: used === undefined ? '' : `${percent(used)} used`, detail: usage(storage) },
    { title: 'Network', value: network?.toLowerCase() },
  ];
}

function Card({ title, value, icon, detail, isCopied }: CardContent) {
  if (!value)
    return (
      <div>
        <dt>{title}</dt>
        <dd class="none">
          <span class="value">not known</span>
        </dd>
      </div>
    );
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <span class="value">
          {icon}
          {value}
        </span>
        {isCopied && <CopyButton label={`Copy ${title}: ${value}`} text={value} />}
        {detail && <small>{detail}</small>}
      </dd>
    </div>
  );
}
