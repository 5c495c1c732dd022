import { useEffect, useRef } from 'preact/hooks';
import { useTime } from './clock.ts';
import { Warning } from './icons.tsx';
import type { Live } from './live.ts';
import { At } from './time.tsx';
import { duration } from './words.ts';

/** What nobody has confirmed for so long may be wrong by now, ms. */
const OLD_MS = 60_000;

interface Props {
  live: Live;
  isWall: boolean;
  version: string;
}

/** Says when the page shows something old: lost from its host, or itself of another version than it. */
export function Stale({ live: { heardAt = 0, lostSince }, isWall, version }: Props) {
  const quiet = useTime(() => (Date.now() - heardAt > OLD_MS ? duration(Date.now() - heardAt) : ''));
  const isOutdated = useRef(version).current !== version;
  useEffect(() => {
    if (isOutdated && isWall) location.reload(); // nobody is there to do it
  }, [isOutdated, isWall]);
  if (quiet !== '')
    return (
      <p class="stale old">
        <Warning />
        <strong>Old: nothing heard from the agent for {quiet}</strong>
      </p>
    );
  if (lostSince !== undefined)
    return (
      <p class="stale">
        <Warning />
        <span>
          No connection to the agent since <At at={lostSince} />; trying again
        </span>
      </p>
    );
  if (!isOutdated) return null;
  return (
    <p class="stale">
      <span>hostnode {version} is running now, and this page is older.</span>
      <button type="button" onClick={() => location.reload()}>
        Reload
      </button>
    </p>
  );
}
