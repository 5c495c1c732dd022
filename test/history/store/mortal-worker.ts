/** The thread of the history with a question that kills it, one that takes long, and one that fails. */
import { evaluationOf } from '../../../src/diagnosis/evaluate.ts';
import { timelineOf } from '../../../src/diagnosis/explain/timeline-query.ts';
import type { RuleInput } from '../../../src/diagnosis/rule-input.ts';
import type { Store } from '../../../src/history/store/store.ts';
import { serveHistory } from '../../../src/history/store/worker.ts';

serveHistory({
  evaluate: (store: Store, { input }: { input: RuleInput }) => evaluationOf(store, input),
  timeline: timelineOf,
  die: () => process.exit(1),
  /** When the next write is in the file, and nobody was told. */
  dieAtNextWrite: (store: Store) => {
    store.keepWithin = () => process.exit(1);
  },
  dawdle: () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    return 'done';
  },
  fail: () => {
    throw new Error('no answer to that');
  },
});
