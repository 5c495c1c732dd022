/** Environment variables: `process.env`, or a replacement in a test. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables with keys, with passwords in addresses, or with the paths of keys. */
const OURS = /^(?:HOSTNODE_.*|CREDENTIALS_DIRECTORY|(?:https?|all)_proxy)$/i;

/** The environment for programs that we start, without secrets: other processes of the user can read it. */
export const childEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !OURS.test(name)));

/** `localhost`, 127.0.0.0/8 and ::1, the latter also in brackets as in a URL (RFC 5735, RFC 4291). */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/;

/** Is this name or address our own machine? */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);
