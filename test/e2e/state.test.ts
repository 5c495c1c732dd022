import {
  chown,
  lchown,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { Daemon, type Environment, hostnode } from '../support/program.ts';
import {
  everySecond,
  phoneOf,
  poco,
  report,
  smartron,
  startHost,
  temporaryFolder,
} from '../support/program-lab.ts';
import { makeUnreadable } from '../support/unreadable.ts';

let adb: SimulatedAdbServer;
let cloud: Sandbox;
let stateDir: string;
let env: Environment;

beforeEach(async () => {
  ({ adb, cloud, stateDir, env } = await startHost(phoneOf(poco), phoneOf(smartron)));
  stateDir = join(stateDir, 'state');
  env.HOSTNODE_STATE_DIR = stateDir;
});

/** What names this host; a mark has a salt of its own. */
const names = async () => {
  const read = (name: string) => readFile(join(stateDir, name), 'utf8').catch(() => undefined);
  const mark = await read('host-mark.json');
  return [await read('node-id'), mark && JSON.parse(mark).nodeId];
};

const statusOf = ({ devices = [] }: { devices?: { udid: string; status: string }[] }) =>
  Object.fromEntries(devices.map(({ udid, status }) => [udid, status]));

describe('the state directory', () => {
  it('is its owner’s alone, and so are its files', async () => {
    const daemon = new Daemon(env);
    await daemon.says('round');
    await daemon.end();
    expect((await stat(stateDir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(stateDir, 'roster.json'))).mode & 0o777).toBe(0o600);
  });

  it('is one agent’s: a second one says who has it, and ends', async () => {
    const daemon = new Daemon(env);
    await daemon.says('hostnode starts');
    const { code, stderr } = await hostnode(['run'], env);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `hostnode: another agent (process ${daemon.child.pid}) is using ${stateDir}; give this one another state.dir (HOSTNODE_STATE_DIR)\n`,
    });
    expect(await daemon.end()).toMatchObject({ code: 0 });
  });

  it('keeps the phones over a SIGKILL: one that was pulled meanwhile is reported as unplugged', async () => {
    const killed = new Daemon(env);
    await killed.says('round');
    expect(await killed.end('SIGKILL')).toMatchObject({ code: null });
    adb.unplug(poco);

    const daemon = new Daemon(env);
    expect(statusOf(await report(cloud))).toEqual({ [poco]: 'UNPLUGGED', [smartron]: 'PLUGGED' });
    expect(await daemon.end()).toMatchObject({ code: 0 });
    expect(daemon.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('that is removed while it runs is made anew, and held again', async () => {
    const daemon = new Daemon({ ...env, HOSTNODE_REPORT_SCHEDULE: everySecond });
    await daemon.says('round');
    const kept = await names();
    await rm(stateDir, { recursive: true, maxRetries: 10 }); // it may write there meanwhile
    await daemon.says('the state directory is held again');
    expect((await stat(stateDir)).mode & 0o777).toBe(0o700);
    await daemon.says('round');
    await daemon.says('round');
    expect(await hostnode(['status', '--check'], env)).toMatchObject({ code: 0 });
    expect(await hostnode(['run'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`another agent (process ${daemon.child.pid}) is using ${stateDir}`),
    });
    expect(await readFile(join(stateDir, 'roster.json'), 'utf8')).toContain(poco);
    expect(await names()).toEqual(kept);
    expect(await daemon.end()).toMatchObject({ code: 0 });
    // the history may have had to write while there was none, and a busy disk takes its time
    const errors = daemon.log.filter(
      (line) => line.level === 'error' && !/history\.sqlite|has not answered/.test(JSON.stringify(line)),
    );
    expect(errors).toEqual([]);
  });

  it('that another agent has taken meanwhile ends the one that has lost it', async () => {
    const daemon = new Daemon(env);
    await daemon.says('round');
    await hostnode(['status', '--check'], env); // it looks after its state when the round has ended
    await rm(stateDir, { recursive: true });
    const other = new Daemon(env);
    await other.says('round');
    daemon.signal('SIGHUP');
    expect(await daemon.ended).toBe(1);
    expect(daemon.stderr).toContain(`another agent (process ${other.child.pid}) is using ${stateDir}`);
    expect(await hostnode(['status', '--check'], env)).toMatchObject({ code: 0 });
    expect(await other.end()).toMatchObject({ code: 0 });
  });

  it('that could not be used is held once it can be', async () => {
    await writeFile(stateDir, '');
    const daemon = new Daemon({ ...env, HOSTNODE_REPORT_SCHEDULE: everySecond });
    await daemon.says('round');
    expect(await hostnode(['status', '--check'], env)).toMatchObject({ code: 1 });
    await rm(stateDir);
    await daemon.says('the state directory is held again');
    await daemon.says('round');
    expect(await hostnode(['status', '--check'], env)).toMatchObject({ code: 0 });
    expect(await hostnode(['run'], env)).toMatchObject({ code: 1 });
    expect(await daemon.end()).toMatchObject({ code: 0 });
    const errors = daemon.log.filter(({ level }) => level === 'error').map(({ msg }) => msg);
    expect(errors).toEqual([...new Set(errors)]); // each once
  });

  it('holds the phones after the end although somebody has removed what was in it', async () => {
    for (const removed of [
      () => rm(join(stateDir, 'roster.json')),
      () => rm(stateDir, { recursive: true }),
    ]) {
      const daemon = new Daemon(env);
      await daemon.says('round');
      await removed();
      expect(await daemon.end()).toMatchObject({ code: 0 });
      expect(await readFile(join(stateDir, 'roster.json'), 'utf8')).toContain(poco);
    }
  });

  it('that is damaged is set aside with a message, and the agent runs', async () => {
    const before = new Daemon(env);
    await before.says('round');
    await before.end();
    await writeFile(join(stateDir, 'roster.json'), '{"version":1,"devices":[{"ud');

    const daemon = new Daemon(env);
    expect(statusOf(await report(cloud))).toEqual({ [poco]: 'PLUGGED', [smartron]: 'PLUGGED' });
    await daemon.says('round');
    const [trouble, ...more] = daemon.log.filter(({ level }) => level === 'error');
    expect(trouble?.msg).toMatch(/roster\.json is damaged \(not JSON\); it was set aside as /);
    expect(more).toEqual([]);
    expect(await daemon.end()).toMatchObject({ code: 0 });
    expect((await readdir(stateDir)).filter((name) => name.startsWith('roster.json')).sort()).toEqual([
      'roster.json',
      expect.stringMatching(/^roster\.json\.damaged-/),
    ]);
  });

  it('that cannot be made is said, and is no reason not to run', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    const daemon = new Daemon({ ...env, HOSTNODE_STATE_DIR: join(file, 'state') });
    expect(
      await daemon.says('the state directory cannot be used: a restart will forget the unplugged phones'),
    ).toMatchObject({ level: 'error', err: { code: 'STATE_UNWRITABLE' } });
    expect(statusOf(await report(cloud))).toEqual({ [poco]: 'PLUGGED', [smartron]: 'PLUGGED' });
    await daemon.says('round');
    expect(await daemon.end()).toMatchObject({ code: 0 });
  });

  it('is neither needed nor touched by hostnode inventory while an agent has it', async () => {
    const daemon = new Daemon(env);
    await daemon.says('round');
    await expect.poll(() => readdir(stateDir)).toContain('history.sqlite-wal'); // judged after the round
    const before = await readdir(stateDir);
    expect(await hostnode(['inventory'], env)).toMatchObject({ code: 0, stderr: '' });
    expect(await readdir(stateDir)).toEqual(before);
  });
});

describe('a state file that cannot be read at the start', () => {
  /** What an earlier run has kept: both phones, and a maintenance of one. */
  async function keep(): Promise<void> {
    const before = new Daemon(env);
    await before.says('round');
    expect((await hostnode(['maintenance', poco, '--until', '2h', '--reason', 'screen'], env)).code).toBe(0);
    expect((await hostnode(['status'], env)).code).toBe(0); // has it look at them
    expect(await before.end()).toMatchObject({ code: 0 });
  }

  const names = ['roster.json', 'maintenance.json', 'host-mark.json'];
  const texts = () =>
    Promise.all(names.map((name) => readFile(join(stateDir, `${name}.kept`), 'utf8').catch(() => '')));

  it('is said once, not written over, and joins what is known once it can be read', async () => {
    await keep();
    adb.unplug(poco);
    const mends = await Promise.all(names.map((name) => makeUnreadable(join(stateDir, name))));
    const kept = await texts();
    expect([kept[0]?.includes(poco), kept[1]?.includes(poco)]).toEqual([true, true]);
    const daemon = new Daemon({ ...env, HOSTNODE_REPORT_SCHEDULE: everySecond });
    await daemon.says('round');
    await daemon.says('round');
    expect(statusOf(await report(cloud))).toEqual({ [smartron]: 'PLUGGED' });
    for (const name of names) expect(await readlink(join(stateDir, name))).toBe('/proc/self/mem');
    expect(await texts()).toEqual(kept);
    daemon.signal('SIGHUP'); // a reload forgets nothing of it
    await daemon.says('hostnode starts');
    await daemon.says('round');
    expect(await readlink(join(stateDir, 'roster.json'))).toBe('/proc/self/mem');

    for (const mend of mends) await mend();
    expect(statusOf(await report(cloud, ({ devices = [] }) => devices.length === 2))).toEqual({
      [poco]: 'UNPLUGGED',
      [smartron]: 'PLUGGED',
    });
    await daemon.says('round');
    expect((await hostnode(['maintenance'], env)).stdout).toContain('screen');
    expect(await daemon.end()).toMatchObject({ code: 0 });
    const errors = daemon.log.filter(({ level }) => level === 'error').map(({ msg }) => msg);
    expect([...new Set(errors)].toSorted()).toEqual(
      names.toSorted().map((name) => expect.stringContaining(`/${name} cannot be read (EIO`)),
    );
    expect(
      daemon
        .logged('a state file can be read again')
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(
      names
        .slice(0, 2)
        .map((name) => join(stateDir, name))
        .toSorted(),
    );
    expect(await readFile(join(stateDir, 'roster.json'), 'utf8')).toContain(poco);
  });

  it('is the host’s name: it does not start, says why, and a supervisor is to try again', async () => {
    const { HOSTNODE_NODE_ID: _, ...nameless } = env;
    await mkdir(stateDir, { mode: 0o700 });
    const kept = '11111111-2222-4333-8444-555555555555';
    await writeFile(join(stateDir, 'node-id'), `${kept}\n`);
    const mend = await makeUnreadable(join(stateDir, 'node-id'));
    const { code, stderr } = await hostnode(['run'], nameless);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^hostnode: cannot read \S+node-id: EIO: i\/o error, read; without it .*HOSTNODE_NODE_ID/,
    );
    expect((await hostnode(['inventory', '--report'], nameless)).stderr).toContain(
      'this host’s name is not known',
    );
    expect(cloud.requests).toEqual([]);
    await mend();
    const daemon = new Daemon({ ...nameless, HOSTNODE_REPORT_SCHEDULE: everySecond });
    expect(await report(cloud)).toMatchObject({ nodeId: kept });

    await makeUnreadable(join(stateDir, 'node-id'));
    daemon.signal('SIGHUP');
    await daemon.says('the node id cannot be read: the one in force stays');
    expect(await report(cloud)).toMatchObject({ nodeId: kept });
    expect(await daemon.end()).toMatchObject({ code: 0 });
  });
});

it('a configuration that the disk does not give out is tried again by a supervisor: that may pass', async () => {
  const folder = await temporaryFolder();
  const [file, key] = [join(folder, 'hostnode.yaml'), join(folder, 'key')];
  await writeFile(file, `cloud: { apiKeyFile: "${key}" }\n`);
  await writeFile(key, 'k', { mode: 0o600 });
  const { HOSTNODE_CLOUD_API_KEY: _, ...keyless } = env;
  for (const [path, said] of [
    [key, 'key'],
    [file, 'hostnode.yaml'],
  ] as const) {
    const mend = await makeUnreadable(path);
    const { code, stderr } = await hostnode(['run', '--config', file], keyless);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`${said}: cannot be read (EIO`),
    });
    expect((await hostnode(['doctor', '--config', file], keyless)).stdout).toContain('cannot be read (EIO');
    await mend();
  }
});

describe.skipIf(process.getuid?.() !== 0)('root, and the state directory of another user', () => {
  const NOBODY = 65_534;
  beforeEach(async () => {
    await mkdir(stateDir, { mode: 0o700 });
    await chown(stateDir, NOBODY, NOBODY);
  });

  it('does not start in it, says whose it is and what to do, and writes nothing', async () => {
    const { code, stderr } = await hostnode(['run'], env);
    expect(code).toBe(78);
    expect(stderr).toContain(
      `${stateDir} belongs to user ${NOBODY}, and this agent runs as root; run it as that user`,
    );
    expect(stderr).toContain('HOSTNODE_STATE_ALLOW_OTHER_OWNER');
    expect(await readdir(stateDir)).toEqual([]);
  });

  it('starts in it where that is allowed, and leaves nothing that its owner cannot use', async () => {
    const daemon = new Daemon({ ...env, HOSTNODE_STATE_ALLOW_OTHER_OWNER: 'true' });
    await daemon.says('round');
    const files = (await readdir(stateDir)).filter((name) => name !== 'hostnode.sock');
    const owners = await Promise.all(files.map(async (name) => (await stat(join(stateDir, name))).uid));
    expect(owners).toEqual(files.map(() => NOBODY));
    expect(await daemon.end()).toMatchObject({ code: 0 });
  });

  it('may look into it', async () => {
    expect(await hostnode(['inventory'], env)).toMatchObject({ code: 0, stderr: '' });
    expect(await readdir(stateDir)).toEqual([]);
  });

  it('does not follow a link of that user’s to another directory', async () => {
    const theirs = join(await temporaryFolder(), 'home');
    await mkdir(theirs);
    await chown(theirs, NOBODY, NOBODY);
    const ours = await temporaryFolder();
    await symlink(ours, join(theirs, 'state'));
    await lchown(join(theirs, 'state'), NOBODY, NOBODY);
    const { code, stderr } = await hostnode(['run'], { ...env, HOSTNODE_STATE_DIR: join(theirs, 'state') });
    expect({ code, said: stderr.includes('root does not follow the link "state"') }).toEqual({
      code: 78,
      said: true,
    });
    expect(await readdir(ours)).toEqual([]);
  });

  it('goes through a link of its own', async () => {
    const ours = await temporaryFolder();
    const link = join(await temporaryFolder(), 'link');
    await symlink(ours, link);
    const daemon = new Daemon({ ...env, HOSTNODE_STATE_DIR: link });
    await daemon.says('round');
    expect(await daemon.end()).toMatchObject({ code: 0 });
    expect(await readdir(ours)).toContain('roster.json');
  });
});
