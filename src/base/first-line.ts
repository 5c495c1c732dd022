/** Runs before anything else loads: a signal could otherwise kill the daemon. */
import { catchSignals } from './early-signals.ts';

/** Signals that the daemon does not use, and that would kill it. */
const STRAY = ['SIGUSR2', 'SIGALRM', 'SIGIO'] as const;

if (process.argv[2] === 'run') {
  catchSignals();
  for (const stray of STRAY) process.on(stray, () => {});
}
