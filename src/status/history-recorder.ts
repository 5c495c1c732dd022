import type { AgentObserver } from '../agent/observer.ts';
import type { History } from '../diagnosis/store/history.ts';

/** Writes into the history what agents tell. @param open undefined while there is none */
export const historyRecorder = (
  open: () => Pick<History, 'record' | 'sample' | 'renamed' | 'forget'> | undefined,
): AgentObserver => ({
  happened: (events) => void open()?.record(events),
  sampled: (sample) => open()?.sample([sample]),
  renamed: (from, to) => open()?.renamed(from, to),
  forgotten: (udids) => void open()?.forget(udids),
});
