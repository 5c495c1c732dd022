/** `localhost`, 127.0.0.0/8 and ::1, the latter also in brackets as in a URL (RFC 5735, RFC 4291). */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/;

/** Is this name or address our own machine? */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);
