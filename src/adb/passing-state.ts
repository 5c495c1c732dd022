/** States that a phone passes through while its server, or the phone itself, comes up (AOSP adb/adb.h, ConnectionState). */
const PASSING = new Set(['connecting', 'authorizing', 'offline']);

/** May this word turn into another one by itself, within seconds? */
export const isPassing = (state: string): boolean => PASSING.has(state);
