/** The role as it is written: its linter, its tables, and the example inventory. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config/load.ts';
import { codeSpans, rows, section } from '../docs/pages.ts';
import { describeWithAnsibleLint } from '../support/describe-with.ts';

const run = promisify(execFile);

const deploy = fileURLToPath(new URL('../../deploy/ansible/', import.meta.url));
const role = join(deploy, 'roles/hostnode');
const readYaml = async (...path: string[]) => parse(await readFile(join(role, ...path), 'utf8'));

describe('the variables of the Ansible role', () => {
  it('stand in its README with the defaults that they have, and in its argument specifications', async () => {
    const defaults: Record<string, unknown> = await readYaml('defaults/main.yml');
    const table = rows(section('deploy/ansible/roles/hostnode/README.md', '## Variables'));
    const documented = table.map(([name = '', value = '']) => [
      codeSpans(name)[0],
      codeSpans(value)[0] ?? value,
    ]);
    const shown = Object.entries(defaults).map(([name, value]) => [
      name,
      value === '' ? 'empty' : typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const secrets = ['hostnode_cloud_api_key', 'hostnode_page_password', 'hostnode_otlp_headers'];
    const withoutDefault = [['hostnode_conf_NAME', '–'], ...secrets.map((name) => [name, '–'])];
    expect(documented.toSorted()).toEqual([...shown, ...withoutDefault].toSorted());

    const { argument_specs } = await readYaml('meta/argument_specs.yml');
    const { main, drain, prometheus } = argument_specs;
    const options = { ...main.options, ...drain.options, ...prometheus.options };
    const specified = Object.entries<{ default?: unknown }>(options).map(([name, each]) => [
      name,
      each.default,
    ]);
    const ofHosts = ['hostnode_prometheus_port', 'hostnode_prometheus_labels']; // of hosts that the play does not run on
    expect(Object.fromEntries(specified)).toEqual({
      ...Object.fromEntries(Object.entries(defaults).filter(([name]) => !ofHosts.includes(name))),
      ...Object.fromEntries(secrets.map((name) => [name, undefined])),
    });
    expect(secrets.filter((name) => !options[name].no_log)).toEqual([]);
  });
});

describe('the files that a failed rollout puts back', () => {
  /** As the role runs it, with these variables. */
  async function putBack(variables: Readonly<Record<string, string>>) {
    const tasks: Record<string, string>[] = await readYaml('tasks/rollback.yml');
    const script = tasks.find(({ name }) => name === 'Put the files back')?.['ansible.builtin.shell'] ?? '';
    const filled = script.replace(
      /\{\{ (\w+) \}\}/g,
      (_, name: string) => variables[name] ?? '/nowhere/at/all',
    );
    return run('sh', ['-c', filled]);
  }

  it('are those of the copy; without a copy all stays as it is', async () => {
    const root = await mkdtemp(join(tmpdir(), 'hostnode-ansible-'));
    onTestFinished(() => rm(root, { recursive: true }));
    const paths = {
      hostnode_folder: join(root, 'conf.d'),
      hostnode_credential_file: join(root, 'key'),
      hostnode_credential_unit: join(root, 'unit'),
    };
    const before = join(root, 'before');
    const variables = {
      hostnode_kept: Object.values(paths).join(' '),
      hostnode_before_folder: before,
    };
    await mkdir(paths.hostnode_folder);
    await writeFile(join(paths.hostnode_folder, 'new.yaml'), 'new');
    await writeFile(paths.hostnode_credential_file, 'new');

    await expect(putBack(variables)).rejects.toMatchObject({ code: 1 });
    expect(await readFile(paths.hostnode_credential_file, 'utf8')).toBe('new');
    expect(await readFile(join(paths.hostnode_folder, 'new.yaml'), 'utf8')).toBe('new');

    await mkdir(join(before, paths.hostnode_folder), { recursive: true });
    await writeFile(join(before, paths.hostnode_folder, 'old.yaml'), 'old');
    await putBack(variables);
    expect(await readdir(paths.hostnode_folder)).toEqual(['old.yaml']);
    expect((await readdir(root)).toSorted()).toEqual(['before', 'conf.d']);
  });
});

describeWithAnsibleLint('the Ansible role', () => {
  let home: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'hostnode-ansible-lint-'));
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  it('passes the production profile of ansible-lint', async () => {
    const { stderr } = await run('ansible-lint', ['--nocolor', '--offline'], {
      cwd: deploy,
      env: { ...process.env, HOME: home },
    });
    expect(stderr).toContain('Passed with production profile: 0 failure(s), 0 warning(s)');
  });

  it.each([
    ['drains a host where it is told to', true, 'exit 0', ['wait', 'end'], 0],
    ['drains none by default', false, 'exit 1', [], 0],
    ['goes on where a host has no phones', true, 'echo no phone is known >&2; exit 1', ['wait', 'end'], 0],
    ['lets the phones be booked again where somebody still uses one', true, 'exit 1', ['wait', 'end'], 2],
  ])('%s', async (_, isWanted, wait, done, code) => {
    const log = join(home, 'commands');
    const fake = `#!/bin/sh\ncase "$*" in *--end*) echo end >> ${log};; *--wait*) echo wait >> ${log}; ${wait};; esac\n`;
    await writeFile(log, '');
    await writeFile(join(home, 'hostnode'), fake, { mode: 0o755 });
    const tasks = ['drain', 'undrain'].map((tasks_from) => ({
      'ansible.builtin.import_role': { name: 'hostnode', tasks_from },
    }));
    const play = { hosts: 'localhost', connection: 'local', gather_facts: false, tasks };
    await writeFile(join(home, 'drain.yml'), JSON.stringify([play]));
    const playing = run(
      'ansible-playbook',
      ['-i', 'localhost,', '-e', `{"hostnode_drain":${isWanted}}`, join(home, 'drain.yml')],
      {
        cwd: deploy,
        env: {
          ...process.env,
          HOME: home,
          PATH: `${home}:${process.env.PATH}`,
          ANSIBLE_ROLES_PATH: join(deploy, 'roles'),
        },
      },
    );
    expect(
      await playing.then(
        () => 0,
        (error: { code: number }) => error.code,
      ),
    ).toBe(code);
    expect((await readFile(log, 'utf8')).trim().split('\n').filter(Boolean)).toEqual(done);
  });

  it('reboots hosts by a playbook that Ansible can read', async () => {
    const { stdout } = await run('ansible-playbook', ['--syntax-check', 'reboot.yml'], {
      cwd: deploy,
      env: { ...process.env, HOME: home },
    });
    expect(stdout).toContain('playbook: reboot.yml');
  });

  it('has an example whose drop-ins are a valid configuration on each host', async () => {
    const { stdout } = await run('ansible-inventory', ['--list'], {
      cwd: deploy,
      env: { ...process.env, HOME: home },
    });
    const { _meta } = JSON.parse(stdout) as { _meta: { hostvars: Record<string, Record<string, unknown>> } };
    const hosts = Object.entries(_meta.hostvars).filter(([name]) => name.startsWith('lab-'));
    expect(hosts).toHaveLength(3);
    for (const [host, variables] of hosts) {
      const dropIns = Object.entries(variables).filter(([name]) => name.startsWith('hostnode_conf_'));
      expect(dropIns.length).toBeGreaterThan(1);
      const folder = join(home, host, 'conf.d');
      await mkdir(folder, { recursive: true });
      for (const [name, value] of dropIns) {
        const text = JSON.stringify(value).replaceAll('{{ inventory_hostname }}', host);
        await writeFile(join(folder, `${name}.yaml`), text);
      }
      const env = { HOSTNODE_CLOUD_API_KEY: 'from-the-vault' };
      const { config } = await loadConfig({ env, defaultFile: join(home, host, 'hostnode.yaml') });
      expect(config.cloud?.baseUrl).toBe('https://cloud.example.com/v1');
    }
  });
});
