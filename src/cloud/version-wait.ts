/** Waits until the cloud has parsed the version of an app: nothing tells that, so it is asked again and again. */
import { printable } from '../base/printable.ts';
import { sleep } from '../base/time.ts';
import { CloudVersionError } from './errors.ts';
import type { Calls, Resources } from './resources.ts';

export interface VersionWait {
  /** Ends the wait, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** For how long to wait, ms. Default 10 minutes. */
  forMs?: number | undefined;
  /** The time between two requests, ms. Default 2 s. */
  everyMs?: number | undefined;
}

/** What `client.apps` has besides its operations. */
export interface VersionWaiting {
  /**
   * Waits until the cloud has parsed this version: `const { versionId } = await client.uploadApp(…)`.
   *
   * @returns the version, whose state is OK
   * @throws {CloudVersionError} its state says that it failed, or it is not OK in time
   * @throws {CloudError} a request failed; or the signal's reason
   */
  waitForVersion(versionId: number, options?: VersionWait): ReturnType<Calls['versions.get']>;
}

export async function waitForVersion(
  { versions }: Pick<Resources, 'versions'>,
  versionId: number,
  { signal, forMs = 600_000, everyMs = 2_000 }: VersionWait = {},
): ReturnType<Calls['versions.get']> {
  for (const endAt = performance.now() + forMs; ; await sleep(everyMs, signal)) {
    const version = await versions.get({ versionId }, { signal });
    const state = printable(version.state ?? 'unknown', 100);
    if (state === 'OK') return version;
    // other states are not known: one that says that it failed ends the wait
    if (/fail|error|invalid/i.test(state) || performance.now() > endAt)
      throw new CloudVersionError(versionId, state);
  }
}
