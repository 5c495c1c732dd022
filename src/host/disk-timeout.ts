/** A disk that diskHangs (an NFS server that has gone, a dying eMMC) is waited for so long, ms. */
export const DISK_TIMEOUT_MS = 5_000;

/** Why then, in words. */
export const diskHangs = `the disk has not answered for ${DISK_TIMEOUT_MS / 1000} s`;

/**
 * Waits for work on the disk, and no longer than that: the work goes on.
 *
 * @returns undefined also where it did not end in time
 */
export async function withDiskTimeout<T>(work: Promise<T>): Promise<T | undefined> {
  const { promise: tooLong, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, DISK_TIMEOUT_MS, undefined).unref();
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
