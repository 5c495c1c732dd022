/**
 * Catches signals that reach `hostnode run` before the daemon can handle them, so that none is lost or kills the
 * process. The first lines of the program (launch.ts) catch them, and the daemon takes over. These are two bundles, so
 * they share state through the `process` object. A signal in the first 20 ms, while Node itself starts, still kills the
 * process.
 */
import { isOnTerminal } from './environment.ts';

/** SIGHUP stops the process only on a terminal. */
type Stop = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

export interface SignalHandlers {
  /** Called once. */
  stop(signal: Stop): void;
  reload(): void;
}

interface Early {
  /** The first stop signal. */
  stop?: Stop;
  /** A person or a supervisor has sent a stop signal: a second one ends the process at once. */
  isStopSent: boolean;
  isReloadDue: boolean;
  handlers?: SignalHandlers;
}

const KEY = Symbol.for('hostnode.earlySignals');
const STOPS: readonly Stop[] = ['SIGTERM', 'SIGINT'];

/** A stop waits at most this long for a configuration that hangs, as on a network disk, ms. */
const LONGEST_MS = 5_000;

/** Starts to catch signals. A second call does nothing. */
export function catchSignals(): void {
  const shared: { [KEY]?: Early } = process as object;
  if (shared[KEY] === undefined) {
    shared[KEY] = { isStopSent: false, isReloadDue: false };
    for (const signal of STOPS) process.on(signal, () => stop(signal));
    process.on('SIGHUP', isOnTerminal() ? () => stop('SIGHUP') : reload);
  }
}

/** The configuration is about to be read, which also serves earlier reload signals. */
export function configurationIsRead(): void {
  early().isReloadDue = false;
}

/** Passes signals to the daemon from now on, starting with those that arrived earlier. */
export function handleSignals(handlers: SignalHandlers): void {
  catchSignals();
  const { stop: before, isReloadDue } = early();
  early().handlers = handlers;
  if (before !== undefined) handlers.stop(before);
  else if (isReloadDue) handlers.reload();
}

function stop(signal: Stop): void {
  const shared = early();
  // a closing terminal sends SIGHUP several times, and its session may send SIGTERM after it
  if (signal !== 'SIGHUP') {
    if (shared.isStopSent) process.exit(1);
    shared.isStopSent = true;
  }
  if (shared.stop !== undefined) return;
  shared.stop = signal;
  if (shared.handlers !== undefined) shared.handlers.stop(signal);
  // nothing has started yet, so there is nothing to stop cleanly
  else setTimeout(() => early().handlers ?? process.exit(0), LONGEST_MS).unref();
}

function reload(): void {
  const { handlers } = early();
  if (handlers !== undefined) handlers.reload();
  else early().isReloadDue = true;
}

const early = (): Early => (process as { [KEY]?: Early })[KEY] ?? { isStopSent: false, isReloadDue: false };
