import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeWhere, without, withoutPidNamespace } from '../support/machine-needs.ts';
import { Daemon, type Environment } from '../support/program.ts';
import { phoneOf, poco, startAdb, temporaryFolder, toAdb } from '../support/program-lab.ts';
import { freePort } from '../support/raw-server.ts';
import { isRunning, Terminal } from '../support/terminal.ts';

/** A host whose page has a port of its own, and whose log is JSON on a terminal too. */
async function host(): Promise<{ env: Environment; stateDir: string }> {
  const [adb, stateDir] = [await startAdb(phoneOf(poco)), await temporaryFolder()];
  const HOSTNODE_STATUS_PORT = String(await freePort());
  return {
    env: { ...toAdb(adb.port, stateDir), HOSTNODE_STATUS_PORT, HOSTNODE_LOG_FORMAT: 'json' },
    stateDir,
  };
}

/** The processes of a terminal that is closed now, each ends. */
async function closed(terminal: Terminal): Promise<void> {
  const { pids } = terminal;
  expect(pids.filter(isRunning)).not.toEqual([]);
  terminal.close();
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
}

const leftIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.startsWith('agent.lock') || name.endsWith('.sock'));

describeWhere('a terminal that is closed', { missing: without(['script', 'nohup']) }, () => {
  it('ends hostnode run: the next one gets port and state directory', async () => {
    const { env, stateDir } = await host();
    const terminal = new Terminal('hostnode run', env);
    await terminal.shows('"msg":"round"');
    await closed(terminal);
    expect(await leftIn(stateDir)).toEqual([]);
    const next = new Daemon(env);
    expect(await next.says('status page')).toMatchObject({
      url: `http://127.0.0.1:${env.HOSTNODE_STATUS_PORT}/`,
    });
    expect(await next.end()).toEqual({ code: 0 });
  });

  it('ends it cleanly however often it hangs up, and with the SIGTERM of the session after it', async () => {
    const { env, stateDir } = await host();
    const terminal = new Terminal('hostnode run & wait $!; echo "code $?"', env);
    await terminal.shows('"msg":"round"');
    const pid = terminal.pids.at(-1) ?? 0;
    for (const signal of ['SIGHUP', 'SIGHUP', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
    await terminal.shows('"msg":"stopped"');
    await terminal.shows('code 0');
    expect(terminal.shown.match(/"msg":"stopping"/g)).toHaveLength(1);
    expect(terminal.shown).not.toContain('reading the configuration again');
    expect(await leftIn(stateDir)).toEqual([]);
  });

  it('leaves it running under nohup, and has it reload', async () => {
    const { env } = await host();
    const folder = await temporaryFolder();
    const terminal = new Terminal(`cd '${folder}'; export -f hostnode; nohup bash -c 'hostnode run'`, env);
    const log = () => readFile(join(folder, 'nohup.out'), 'utf8').catch(() => '');
    await expect.poll(log).toContain('"msg":"round"');
    const pid = terminal.pids.at(-1) ?? 0;
    onTestFinished(() => void (isRunning(pid) && process.kill(pid, 'SIGKILL')));
    terminal.close();
    process.kill(pid, 'SIGHUP'); // not each shell passes it on
    await expect.poll(log).toContain('reading the configuration again');
    expect(isRunning(pid)).toBe(true);
    process.kill(pid, 'SIGTERM');
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('ends the demo, which leaves nothing behind', async () => {
    const folder = await temporaryFolder();
    const terminal = new Terminal('hostnode demo', { TMPDIR: folder });
    await terminal.shows('cloud: PUT');
    expect(await readdir(folder)).not.toEqual([]);
    await closed(terminal);
    expect(await readdir(folder)).toEqual([]);
  });

  it('ends status --watch', async () => {
    const { env } = await host();
    await new Daemon(env).says('round');
    const terminal = new Terminal('hostnode status --watch', env);
    await terminal.shows('1 phone fine');
    await closed(terminal);
  });
});

describeWhere(
  'a terminal of a container',
  { missing: without(['script', 'unshare']), forbidden: withoutPidNamespace },
  () => {
    it('is no terminal that a person closes: SIGHUP has the agent reload', async () => {
      const { env } = await host();
      const terminal = new Terminal(
        "export -f hostnode; unshare --pid --fork bash -c 'hostnode run; exit'",
        env,
      );
      await terminal.shows('"msg":"round"');
      const pid = terminal.pids.at(-1) ?? 0;
      process.kill(pid, 'SIGHUP');
      await terminal.shows('reading the configuration again');
      process.kill(pid, 'SIGTERM');
      await terminal.shows('"msg":"stopped"');
    });
  },
);

describeWhere('hostnode status --watch on a terminal', { missing: without(['script']) }, () => {
  it.each([
    ['q', 'q'],
    ['Ctrl-C', '\x03'],
  ])('names the page, says how to leave, and ends at %s', async (_, key) => {
    const { env } = await host();
    await new Daemon(env).says('round');
    const terminal = new Terminal('hostnode status --watch; echo "code $?"; stty -a', env);
    await terminal.shows(`page: http://127.0.0.1:${env.HOSTNODE_STATUS_PORT}/ · q or Ctrl-C ends`);
    terminal.type(key);
    await terminal.shows('code 0');
    await terminal.shows(' icanon'); // the terminal is as it was
    expect(await terminal.ended).toBe(0);
  });
});
