/** The thread of the history with a question that kills it, one that takes long, and one that fails. */
import { questions } from '../../../src/diagnosis/questions.ts';
import { serveHistory } from '../../../src/diagnosis/store/service.ts';

export const mortalQuestions = {
  ...questions,
  die: () => process.exit(1),
  dawdle: () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    return 'done';
  },
  fail: () => {
    throw new Error('no answer to that');
  },
};

serveHistory(mortalQuestions);
