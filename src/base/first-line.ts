/** What must not wait until anything else is loaded: a signal would end the daemon before its time. */
import { catchSignals } from './early-signals.ts';

/** Signals that mean nothing to the daemon, and would end it. */
const STRAY = ['SIGUSR2', 'SIGALRM', 'SIGIO'] as const;

if (process.argv[2] === 'run') {
  catchSignals();
  for (const stray of STRAY) process.on(stray, () => {});
}
