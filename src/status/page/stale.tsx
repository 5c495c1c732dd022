import { useEffect, useRef } from 'preact/hooks';
import { useTime } from './clock.ts';
import { Warning } from './icons.tsx';
import type { Live } from './live.ts';
import { At } from './time.tsx';
import { duration } from './words.ts';

/** Unconfirmed for this long, the page counts as old, ms. */
const OLD_MS = 60_000;

interface Props {
  live: Live;
  isWall: boolean;
  version: string;
}

/** Warns if the page is old: no connection, or a version other than the agent's. */
export function Stale({ live: { heardAt = Date.now(), lostSince }, isWall, version }: Props) {
  const quiet = useTime(() => (Date.now() - heardAt > OLD_MS ? duration(Date.now() - heardAt) : ''));
  const isOutdated = useRef(version).current !== version;
  useEffect(() => {
    if (isOutdated && isWall) location.reload(); // nobody is at a wall to do it
  }, [isOutdated, isWall]);
  if (quiet !== '')
    return (
      <p class="stale old">
        <Warning />
        <strong>Old: no data from the agent for {quiet}</strong>
      </p>
    );
  if (lostSince !== undefined)
    return (
      <p class="stale">
        <Warning />
        <span>
          No connection to the agent since <At at={lostSince} />; retrying
        </span>
      </p>
    );
  if (!isOutdated) return null;
  return (
    <p class="stale">
      <span>This page is older than hostnode {version}, which runs now.</span>
      <button type="button" onClick={() => location.reload()}>
        Reload
      </button>
    </p>
  );
}
