import { describeWhere } from '../machine-needs.ts';
import { missingTools } from './android-shell.ts';

/** A group of tests that need the rig. */
export const describeWithRig = (title: string, tests: () => void): void =>
  describeWhere(title, { missing: missingTools() }, tests);
