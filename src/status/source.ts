import type { HostStatus, PhoneDetail } from './host-status.ts';

/** The source of the host's status for page, commands and metrics. */
export interface StatusSource {
  /** Undefined while no agent runs: at the start and in a reload. */
  status(): HostStatus | undefined;
  phone(udid: string): PhoneDetail | undefined;
  /**
   * Calls `listener` after changes of the status, at most once a second.
   *
   * @returns removes the listener
   */
  onChange(listener: () => void): () => void;
  /** False if the agent hangs. */
  readonly isProgressing: boolean;
}
