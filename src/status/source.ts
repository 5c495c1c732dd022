import type { HostStatus, PhoneDetail } from './host-status.ts';

/** Where those who show the host's status take it from. */
export interface StatusSource {
  /** Absent while no agent is in force: at the start and in a reload. */
  status(): HostStatus | undefined;
  phone(udid: string): PhoneDetail | undefined;
  /**
   * Calls `listener` when the status has changed, at most once a second.
   *
   * @returns ends that
   */
  onChange(listener: () => void): () => void;
  /** False when the agent hangs. */
  readonly isProgressing: boolean;
}
