/** The questions that the thread of the history answers: the store's own, and those of the findings. */
import { storeQuestions } from '../history/questions.ts';
import { pastOf } from './past.ts';

export const questions = { ...storeQuestions, past: pastOf };
export type FindingsQuestions = typeof questions;
