import { isatty } from 'node:tty';

/**
 * True if a person started this process in a terminal: then SIGHUP says that the terminal was closed. Call it at the
 * start, because a closed terminal no longer counts as one.
 *
 * False under nohup, which redirects all three streams. False for what init itself started, also with a terminal of its
 * own (a container with -t, a service with TTYPath): there a person sends SIGHUP for a reload.
 */
export const isOnTerminal = (): boolean => !isByInit() && [0, 1, 2].some((fd) => isatty(fd));

/** True if init started this process: a service, or the main process of a container. Call it at the start. */
export const isByInit = (): boolean => process.ppid <= 1;
