import type { ComponentChildren } from 'preact';
import type { PhoneStatus } from '../host-status.ts';
import { CopyButton } from './copy-button.tsx';
import { Charging } from './icons.tsx';
import { celsius, percent, usage } from './words.ts';

/** What the phone is and how it is, at a glance; nothing while nothing is known. */
export function Cards({
  phone: { model, brand, android, battery, storage, network },
}: {
  phone: PhoneStatus;
}) {
  if (model === undefined && android === undefined && battery === undefined && storage === undefined)
    return null;
  const used = storage?.usedBytes === undefined ? undefined : storage.usedBytes / storage.totalBytes;
  return (
    <dl class="cards">
      <Card title="Model" value={model} detail={brand} copied={model} />
      <Card title="Android" value={android} copied={android} />
      <Card
        title="Battery"
        value={
          battery?.levelRatio !== undefined && (
            <>
              {battery.isCharging && <Charging />}
              {percent(battery.levelRatio)}
            </>
          )
        }
        detail={battery?.health?.toLowerCase().replaceAll('_', ' ')}
      />
      <Card title="Temperature" value={celsius(battery?.temperatureCelsius)} detail="of the battery" />
      <Card
        title="Storage"
        value={used === undefined ? '' : `${percent(used)} used`}
        detail={usage(storage)}
      />
      <Card title="Network" value={network?.toLowerCase()} />
    </dl>
  );
}

interface CardProps {
  title: string;
  /** Empty if it is not known. */
  value: ComponentChildren;
  detail?: string | undefined;
  /** The text to copy. */
  copied?: string | undefined;
}

function Card({ title, value, detail, copied }: CardProps) {
  const isKnown = value !== undefined && value !== '' && value !== false;
  return (
    <div>
      <dt>{title}</dt>
      <dd class={isKnown ? undefined : 'none'}>
        <span class="value">{isKnown ? value : 'not known'}</span>
        {copied !== undefined && <CopyButton label={`Copy ${title}: ${copied}`} text={copied} />}
        {isKnown && detail && <small>{detail}</small>}
      </dd>
    </div>
  );
}
