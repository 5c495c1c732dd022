/** The machine that hostnode runs on, as far as a remedy depends on it: a command must exist where we name it. */
export interface HostKind {
  /** systemd runs this machine. */
  readonly hasSystemd: boolean;
  /** hostnode's units that are installed here: `hostnode`, `hostnode-adb`. Empty without systemd. */
  readonly units: readonly string[];
  readonly inContainer: boolean;
}

/** A machine about which nothing is known: its remedies are right everywhere. */
export const anyHost: HostKind = { hasSystemd: false, units: [], inContainer: false };
