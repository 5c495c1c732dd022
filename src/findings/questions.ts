/** The questions that the thread of the history answers: the store's own, and those of the findings. */
import { storeQuestions } from '../history/questions.ts';

export const questions = { ...storeQuestions };
export type FindingsQuestions = typeof questions;
