/** The questions that the thread of the history answers: the store's own, and those of the findings. */
import { storeQuestions } from '../history/questions.ts';
import type { Store } from '../history/store.ts';
import { judgementOf } from './judgement.ts';
import { pastOf } from './past.ts';
import type { HostPicture } from './picture.ts';

export const questions = {
  ...storeQuestions,
  past: pastOf,
  judge: (store: Store, picture: HostPicture) => judgementOf(store, picture),
};
export type FindingsQuestions = typeof questions;
