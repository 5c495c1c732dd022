import { describeWhere } from '../machine-needs.ts';
import { forbiddenForGuest, missingForGuest } from './guest-root.ts';

/** A group of tests that boot a real systemd. */
export const describeWithSystemd = (title: string, tests: () => void): void =>
  describeWhere(title, { missing: missingForGuest(), forbidden: forbiddenForGuest }, tests);
