/** `1 phone`, `6 phones`. */
export const quantity = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
