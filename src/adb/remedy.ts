/** Remedies for each way in which adb fails. The doctor, the page and systemd's status line show the same ones. */
import { type HostKind, isLoopback } from '../base/environment.ts';
import { type AdbFailureKind, AdbUnavailableError } from '../base/errors.ts';

export interface AdbRemedy {
  /** One sentence without a full stop. */
  readonly remedy: string;
  /** The command that fixes it or explains more. */
  readonly command: string;
}

/** The adb server that cannot be used, and the machine where a person reads the remedy. */
export interface AdbAt {
  readonly host: string;
  readonly port: number;
  readonly hostKind: HostKind;
}

const DOCTOR = 'hostnode doctor';
const STANDARD_PORT = 5037;
/** A version that crashes, or is not for this system: archlinuxcn/repo#2674, flutter/flutter#186900, dotnet/android#2977. */
const ENDS_AT_ONCE = 'if it ends at once, install another version of adb, then restart this host';

const whoHasThePort: AdbRemedy = {
  remedy: 'Find which process holds the port: if it is adb, restart it; if not, move it or set adb.port',
  command: DOCTOR,
};

/** A remedy that fits the place: it names no unit that is not installed, and no program of another machine. */
export function adbRemedyOf(kind: AdbFailureKind, at: AdbAt): AdbRemedy {
  switch (kind) {
    case 'absent':
      return startOf(at);
    case 'unreachable':
      return {
        remedy: 'Check adb.host, adb.port and the network: the code in brackets names the fault',
        command: DOCTOR,
      };
    case 'silent':
      return restartOf(at);
    case 'closed':
    case 'foreign':
      return whoHasThePort;
  }
}

export const hasUnit = ({ units }: Pick<HostKind, 'units'>): boolean => units.includes('hostnode-adb');

function startOf({ host, port, hostKind }: AdbAt): AdbRemedy {
  const settings = 'check adb.host and adb.port';
  if (!isLoopback(host))
    return { remedy: `Start the adb server on ${host}, or ${settings}`, command: DOCTOR };
  if (hasUnit(hostKind) && hostKind.lacksAdb) {
    const remedy =
      'Install adb, which is missing on this host (Debian: apt-get install adb); hostnode-adb starts it by itself';
    return { remedy, command: 'apt-get install adb' };
  }
  if (hasUnit(hostKind)) {
    const command = 'systemctl start hostnode-adb';
    return { remedy: `Start the lab’s server (${command}), or ${settings}; ${ENDS_AT_ONCE}`, command };
  }
  if (hostKind.inContainer) {
    return { remedy: `Start the adb server that this container uses, or ${settings}`, command: DOCTOR };
  }
  const command = port === STANDARD_PORT ? 'adb start-server' : `adb -P ${port} start-server`;
  const remedy = `Start an adb server (${command}), let hostnode start one (adb.start: true), or ${settings}; ${ENDS_AT_ONCE}`;
  return { remedy, command };
}

/** One that was killed and started anew may hang (flutter/flutter#43930); it did not where nobody killed it (flutter/cocoon#268). */
const AGAIN = 'if it hangs again, find what runs `adb kill-server`, and stop that';

function restartOf({ host, hostKind }: AdbAt): AdbRemedy {
  if (!isLoopback(host)) {
    return { remedy: `Restart the adb server on ${host}: it is wedged`, command: DOCTOR };
  }
  if (hasUnit(hostKind)) {
    const command = 'systemctl restart hostnode-adb';
    const remedy = `Restart the server, which is wedged (${command}, or end its process by its number); ${AGAIN}`;
    return { remedy, command };
  }
  if (hostKind.inContainer) {
    return { remedy: 'Restart the adb server that this container uses: it is wedged', command: DOCTOR };
  }
  const remedy = `Restart the server, which is wedged: end its process by its number, which hostnode doctor names; ${AGAIN}`;
  return { remedy, command: DOCTOR };
}

/** What to do about this error here: its own remedy, else that of its kind. */
export const remedyFor = ({ remedy, kind }: AdbUnavailableError, at: AdbAt): string =>
  remedy ?? adbRemedyOf(kind, at).remedy;

/** Any other error means an answer that no adb server gives. */
export const adbFailureKindOf = (error: unknown): AdbFailureKind =>
  error instanceof AdbUnavailableError ? error.kind : 'foreign';
