import { within } from '../base/time.ts';

/** How long we wait for a disk that hangs (a lost NFS server, a dying eMMC), ms. */
export const DISK_TIMEOUT_MS = 5_000;

export const diskHangs = `the disk has not answered for ${DISK_TIMEOUT_MS / 1000} s`;

/**
 * Waits at most `DISK_TIMEOUT_MS` for work on the disk. The work itself continues.
 *
 * @returns undefined also on a time-out
 */
export const withDiskTimeout = <T>(work: Promise<T>): Promise<T | undefined> => within(DISK_TIMEOUT_MS, work);
