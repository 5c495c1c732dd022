/** Minor findings: what works, and will soon need a person. Nobody has to act at once, so they are shown on demand. */
import type { HostStatus } from '../host-status.ts';
import { CauseWords, Where } from './causes.tsx';

const LIST = 'notices';

/** Their number, which shows and hides them. */
export const NoticeCount = ({
  notices,
  isOpen,
  onToggle,
}: {
  notices: number;
  isOpen: boolean;
  onToggle(): void;
}) =>
  notices > 0 && (
    <p class="count notice">
      <button type="button" aria-expanded={isOpen} aria-controls={LIST} onClick={onToggle}>
        <b>{notices}</b> {notices === 1 ? 'notice' : 'notices'}
      </button>
    </p>
  );

export function Notices({ status: { notices, phones, bands } }: { status: HostStatus }) {
  const known = new Map(phones.map((phone) => [phone.udid, phone]));
  return (
    <section id={LIST} class="notices" aria-label="Notices">
      <ol>
        {notices.map((notice) => (
          <li key={notice.key}>
            {notice.udids.length > 0 && (
              <p class="where">
                <Where
                  phones={notice.udids.flatMap((udid) => known.get(udid) ?? [])}
                  bands={bands}
                  isWall={false}
                />
              </p>
            )}
            <CauseWords cause={notice} isWall={false} />
          </li>
        ))}
      </ol>
    </section>
  );
}
