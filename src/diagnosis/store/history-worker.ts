/** The thread of the history. Bundled as dist/history-worker.cjs. */

import { passedOnBlames } from '../explain/passed-on.ts';
import { questions } from '../questions.ts';
import { serveHistory } from './service.ts';

serveHistory(questions, passedOnBlames);
