import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writeFileWhole } from '../../src/host/json-file.ts';
import { openStateDirectory } from '../../src/host/state-dir.ts';
import { Daemon, type Environment } from '../support/program.ts';
import { phoneOf, poco, startAdb, temporaryFolder, toAdb } from '../support/program-lab.ts';

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

/** All that the agent has written, with its permissions. */
async function modesIn(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await modeOf(join(folder, name))])),
  );
}

/** An agent after its first round, started by somebody whose files anybody may write. */
async function careless(stateDir: string, env: Environment = {}): Promise<Daemon> {
  const before = process.umask(0);
  onTestFinished(() => {
    process.umask(before);
  });
  const adb = await startAdb(phoneOf(poco));
  const daemon = new Daemon({ ...toAdb(adb.port, stateDir), ...env });
  process.umask(before);
  await daemon.says('round');
  return daemon;
}

describe('what the agent keeps', () => {
  it('is its owner’s alone, whatever the umask', async () => {
    const stateDir = join(await temporaryFolder(), 'state');
    const daemon = await careless(stateDir);
    expect(await modeOf(stateDir)).toBe('700');
    const { 'hostnode.sock': socket, ...files } = await modesIn(stateDir);
    expect(socket).toBe('660'); // for the group too; the directory is closed
    expect(Object.keys(files)).toContain('roster.json');
    expect(Object.entries(files).filter(([, mode]) => !['600', '700'].includes(mode))).toEqual([]);
    await daemon.end();
    expect(Object.values(await modesIn(stateDir)).every((mode) => mode === '600')).toBe(true);
    expect(daemon.logged('the state directory is open to others')).toEqual([]);
  });

  it('lies in a directory that was there and is open: that is said with the mend, and the files are closed', async () => {
    const stateDir = join(await temporaryFolder(), 'state');
    await mkdir(stateDir);
    await chmod(stateDir, 0o755);
    const daemon = await careless(stateDir);
    expect(daemon.logged('the state directory is open to others')).toEqual([
      expect.objectContaining({ level: 'warn', mode: '755', remedy: `chmod 700 ${stateDir}` }),
    ]);
    expect(await modeOf(join(stateDir, 'roster.json'))).toBe('600');
    expect(await openStateDirectory(stateDir)).toBe(0o755);
  });

  it('is closed already while it is being written', async () => {
    const folder = await temporaryFolder();
    const before = process.umask(0);
    const writing = writeFileWhole(join(folder, 'roster.json'), 'x'.repeat(64 * 1024 ** 2));
    let names: string[] = [];
    while (names.length === 0) {
      names = await readdir(folder);
      await turn();
    }
    process.umask(before);
    expect(names).toEqual([expect.stringMatching(/^\.roster\.json\..*\.tmp$/)]);
    expect(await modeOf(join(folder, names[0] ?? ''))).toBe('600');
    await writing;
    expect(await modesIn(folder)).toEqual({ 'roster.json': '600' });
  });
});

describe.skipIf(process.getuid?.() !== 0)('another user of the host', () => {
  it('may not command the agent, even where the state directory is open', async () => {
    const stateDir = join(await temporaryFolder(), 'state');
    await mkdir(stateDir);
    await chmod(stateDir, 0o755);
    await chmod(join(stateDir, '..'), 0o755);
    await careless(stateDir);
    const code = `require('net').connect(${JSON.stringify(join(stateDir, 'hostnode.sock'))})
      .once('error', ({ code }) => console.log(code)).once('connect', () => process.exit(console.log('open')))`;
    const asNobody = { uid: 65_534, gid: 65_534, encoding: 'utf8', cwd: '/' } as const;
    expect(execFileSync(process.execPath, ['-e', code], asNobody)).toBe('EACCES\n');
    expect(execFileSync(process.execPath, ['-e', code], { encoding: 'utf8' })).toBe('open\n');
  });
});
