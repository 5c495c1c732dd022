/**
 * One shell conversation with one phone: the script goes out as the name of a service, its output comes back,
 * and the conversation is over at the last mark (not at the end of the stream, which an orphan may hold open).
 */
import type { Adb, ListedDevice } from '../adb/adb.ts';
import { ServiceRefusedError } from '../base/errors.ts';
import { yieldLong, yieldToLoop } from '../base/time.ts';
import type { Script } from './script.ts';
import { MAX_SCRIPT_BYTES } from './script.ts';
import { ShellV2Decoder } from './shell-v2.ts';
import { Transcript } from './transcript.ts';

/**
 * The shell services of adbd, the best first: `shell,v2` since Android 7.0; `exec` since 5.0; `shell` on all,
 * through a pty before 7.0. One that a phone does not know it refuses at once, which costs less than a request
 * for its features first (AOSP adb/services.c, adb/daemon/shell_service.cpp).
 */
const SHELL_SERVICES = ['shell,v2,raw', 'exec', 'shell'] as const;
export type ShellService = (typeof SHELL_SERVICES)[number];

/**
 * Talks over one service after the other, until the phone opens one.
 *
 * @param hasOpened it has: another service would not help, whatever is refused then
 * @throws {ServiceRefusedError} when it refuses each of them
 */
export async function overShell<T>(
  talk: (service: ShellService) => Promise<T>,
  services: readonly ShellService[] = SHELL_SERVICES,
  hasOpened = () => false,
): Promise<T> {
  let refused: unknown;
  for (const service of services) {
    try {
      return await talk(service);
    } catch (error) {
      if (!(error instanceof ServiceRefusedError) || hasOpened()) throw error;
      refused = error;
    }
  }
  throw refused;
}

/**
 * What one conversation may cost us, whatever the phone sends. A phone that goes beyond will not end by itself. What each
 * section's parser gets is bounded too (`Section.limitBytes`), and parsers take linear time.
 */
export const LIMITS = {
  /** A command that floods is killed on the phone long before. */
  bytes: 128 * 1024 * 1024,
  /** Processor time for cutting what it sends, ms: a flood of `bytes` needs a tenth of it, one of tiny packets or marks all. */
  workMs: 1_000,
};

/** After so much work without a pause the phone waits, and others have their turn, ms. */
const SLICE_MS = 2;
/** A phone that took more work than this floods: it gets on only as far as others leave time, ms. */
const ORDINARY_MS = 100;

/** Of this thread alone: what the history's thread does meanwhile is no phone's. Node before 23.9 knows the process only. */
const cpuUsage: () => NodeJS.CpuUsage = process.threadCpuUsage ?? process.cpuUsage;

/** Processor time, ms: on a busy host no phone floods because we had to wait. */
function cpuMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}

export interface Conversation {
  transcript: Transcript;
  /** The last mark has arrived. Otherwise phone, adbd or cable was disconnected, or the time was up. */
  complete: boolean;
  /** The phone sent too much, so that it was ended or came to no end in time. */
  flooded: boolean;
}

/**
 * @param signal ends the conversation; what has been answered by then is in the transcript
 * @throws {ServiceRefusedError} when the phone does not know the service, or does not speak it
 * @throws {AdbRefusedError} when the phone is unplugged or not authorized
 * @throws {AdbUnavailableError}
 */
export async function converse(
  adb: Adb,
  device: ListedDevice,
  service: ShellService,
  script: Script,
  signal: AbortSignal,
): Promise<Conversation> {
  if (Buffer.byteLength(script.text) > MAX_SCRIPT_BYTES)
    throw new RangeError('the script is too long to be sent');
  const output = await adb.open(device, `${service}:${script.text}`, signal);
  const transcript = new Transcript(script, service === 'shell');
  const decoder = service === 'shell,v2,raw' ? new ShellV2Decoder() : undefined;
  let bytes = 0;
  let workMs = 0;
  let sliceMs = 0;
  const isTooMuch = () => bytes > LIMITS.bytes || workMs > LIMITS.workMs;
  await output.read((piece) => {
    const startedAt = cpuMs();
    bytes += piece.length;
    transcript.push(decoder ? decoder.push(piece) : piece);
    const tookMs = cpuMs() - startedAt;
    workMs += tookMs;
    sliceMs += tookMs;
    if (transcript.finished || decoder?.ended || isTooMuch()) return true;
    if (sliceMs < SLICE_MS) return false;
    const turn = workMs > ORDINARY_MS ? yieldLong(sliceMs) : yieldToLoop();
    sliceMs = 0;
    return turn;
  }, signal);
  if (decoder?.isForeign) throw new ServiceRefusedError(`the phone does not speak ${service}`);
  if (bytes === 0 && !signal.aborted)
    throw new ServiceRefusedError(`the phone closed ${service} without an answer`);
  const complete = transcript.finished;
  const flooded = !complete && (isTooMuch() || (signal.aborted && workMs > ORDINARY_MS));
  return { transcript, complete, flooded };
}
