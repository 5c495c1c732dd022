/** Checks that the adb server answers, and its version. Never starts or stops it. */
import { remedyFor } from '../adb/remedy.ts';
import type { HostKind } from '../base/environment.ts';
import { AdbUnavailableError } from '../base/errors.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

/** The part of the adb server that this check needs. */
export interface VersionedServer {
  readonly host: string;
  readonly port: number;
  /** The number of its protocol, e.g. 41 for "1.0.41". */
  version(signal?: AbortSignal): Promise<number>;
}

const NAME = 'adb server';
/** adb 28.0.2 and later: it gives each phone a transport id, and reports a replaced server. */
const CURRENT_PROTOCOL = 41;

export interface ServerLook {
  readonly finding: Finding;
  /** It answers as an adb server does. */
  readonly isAdb: boolean;
}

export async function lookAtServer(
  server: VersionedServer,
  hostKind: HostKind,
  signal: AbortSignal,
): Promise<ServerLook> {
  const { host, port } = server;
  const address = `${host}:${port}`;
  try {
    const since = performance.now();
    const version = await server.version(signal);
    const tookMs = Math.round(performance.now() - since);
    const seen = `version 1.0.${version} answers at ${address} within ${tookMs} ms`;
    const finding =
      version < CURRENT_PROTOCOL
        ? warning(NAME, seen, 'This adb is old: install current platform-tools and restart the server')
        : ok(NAME, seen);
    return { finding, isAdb: true };
  } catch (error) {
    if (!(error instanceof AdbUnavailableError)) throw error;
    return { finding: failed(NAME, error.message, remedyFor(error, { host, port, hostKind })), isAdb: false };
  }
}
