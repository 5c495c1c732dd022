/**
 * Signals that reach `hostnode run` before there is a daemon to obey them: kept, not lost, and no end by the signal.
 * The first lines of the program catch them (launch.ts), the daemon takes them over. These are two bundles, so what
 * they share stands at the process. What comes before any line of ours runs, while Node itself starts, ends the process
 * by the signal: about 20 ms.
 */

type Stop = 'SIGTERM' | 'SIGINT';

/** What obeys them, once there is something. */
export interface SignalHandlers {
  stop(signal: Stop): void;
  reload(): void;
}

interface Early {
  /** The stop that came first, and is to be obeyed. */
  stop?: Stop;
  isReloadDue: boolean;
  handlers?: SignalHandlers;
}

const KEY = Symbol.for('hostnode.earlySignals');
const STOPS: readonly Stop[] = ['SIGTERM', 'SIGINT'];

/** A configuration that cannot be read, as on a network disk that hangs, does not keep a stop waiting longer, ms. */
const LONGEST_MS = 5_000;

/** Catches them from now on. Called a second time it does nothing. */
export function catchSignals(): void {
  const shared: { [KEY]?: Early } = process as object;
  if (shared[KEY] === undefined) {
    shared[KEY] = { isReloadDue: false };
    for (const signal of STOPS) process.on(signal, () => stop(signal));
    process.on('SIGHUP', reload);
  }
}

/** The configuration is about to be read: what asked for that before is done by it. */
export function configurationIsRead(): void {
  early().isReloadDue = false;
}

/** They are obeyed so from now on, those that have come first. */
export function handleSignals(handlers: SignalHandlers): void {
  catchSignals();
  const { stop: before, isReloadDue } = early();
  early().handlers = handlers;
  if (before !== undefined) handlers.stop(before);
  else if (isReloadDue) handlers.reload();
}

function stop(signal: Stop): void {
  const { handlers, stop: before } = early();
  if (handlers !== undefined) {
    handlers.stop(signal);
    return;
  }
  if (before !== undefined) process.exit(1); // a second one ends it at once
  early().stop = signal;
  // nothing has been begun: there is nothing to bring to an end
  setTimeout(() => early().handlers ?? process.exit(0), LONGEST_MS).unref();
}

function reload(): void {
  const { handlers } = early();
  if (handlers !== undefined) handlers.reload();
  else early().isReloadDue = true;
}

const early = (): Early => (process as { [KEY]?: Early })[KEY] ?? { isReloadDue: false };
