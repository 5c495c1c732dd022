/** Flags of V8's own, which Node does not document: a test fails where Node does not know one any more. */

/** Nothing is compiled a second time to run faster. */
export const COMPILE_ONCE = ['--no-opt', '--no-maglev'];

/**
 * What makes V8 small, for a process that stays for months and works for moments: the part of the heap for new
 * objects stays at its first size too.
 */
export const SMALL = ['--semi-space-growth-factor=1', ...COMPILE_ONCE];
