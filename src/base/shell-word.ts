/** A word as a shell takes it: in single quotes each character stands for itself. */
export const quoted = (text: string): string =>
  /^[\w.:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
