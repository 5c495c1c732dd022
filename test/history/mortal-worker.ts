/** The thread of the history with a question that kills it, and one that never answers. */
import { questions } from '../../src/findings/questions.ts';
import { serveHistory } from '../../src/history/service.ts';

export const mortalQuestions = {
  ...questions,
  die: () => process.exit(1),
  fail: () => {
    throw new Error('no answer to that');
  },
};

serveHistory(mortalQuestions);
