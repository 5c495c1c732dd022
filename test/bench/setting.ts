/** What all measurements share: the built program, a folder to work in, the simulated world, how much is to be done. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathOf } from '../support/programs.ts';
import { World } from './world.ts';

export interface Setting extends AsyncDisposable {
  /** The command line of the built program. */
  hostnode: string[];
  world: World;
  /** What every process gets: no more of this machine than PATH. */
  env: Record<string, string>;
  /** A folder for the state of one agent. */
  stateDir(): string;
  /** Fewer and shorter measurements. */
  isQuick: boolean;
  say(line: string): void;
}

/** What the unit gives the agent. */
export function serviceEnv(): Record<string, string> {
  const unit = readFileSync(new URL('../../systemd/hostnode.service', import.meta.url), 'utf8');
  const [, line = ''] = /^Environment=(.*)$/m.exec(unit) ?? [];
  return Object.fromEntries(line.split(' ').map((setting) => setting.split('=', 2)));
}

/** @param program the folder of a built program; without, it is built */
export async function openSetting(
  { isQuick, program }: { isQuick: boolean; program?: string | undefined },
  say: (line: string) => void,
): Promise<Setting> {
  const folder = mkdtempSync(join(tmpdir(), 'hostnode-bench-'));
  if (program === undefined) {
    const build = fileURLToPath(new URL('../../packaging/bundle.ts', import.meta.url));
    execFileSync(process.execPath, [build, join(folder, 'program')]);
  }
  // appium-adb looks for adb where an Android SDK has it
  const tools = join(folder, 'sdk', 'platform-tools');
  mkdirSync(tools, { recursive: true });
  const adb = pathOf('adb');
  if (adb !== undefined) symlinkSync(adb, join(tools, 'adb'));
  const world = await World.start();
  return {
    hostnode: [process.execPath, join(program ?? join(folder, 'program'), 'hostnode.cjs')],
    world,
    env: { HOME: folder, ANDROID_HOME: join(folder, 'sdk') },
    stateDir: () => mkdtempSync(join(folder, 'state-')),
    isQuick,
    say,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
