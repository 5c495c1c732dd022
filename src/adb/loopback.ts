const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/;

/** Does this name or address mean the machine that we run on? */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);
