/** adb's words for a phone that it lists and cannot reach (AOSP adb/adb.h, ConnectionState). */
const LOST: ReadonlySet<string> = new Set(['offline', 'unknown', 'no device']);

/** Is an attached phone lost in this state? One that is detached is lost too. */
export const isLostState = (state: string): boolean => LOST.has(state);
