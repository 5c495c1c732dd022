/** What the program's end says to a script. */
export const exitCode = {
  /** All stored or printed. */
  ok: 0,
  /**
   * It could not be done, or not for every device: one was refused or not read, no agent answers, another one holds the
   * state directory, a file cannot be read or written.
   */
  failed: 1,
  /** The command line was not understood. */
  usage: 2,
  /** The cloud could not be reached or refused us. */
  cloud: 3,
  /** adb could not be reached. */
  adb: 4,
  /** A bug (sysexits.h, EX_SOFTWARE): its stack is on stderr. */
  bug: 70,
  /**
   * The configuration is wrong, or does not suit who runs the agent (sysexits.h, EX_CONFIG): a supervisor need not try
   * again.
   */
  config: 78,
} as const;
