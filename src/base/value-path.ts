/** Names a place in a value, for a person: `devices.1.match` is the match of the first device. Lists count from 1. */
export const pathText = (path: readonly PropertyKey[]): string =>
  path.map((part) => String(typeof part === 'number' ? part + 1 : part)).join('.');
