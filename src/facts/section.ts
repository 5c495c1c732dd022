/**
 * A section: a group of facts with one source. It says what to ask a phone and how to read the answer;
 * asking, time limits, isolation, caching and logging belong to the probe.
 */
/**
 * When a section is asked again: in every round, once a boot (nothing in it can change before the phone
 * restarts), or at most every so many seconds.
 */
export type Cadence = 'round' | 'boot' | { everySeconds: number };

/** What is known of a phone before it is asked, and what the lab wants asked. */
export interface AskOptions {
  /** adbd speaks `shell_v2`, so this is Android 7.0 (API 24) or newer; false means older, or not known. */
  shellV2: boolean;
  /** The host whose `http://HOST/generate_204` the phone fetches; absent when the check is turned off. */
  reachabilityHost?: string;
  /** Fetch it on metered networks (SIM data) as well. */
  reachabilityOnMetered: boolean;
  /** Ask for IMEI, MEID and ICCID. */
  telephonyIdentifiers: boolean;
}

/**
 * Each command's output by the command's name: stdout and stderr together, LF line ends, decoded as UTF-8.
 * A command that timed out or was not reached is absent; one that failed is there with what it printed.
 */
export type Answers = Readonly<Record<string, string | undefined>>;

/** Of `limitBytes`. */
export const KIB = 1024;

/**
 * @typeParam F its facts
 * @typeParam K the facts of other sections on which its own rest
 */
export interface Section<F, K = unknown> {
  readonly name: string;
  readonly cadence: Cadence;
  /** What its commands print names a person's phone or SIM, network or place: not a word of it goes into the log. */
  readonly isPersonal?: boolean;
  /** Time limit of each command, whole seconds; the command and its children are killed after it. */
  readonly limitSeconds: number;
  /**
   * Limit of each command's answer, bytes: what prints more has no answer. Several times what any phone of its Android is
   * known to print, and no more: whatever a phone prints is read to the end.
   */
  readonly limitBytes: number;
  /**
   * The commands, by name, as POSIX shell text that mksh R40 (Android 4.0) runs. Each runs in its own subshell
   * with stdin from /dev/null. No single quotes (the probe puts the text into them), no here-documents.
   */
  commands(options: AskOptions): Record<string, string>;
  /**
   * Reads the answers. Called only when at least one command was answered. Pure.
   *
   * @throws {ParseError} when nothing valid can be read
   */
  parse(answers: Answers): F;
  /**
   * For a section that is not asked in every round: what its facts rest on, undefined while that is not known.
   * When this text changes (a SIM was swapped), or is known at last, the section is asked again at once, and what was
   * known of it is dropped when it does not answer.
   */
  revision?(facts: K): string | undefined;
}
