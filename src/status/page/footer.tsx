import type { HostStatus } from '../host-status.ts';
import { Age } from './time.tsx';

interface Props {
  status: HostStatus;
  onKeys(): void;
}

/** What runs here, and where to read more: all from this host. */
export function Footer({ status: { host, adb }, onKeys }: Props) {
  return (
    <footer>
      <p>
        hostnode {host.version}, up for <Age at={host.startedAt} />
        {adb.state === 'listed' && (
          <>
            {' · '}
            <span title={adb.address}>
              adb{adb.version !== undefined && ` ${adb.version}`}, up for <Age at={adb.since} />
            </span>
          </>
        )}
      </p>
      <nav aria-label="More">
        {hasMetrics && <a href="metrics">Metrics</a>}
        <a href="api/status">JSON</a>
        <a href="docs/status.html">Docs</a>
        <a href="docs/troubleshooting.html">Troubleshooting</a>
        <button type="button" onClick={onKeys}>
          Keys <kbd>?</kbd>
        </button>
      </nav>
    </footer>
  );
}

/** Each address of the agent serves the parts that the configuration says. */
const hasMetrics = document
  .querySelector<HTMLMetaElement>('meta[name=parts]')
  ?.content.split(' ')
  .includes('metrics');
