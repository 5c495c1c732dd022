/** What a person reads where adb lists nothing. */
export const NO_PHONES = 'No phones: adb lists none. Is one plugged in, with USB debugging switched on?';
