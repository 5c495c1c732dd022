/** Remedies for each way in which adb fails. The doctor, the page and systemd's status line show the same ones. */
import { type AdbFailureKind, AdbUnavailableError } from '../base/errors.ts';

export interface AdbRemedy {
  /** One sentence without a full stop. */
  readonly remedy: string;
  /** The command that fixes it or explains more. */
  readonly command: string;
}

const whoHasThePort: AdbRemedy = {
  remedy: 'Find which process holds the port: if it is adb, restart it; if not, move it or set adb.port',
  command: 'hostnode doctor',
};

export const adbRemedies: Readonly<Record<AdbFailureKind, AdbRemedy>> = {
  absent: {
    remedy: 'Start the lab’s server (systemctl start hostnode-adb), or check adb.host and adb.port',
    command: 'systemctl start hostnode-adb',
  },
  unreachable: {
    remedy: 'Check adb.host, adb.port and the network: the code in brackets names the fault',
    command: 'hostnode doctor',
  },
  silent: {
    remedy:
      'The server is wedged: restart it (systemctl restart hostnode-adb, or end its process by its number)',
    command: 'systemctl restart hostnode-adb',
  },
  closed: whoHasThePort,
  foreign: whoHasThePort,
};

/** Any other error means an answer that no adb server gives. */
export const adbFailureKindOf = (error: unknown): AdbFailureKind =>
  error instanceof AdbUnavailableError ? error.kind : 'foreign';
