/**
 * The thread of the history: beside the store's own questions it answers those of the diagnosis. Bundled as
 * dist/history-worker.cjs.
 */
import type { Store } from '../history/store/store.ts';
import { serveHistory } from '../history/store/worker.ts';
import { readUsbTree } from '../host/usb-devices.ts';
import { evaluationOf } from './evaluate.ts';
import { timelineOf } from './explain/timeline-query.ts';
import { verdictIn } from './explain/verdict.ts';
import type { RuleInput } from './rule-input.ts';

export const questions = {
  /** @param hasUsb the phones are on the USB of this machine, which the thread reads */
  evaluate: (store: Store, { input, hasUsb }: { input: RuleInput; hasUsb: boolean }) =>
    evaluationOf(store, hasUsb ? { ...input, usb: readUsbTree() } : input),
  timeline: timelineOf,
  verdict: verdictIn,
};

serveHistory(questions);
