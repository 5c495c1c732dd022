/** Does the adb server answer, and which version is it? It is asked; it is never started and never stopped. */
import { adbMends } from '../adb/mend.ts';
import { AdbUnavailableError } from '../errors.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

/** The part of the adb server that is asked here. */
export interface VersionedServer {
  readonly host: string;
  readonly port: number;
  /** The number of its protocol, e.g. 41 for "1.0.41". */
  version(signal?: AbortSignal): Promise<number>;
}

const NAME = 'adb server';
/** adb 28.0.2 and later: phones are told apart by transport id, replaced servers noticed. */
const CURRENT_PROTOCOL = 41;

export interface ServerLook {
  readonly finding: Finding;
  /** It answers as an adb server does. */
  readonly isAdb: boolean;
}

export async function lookAtServer(server: VersionedServer, signal: AbortSignal): Promise<ServerLook> {
  const address = `${server.host}:${server.port}`;
  try {
    const since = performance.now();
    const version = await server.version(signal);
    const tookMs = Math.round(performance.now() - since);
    const seen = `version 1.0.${version} answers at ${address} within ${tookMs} ms`;
    const finding =
      version < CURRENT_PROTOCOL
        ? warning(NAME, seen, 'An old adb: install a platform-tools of today and restart the server')
        : ok(NAME, seen);
    return { finding, isAdb: true };
  } catch (error) {
    if (!(error instanceof AdbUnavailableError)) throw error;
    return { finding: failed(NAME, error.message, adbMends[error.kind].remedy), isAdb: false };
  }
}
