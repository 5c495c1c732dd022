/** The questions that the thread of the history answers: the store's own, and those of the findings. */

import { readUsbTree } from '../host/usb-devices.ts';
import { evaluationOf } from './evaluation.ts';
import { pastOf } from './explain/past.ts';
import type { RuleInput } from './rule-input.ts';
import { storeQuestions } from './store/questions.ts';
import type { Store } from './store/store.ts';

export const questions = {
  ...storeQuestions,
  past: pastOf,
  /** @param hasUsb the phones are on the USB of this machine, which the thread reads */
  judge: (store: Store, { picture, hasUsb }: { picture: RuleInput; hasUsb: boolean }) =>
    evaluationOf(store, hasUsb ? { ...picture, usb: readUsbTree() } : picture),
};
export type FindingsQuestions = typeof questions;
