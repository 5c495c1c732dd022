import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const shell = '/usr/bin/mksh';
const toybox = '/usr/bin/toybox';

/** Debian's mksh and toybox, Android's own shell and tools, are installed. */
export const hasPhoneShell = existsSync(shell) && existsSync(toybox);

/**
 * Runs a section's command as a phone would, with no other commands on its PATH than the given ones: a shell script by
 * its name, or `toybox` for the real tool of that name.
 *
 * @returns what it printed, stdout and stderr together
 */
export function askPhone(command: string, tools: Record<string, string>): string {
  const bin = mkdtempSync(join(tmpdir(), 'hostnode-phone-'));
  try {
    for (const [name, script] of Object.entries(tools)) {
      const path = join(bin, name);
      if (script === 'toybox') symlinkSync(toybox, path);
      else writeFileSync(path, `#!${shell}\n${script}\n`);
      if (script !== 'toybox') chmodSync(path, 0o755);
    }
    return execFileSync(shell, ['-c', '( eval "$1" ) </dev/null 2>&1; :', 'sh', command], {
      env: { PATH: bin },
      encoding: 'utf8',
      timeout: 10_000,
    });
  } finally {
    rmSync(bin, { recursive: true });
  }
}
