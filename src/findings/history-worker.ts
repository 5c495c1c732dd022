/** The thread of the history. Bundled as dist/history-worker.cjs. */
import { serveHistory } from '../history/service.ts';
import { passedOnBlames } from './passed-on.ts';
import { questions } from './questions.ts';

serveHistory(questions, passedOnBlames);
