/** The variables of a process: `process.env`, or what stands in its place. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Keys, passwords in addresses, and where they lie: other programs have no business with them. */
const OURS = /^(?:HOSTNODE_.*|CREDENTIALS_DIRECTORY|(?:https?|all)_proxy)$/i;

/** What a program that we start gets of our environment: one that lives on can be asked for it by others of its user. */
export const childEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !OURS.test(name)));

/** `localhost`, 127.0.0.0/8 and ::1, the latter also in brackets as in a URL (RFC 5735, RFC 4291). */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/;

/** Does this name or address mean the machine that we run on? */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);
