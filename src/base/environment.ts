/** What surrounds this process: its variables, its terminal, its machine. */
import { userInfo } from 'node:os';
import { isatty } from 'node:tty';
import { attempt } from './errors.ts';

/** Environment variables: `process.env`, or a replacement in a test. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables with keys, with passwords in addresses, or with the paths of keys. */
const OURS = /^(?:HOSTNODE_.*|CREDENTIALS_DIRECTORY|(?:https?|all)_proxy)$/i;

/** The environment for programs that we start, without secrets: other processes of the user can read it. */
export const childEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !OURS.test(name)));

/** `localhost`, 127.0.0.0/8 and ::1, the latter also in brackets as in a URL (RFC 5735, RFC 4291). */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/;

export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

const EXCLUDE_ENV = '--report-exclude-env';

/**
 * A thread without our environment: that may contain the API key. Node's report of a crash would print the environment
 * of the process for each thread, unless the thread itself has this flag.
 */
export const withoutEnvironment = () => ({
  env: {},
  // other runtimes, on which the sandbox may run as a library, refuse a flag that they do not know
  execArgv: process.allowedNodeEnvironmentFlags?.has(EXCLUDE_ENV) ? [EXCLUDE_ENV] : [],
});

/**
 * True if a person started this process in a terminal: then SIGHUP says that the terminal was closed. Call it at the
 * start, because a closed terminal no longer counts as one.
 *
 * False under nohup, which redirects all three streams. False for what init itself started, also with a terminal of its
 * own (a container with -t, a service with TTYPath): there a person sends SIGHUP for a reload.
 */
export const isOnTerminal = (): boolean => !isByInit() && [0, 1, 2].some((fd) => isatty(fd));

/** The user of this process; undefined where the system has no name for it, as in a container. */
export const userName = (): string | undefined => attempt(() => userInfo().username);

/** True if init started this process: a service, or the main process of a container. Call it at the start. */
export const isByInit = (): boolean => process.ppid <= 1;

/** The machine that hostnode runs on, as far as a remedy depends on it: a command must exist where we name it. */
export interface HostKind {
  /** systemd runs this machine. */
  readonly hasSystemd: boolean;
  /** hostnode's units that are installed here: `hostnode`, `hostnode-adb`. Empty without systemd. */
  readonly units: readonly string[];
  readonly inContainer: boolean;
  /** `hostnode-adb` is installed, and no adb program where it looks for one. */
  readonly lacksAdb?: boolean | undefined;
}

/** A machine about which nothing is known: its remedies are right everywhere. */
export const anyHost: HostKind = { hasSystemd: false, units: [], inContainer: false };
