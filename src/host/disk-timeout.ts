import { within } from '../base/time.ts';

/** A disk that hangs (an NFS server that has gone, a dying eMMC) is waited for so long, ms. */
export const PATIENCE_MS = 5_000;

/** Why then, in words. */
export const hangs = `the disk has not answered for ${PATIENCE_MS / 1000} s`;

/**
 * Waits for work on the disk, and no longer than that: the work goes on.
 *
 * @returns undefined also where it did not end in time
 */
export const withDiskTimeout = <T>(work: Promise<T>): Promise<T | undefined> => within(PATIENCE_MS, work);
