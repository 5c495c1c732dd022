/** Runs a program to its end and says what that took: time, processor time and memory of all its processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

export interface Taken {
  wallMs: number;
  /** User and system time of the program and of all that it started, ms. */
  cpuMs: number;
  /** The most that its processes held at a time, each at its own peak, bytes; looked at every few ms. */
  peakBytes: number;
}

export interface Run {
  command: string[];
  env: Record<string, string>;
  /** It is ended after so long, ms. */
  limitMs: number;
  /** Its exit code does not matter. */
  mayFail?: boolean;
  /** The exit code of success; default: 0. */
  right?: number;
}

const LOOK_EVERY_MS = 10;

/** @returns what it took, or nothing when it did not come to its end in time. @throws when it fails */
export async function measure({
  command,
  env,
  limitMs,
  mayFail = false,
  right = 0,
}: Run): Promise<Taken | undefined> {
  // bash's own `time` adds up the whole family, to the ms
  const timed = 'TIMEFORMAT=\'%R %U %S\'; { time "$@" >/dev/null 2>&3; } 2>&4; exit $?';
  const child = spawn('bash', ['-c', timed, 'bash', ...command], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
    detached: true,
  });
  const said = [textOf(child, 3), textOf(child, 4)] as const;
  let isOver = false;
  const limit = setTimeout(() => {
    isOver = true;
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  }, limitMs);
  let peakBytes = 0;
  const look = setInterval(() => {
    peakBytes = Math.max(peakBytes, ...childrenOf(child.pid ?? 0).map(heldBy));
  }, LOOK_EVERY_MS);
  const [code] = await once(child, 'close');
  clearTimeout(limit);
  clearInterval(look);
  if (isOver) return undefined;
  const [errors, times] = await Promise.all(said);
  if (code !== right && !mayFail) throw new Error(`${command.join(' ')} ended with ${code}: ${errors}`);
  const [wall = 0, user = 0, system = 0] = times.trim().split(' ').map(Number);
  return { wallMs: wall * 1000, cpuMs: (user + system) * 1000, peakBytes };
}

/** The median of several runs, each figure for itself. */
export async function measureOften(run: Run, times: number): Promise<Taken | undefined> {
  const taken: Taken[] = [];
  for (let time = 0; time < times; time++) {
    const one = await measure(run);
    if (one === undefined) return undefined;
    taken.push(one);
  }
  const middle = (read: (one: Taken) => number) => median(taken.map(read));
  return {
    wallMs: middle(({ wallMs }) => wallMs),
    cpuMs: middle(({ cpuMs }) => cpuMs),
    peakBytes: middle(({ peakBytes }) => peakBytes),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Memory and processor time of a process as they stand. */
export function weightOf(pid: number): { residentBytes: number; cpuMs: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // proc(5): after the name in parentheses, fields 14 and 15 are user and system time in ticks of 10 ms
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { residentBytes: statusOf(pid, 'VmRSS'), cpuMs: (Number(fields[11]) + Number(fields[12])) * 10 };
}

async function textOf(child: ChildProcess, fd: number): Promise<string> {
  let text = '';
  for await (const chunk of child.stdio[fd] as AsyncIterable<Buffer>) text += chunk;
  return text;
}

/** Bytes, from a line of /proc/PID/status in kB. */
function statusOf(pid: number, key: string): number {
  const line = new RegExp(`^${key}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  return Number(line?.[1] ?? 0) * 1024;
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
  } catch {
    return []; // it has ended
  }
}

/** A process at its peak, and those that it has started. */
function heldBy(pid: number): number {
  try {
    return childrenOf(pid).reduce((sum, child) => sum + heldBy(child), statusOf(pid, 'VmHWM'));
  } catch {
    return 0;
  }
}
