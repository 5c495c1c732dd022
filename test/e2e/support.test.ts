import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recordings } from '../../src/demo/phones/index.ts';
import { describeWhere, without } from '../support/machine-needs.ts';
import { Daemon, type Environment, hostnode } from '../support/program.ts';
import * as lab from '../support/program-lab.ts';
import { Terminal } from '../support/terminal.ts';

const kiosk = 'R52T40SYNTH';
/** Owners' names of these phones, and parts of them. */
const givenNames = ['Lab 1 – payments', 'payments', 'Kiosk', 'north'];

/** A journald whose log is this. */
async function withJournal(...lines: string[]): Promise<Environment> {
  const folder = await lab.temporaryFolder();
  await writeFile(join(folder, 'log'), lines.map((line) => `${line}\n`).join(''));
  await writeFile(join(folder, 'journalctl'), `#!/bin/sh\nexec cat '${folder}/log'\n`, { mode: 0o755 });
  return { PATH: `${folder}:${process.env.PATH}` };
}

const unpacked = async (archive: string): Promise<Map<string, string>> => {
  const folder = await lab.temporaryFolder();
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  const names = (await readdir(folder)).sort();
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
};

const jsonLines = (text = '') =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

it('hostnode support writes all that a helper needs, and nothing personal; then also without the agent', async () => {
  const phones = [lab.phoneOf(lab.smartron), lab.phoneOf(kiosk)];
  const { adb, cloud, env, stateDir } = await lab.startHost(...phones);
  const daemon = new Daemon(env);
  await daemon.says('round');
  await lab.stored(cloud, ({ udid }) => udid === kiosk);
  expect((await hostnode(['note', kiosk, `Lab 1 – payments sits beside ${kiosk}`], env)).code).toBe(0);
  adb.unplug(kiosk);
  await lab.stored(cloud, ({ udid, status }) => udid === kiosk && status === 'UNPLUGGED');
  const identifiers = lab.identifiersOf(cloud);
  expect(identifiers.length).toBeGreaterThan(0);
  const hostile = `\u001b]0;x\u0007 ${identifiers[0]} 10.11.12.13 Kiosk "north" aa:bb:cc:dd:ee:0f`;
  const journal = await withJournal(
    ...daemon.stdout.trim().split('\n'),
    `a line of systemd about ${kiosk}`,
    JSON.stringify({ level: 'info', msg: hostile, username: lab.username }),
    '{not json',
  );
  const folder = await lab.temporaryFolder();
  const archive = join(folder, 'bundle.tar.gz');

  const write = (...more: string[]) =>
    hostnode(['support', '--yes', '--output', archive, ...more], { ...env, ...journal });
  const first = await write();
  expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
  expect(first.stdout).toMatch(/^versions\.json +\d+ B +versions of /);
  expect(first.stdout).toContain(`\nWrote ${archive}\n`);
  expect((await stat(archive)).mode & 0o777).toBe(0o600);
  const files = await unpacked(archive);
  const names = ['versions', 'config', 'status', 'findings', 'doctor'].map((name) => `${name}.json`);
  expect([...files.keys()].sort()).toEqual(['README.txt', 'events.jsonl', 'log.jsonl', ...names].sort());
  for (const name of names) expect(JSON.parse(files.get(name) ?? ''), name).toBeTruthy();
  expect(first.stdout.startsWith(files.get('README.txt') ?? '?')).toBe(true);

  const personal = [
    ...[lab.apiKey, lab.username, lab.nodeId, ...recordings.map(({ serial }) => serial.split('@')[0] ?? '')],
    ...[...givenNames, ...identifiers, '10.11.12.13', 'aa:bb:cc:dd:ee:0f'],
  ].filter((value) => !/^emulator/.test(value));
  const found = () =>
    [...files].flatMap(([name, text]) =>
      personal.filter((value) => text.includes(value)).map((value) => `${value} in ${name}`),
    );
  expect(found()).toEqual([]);

  expect(JSON.parse(files.get('versions.json') ?? '')).toMatchObject({
    ...{ hostnode: expect.any(String), node: process.versions.node, adbProtocol: 41 },
    ...{ kernel: expect.stringMatching(/^Linux \d/), system: expect.any(String) },
  });
  const status = JSON.parse(files.get('status.json') ?? '');
  const gone = status.phones.find(({ attached }: { attached: boolean }) => !attached);
  const events = jsonLines(files.get('events.jsonl'));
  expect(events.filter(({ udid }) => udid === gone.udid).map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['attached', 'note', 'detached']),
  );
  const log = jsonLines(files.get('log.jsonl'));
  expect(log).toContainEqual(expect.objectContaining({ msg: 'phone attached', udid: gone.udid }));
  expect(log).toContainEqual(`a line of systemd about ${gone.udid}`);
  expect(JSON.parse(files.get('config.json') ?? '').settings['cloud.apiKey'].value).toBe('***');

  const again = await write();
  expect(again).toMatchObject({ code: 2, stdout: '' });
  expect(again.stderr).toContain('already exists; use --force to overwrite');
  await daemon.end();
  expect(await write('--force')).toMatchObject({ code: 0 });
  const later = await unpacked(archive);
  for (const [name, text] of later) files.set(name, text);
  expect(found()).toEqual([]);
  expect(later.has('status.json')).toBe(false);
  expect(later.get('README.txt')).toMatch(/status\.json +not there .*: no agent answers at /);
  expect(jsonLines(later.get('events.jsonl')).map(({ kind }) => kind)).toContain('detached');
  expect(await readdir(stateDir)).not.toContain('history.sqlite-wal');
});

it('hostnode support without agent, adb, state, configuration and journald says so of each, and ends', async () => {
  const folder = await lab.temporaryFolder();
  const file = join(folder, 'file');
  await writeFile(file, '');
  const config = join(folder, 'hostnode.yaml');
  await writeFile(config, 'adb: { port: 1, start: false }\nno such key: 1\n');
  const bare = await lab.temporaryFolder();
  const env = { HOSTNODE_STATE_DIR: join(file, 'state'), PATH: bare };
  const archive = join(folder, 'new.tar.gz');
  const args = ['support', '--config', config, '--output', archive];
  const listed = await hostnode(args, env);
  expect(listed.code).toBe(1);
  expect(listed.stderr).toBe('hostnode: Nothing was written: use --yes to write without a question\n');
  expect(await readdir(folder)).not.toContain('new.tar.gz');
  for (const name of ['config.json', 'status.json', 'findings.json', 'events.jsonl', 'log.jsonl'])
    expect(listed.stdout).toMatch(new RegExp(`^${name} +not there `, 'm'));
  expect(listed.stdout).toContain('journalctl is not installed here');
  expect(await hostnode([...args, '--yes'], env)).toMatchObject({ code: 0, stderr: '' });
  expect([...(await unpacked(archive)).keys()]).toEqual(['README.txt', 'doctor.json', 'versions.json']);
});

describeWhere('hostnode support on a terminal', { missing: without(['script']) }, () => {
  it('asks before it writes, and takes anything but yes as no', async () => {
    const folder = await lab.temporaryFolder();
    await mkdir(join(folder, 'state'));
    const env = { ...lab.toAdb(1, join(folder, 'state')), HOSTNODE_ADB_START: 'false' };
    for (const [answer, code] of [
      ['\r', 1],
      ['n', 1],
      ['\x03', 1],
      ['y', 0],
    ] as const) {
      const archive = join(folder, 'b.tar.gz');
      await rm(archive, { force: true });
      const terminal = new Terminal(`hostnode support -o '${archive}'`, env);
      await terminal.shows('Write ');
      expect(await readdir(folder)).not.toContain('b.tar.gz');
      terminal.type(answer);
      expect(await terminal.ended).toBe(code);
      expect((await readdir(folder)).includes('b.tar.gz')).toBe(code === 0);
    }
  });
});
