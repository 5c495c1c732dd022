/** V8 options that Node does not document: a test fails when Node rejects one. */

/**
 * V8 options that save memory, for a process that runs for months and is mostly idle: the young generation stays small,
 * the heap grows in small steps, and no optimizing compiler runs. A thread may collect its garbage itself. One so small is
 * collected by us alone: on a busy host we would wait longer for threads that help, up to 100 ms, than they save.
 */
export const SMALL = [
  '--semi-space-growth-factor=1',
  '--no-parallel-scavenge',
  '--heap-growing-percent=40',
  '--no-opt',
  '--no-maglev',
];
