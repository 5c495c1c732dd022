/** Exit codes for scripts and supervisors. */
export const exitCode = {
  /** Everything was stored or printed. */
  ok: 0,
  /**
   * The command failed, or failed for some devices: the cloud rejected one or its facts could not be collected, no
   * agent answers, another agent holds the state directory, or a file cannot be read or written.
   */
  failed: 1,
  /** The command line was not understood. */
  usage: 2,
  /** The cloud could not be reached or rejected the request. */
  cloud: 3,
  /** adb could not be reached. */
  adb: 4,
  /** `verdict`: it was the lab. */
  lab: 10,
  /** `verdict`: nothing was seen, and a part of the time was not watched. */
  unwatched: 11,
  /** A bug (sysexits.h, EX_SOFTWARE): its stack is on stderr. */
  bug: 70,
  /** The system grants the agent too few files or threads (sysexits.h, EX_OSERR). */
  system: 71,
  /**
   * The configuration is wrong, or does not fit the user of the agent (sysexits.h, EX_CONFIG): a supervisor need not
   * retry.
   */
  config: 78,
} as const;
