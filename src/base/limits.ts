/** What the system grants this process: open files, and threads. Node raises both to the hard limit when it starts. */
import { readFileSync } from 'node:fs';
import { attempt } from './errors.ts';

/** Files that an agent without a phone has open, with those that it opens for a moment. */
const OWN_FILES = 40;
/** With fewer the agent cannot work at all. */
const LEAST_FILES = 48;
/** Node's own threads, those for files and names, and the history's. */
const LEAST_THREADS = 16;

/** Source: proc(5), `/proc/pid/limits`: name, soft limit, hard limit, unit. Infinite where that says nothing else. */
export function limitOf(name: 'open files' | 'processes', file = '/proc/self/limits'): number {
  const text = attempt(() => readFileSync(file, 'latin1')) ?? '';
  const digits = new RegExp(`^Max ${name} +(\\d+) `, 'm').exec(text)?.[1];
  return digits === undefined ? Number.POSITIVE_INFINITY : Number(digits);
}

/** How many connections one part of the agent may have open: this share of the files that it does not need itself. */
export const connectionsFor = (share: number, files = limitOf('open files')): number =>
  Math.max(1, Math.floor((files - OWN_FILES) * share));

/**
 * Why an agent cannot work here, with the remedy; undefined if it can. Without threads libuv ends the process with
 * SIGABRT, at the first file that it reads.
 */
export function lackOf(file?: string, isRoot = process.getuid?.() === 0): string | undefined {
  const files = limitOf('open files', file);
  if (files < LEAST_FILES)
    return `this process may open ${files} files, and the agent needs ${LEAST_FILES} and two for each phone: raise LimitNOFILE= of its unit, or ulimit -n`;
  const threads = limitOf('processes', file);
  if (threads < LEAST_THREADS && !isRoot)
    return `this user may have ${threads} threads, and the agent needs ${LEAST_THREADS}: raise LimitNPROC= of its unit, or ulimit -u`;
  return undefined;
}
