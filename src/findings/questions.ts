/** The questions that the thread of the history answers: the store's own, and those of the findings. */
import { storeQuestions } from '../history/questions.ts';
import type { Store } from '../history/store.ts';
import { readUsbTree } from '../host/usb-devices.ts';
import { judgementOf } from './judgement.ts';
import { pastOf } from './past.ts';
import type { HostPicture } from './picture.ts';

export const questions = {
  ...storeQuestions,
  past: pastOf,
  /** @param hasUsb the phones are on the USB of this machine, which the thread reads */
  judge: (store: Store, { picture, hasUsb }: { picture: HostPicture; hasUsb: boolean }) =>
    judgementOf(store, hasUsb ? { ...picture, usb: readUsbTree() } : picture),
};
export type FindingsQuestions = typeof questions;
