/** States of a phone while it or the adb server starts (AOSP adb/adb.h, ConnectionState). */
const PASSING = new Set(['connecting', 'authorizing', 'offline']);

/** May this state change by itself within seconds? */
export const isPassing = (state: string): boolean => PASSING.has(state);
