/** Prometheus' own judge of rules, queries and scrapes. */
import { execFile } from 'node:child_process';
import { describeWhere, without } from './machine-needs.ts';

export interface Judgement {
  /** 0: no complaint. */
  code: number;
  output: string;
}

export function promtool(args: readonly string[], input = ''): Promise<Judgement> {
  return new Promise((resolve) => {
    const child = execFile('promtool', args, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` });
    });
    child.stdin?.end(input);
  });
}

/** A group of tests that need promtool, of Debian's package prometheus. */
export const describeWithPromtool = (title: string, tests: () => void): void =>
  describeWhere(title, { missing: without(['promtool']) }, tests);
