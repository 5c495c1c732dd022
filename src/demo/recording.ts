/** What one phone printed: enough to play the phone again without it. */
export interface Recording {
  /** The phone in words, e.g. `POCO F6, Android 15`. */
  title: string;
  /** Where the answers come from, and which were completed or replaced by hand. */
  origin: string[];
  /** adb's name for the phone; '' where it has none. */
  serial: string;
  /** adb's word for the connection. */
  state: string;
  /** USB port path, e.g. `1-4.2`; absent for emulators and phones on the network. */
  devpath?: string;
  product?: string;
  model?: string;
  device?: string;
  /** The API level: it decides which shell services the phone has. */
  sdk: number;
  /** By `section.command`. */
  answers: Record<string, RecordedAnswer>;
}

/** Output as lines, each with a LF behind it; or with the exit code where that is not 0. */
export type RecordedAnswer = string[] | { lines: string[]; exitCode: number };

export interface RecordedOutput {
  text: string;
  exitCode: number;
}

export function outputOf(answer: RecordedAnswer): RecordedOutput {
  const { lines, exitCode } = Array.isArray(answer) ? { lines: answer, exitCode: 0 } : answer;
  return { text: lines.map((line) => `${line}\n`).join(''), exitCode };
}
