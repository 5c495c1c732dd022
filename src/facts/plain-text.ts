/** The text without the CR of a pty, NULs and a byte order mark. */
export const plainText = (text: string): string => text.replace(/[\0\r\uFEFF]+/g, '');
