/**
 * A section: a group of facts with one source. It defines the commands for the phone and the parser of the answer.
 * Running them, time limits, isolation, caching and logging belong to the probe.
 */

/**
 * When a section is collected again: in every round, once per boot (if nothing in it can change before a reboot), or at
 * most every N seconds.
 */
export type Cadence = 'round' | 'boot' | { everySeconds: number };

/**
 * A part of the readiness: the lock screen, the power manager, the window in front; or a key in a table of `settings`, a
 * property (`global adb_enabled`).
 */
export type ReadinessPart =
  | 'lock'
  | 'power'
  | 'focus'
  | `${'global' | 'secure' | 'system' | 'property'} ${string}`;

/** What we know about a phone before we collect it, and the lab's settings. */
export interface CommandOptions {
  /** adbd supports `shell_v2`, so this is Android 7.0 (API 24) or newer; false means older or unknown. */
  shellV2: boolean;
  /** The host whose `http://HOST/generate_204` the phone fetches; absent if the check is off. */
  reachabilityHost?: string;
  /** Fetch it on metered networks (SIM data) as well. */
  reachabilityOnMetered: boolean;
  /** Read IMEI, MEID and ICCID. */
  telephonyIdentifiers: boolean;
  /** What to collect of the readiness; absent: nothing. */
  readiness?: readonly ReadinessPart[];
}

/**
 * Each command's output by the command's name: stdout and stderr together, LF line ends, decoded as UTF-8.
 * A command that timed out or did not run is absent; a failed one is present with its output.
 */
export type Answers = Readonly<Record<string, string | undefined>>;

export const KIB = 1024;

/**
 * @typeParam F its facts
 * @typeParam K the facts of other sections that it depends on
 */
export interface Section<F, K = unknown> {
  readonly name: string;
  readonly cadence: Cadence;
  /** Its output identifies a person's phone, SIM, network or place: it must never reach the log. */
  readonly isPersonal?: boolean;
  /** Time limit of each command, whole seconds; the command and its children are killed after it. */
  readonly limitSeconds: number;
  /**
   * Limit of each command's answer, bytes; a command that prints more has no answer. Set it to several times the known
   * maximum, not higher: we read all output to the end.
   */
  readonly limitBytes: number;
  /**
   * The commands, by name, as POSIX shell text that mksh R40 (Android 4.0) runs. Each runs in its own subshell
   * with stdin from /dev/null. No single quotes (the probe puts the text into them), no here-documents.
   */
  commands(options: CommandOptions): Record<string, string>;
  /**
   * Parses the answers. Called only if at least one command was answered. Pure.
   *
   * @throws {ParseError} when nothing valid can be parsed
   */
  parse(answers: Answers): F;
  /**
   * For a section that is not collected in every round: a key for what its facts depend on; undefined while unknown.
   * When the key changes (a SIM was swapped) or becomes known, the section is collected again at once. If it does not
   * answer, its old facts are dropped.
   */
  revision?(facts: K): string | undefined;
}
