/** Tells clouds and accounts apart without naming them: a report to another one begins anew. */
import { createHash } from 'node:crypto';
import type { Config } from '../config/load.ts';

/** @returns undefined where no cloud is configured */
export const cloudFingerprint = ({ cloud }: Config, nodeId: string): string | undefined =>
  cloud &&
  createHash('sha256')
    .update(JSON.stringify([nodeId, cloud.baseUrl, cloud.username]))
    .digest('hex')
    .slice(0, 16);
