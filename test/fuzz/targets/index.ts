/** All targets, in the order of their turns. */
import type { Target } from '../target.ts';
import { adbTargets } from './adb.ts';
import { cloudTargets } from './cloud.ts';
import { configTargets } from './config.ts';
import { factsTargets } from './facts.ts';
import { historyTargets } from './history.ts';
import { httpTargets } from './http.ts';
import { junitTargets } from './junit.ts';
import { metricsTargets } from './metrics.ts';
import { nameTargets } from './naming.ts';
import { privacyTargets } from './privacy.ts';
import { probeTargets } from './probe.ts';
import { stateTargets } from './state.ts';

export const targets: readonly Target[] = [
  ...factsTargets,
  ...adbTargets,
  ...probeTargets,
  ...cloudTargets,
  ...configTargets,
  ...stateTargets,
  ...historyTargets,
  ...httpTargets,
  ...metricsTargets,
  ...nameTargets,
  ...junitTargets,
  ...privacyTargets,
];
