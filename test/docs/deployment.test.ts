import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { exitCode } from '../../src/base/exit-code.ts';
import { configKeys } from '../../src/config/keys.ts';
import { settings } from '../../src/config/schema.ts';
import { hostTree } from '../support/host-tree.ts';
import { readText, root } from './pages.ts';

/** The values of a key in a unit, in their order. */
const values = (unit: string, key: string): string[] =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);

const agent = readText('systemd/hostnode.service');
const adb = readText('systemd/hostnode-adb.service');
const adbServer = readText('systemd/adb-server');
const guide = readText('systemd/README.md');

describe('hostnode.service', () => {
  it('is not started again after the one end that only a person can mend', () => {
    expect(values(agent, 'Restart')).toEqual(['always']);
    expect(values(agent, 'RestartPreventExitStatus')).toEqual([String(exitCode.config)]);
  });

  it('leaves a round in hand the 10 s that it may take to end', () => {
    expect(Number(values(agent, 'TimeoutStopSec')[0])).toBeGreaterThan(10);
  });

  it('waits for readiness for longer than it can take, and feeds a watchdog', () => {
    expect(values(agent, 'Type')).toEqual(['notify']);
    expect(Number(values(agent, 'TimeoutStartSec')[0])).toBeGreaterThan(15);
    expect(values(agent, 'WatchdogSec')).toEqual(['30']);
  });

  it('leaves no core dump, which would hold the key', () => {
    // fs/coredump.c: a pipe to a program, as to apport, heeds 1 alone; core(5): a file of so few bytes is not made
    expect([agent, adb].map((unit) => values(unit, 'LimitCORE'))).toEqual([['1'], ['1']]);
  });

  it('checks the configuration before it reloads it', () => {
    const [check = '', signal = '', ...more] = values(agent, 'ExecReload');
    expect(check).toMatch(/ config check --quiet$/);
    expect(signal).toContain('kill -HUP');
    expect(more).toEqual([]);
  });

  it('takes the key by a credential that need not be there', () => {
    expect(values(agent, 'LoadCredential')).toEqual([
      'cloud-api-key:hostnode.cloud-api-key',
      'otlp-headers:hostnode.otlp-headers',
    ]);
    expect(guide).toContain('/etc/credstore/hostnode.cloud-api-key');
  });

  it('starts what the guide installs', () => {
    const [start = ''] = values(agent.replaceAll('\\\n', ''), 'ExecStart');
    const installed = start.match(/\/usr\/lib\/\S+/g) ?? [];
    expect(installed).toEqual(['/usr/lib/hostnode/node', '/usr/lib/hostnode/hostnode.cjs']);
    expect(guide).toContain(' /usr/lib/hostnode/node\n');
    expect(guide).toContain('dist/*.* /usr/lib/hostnode/');
  });

  it('has a folder for its socket that its group may enter', () => {
    expect(values(agent, 'RuntimeDirectory')).toEqual(['hostnode']);
    expect(values(agent, 'RuntimeDirectoryMode')).toEqual(['0750']);
    expect(values(agent, 'RuntimeDirectoryPreserve')).toEqual(['restart']); // the roster may be kept there
  });
});

describe('hostnode-adb.service', () => {
  it('waits for, and listens on, the port that the agent asks', () => {
    expect(values(adb, 'ExecStart')).toEqual(['/usr/lib/hostnode/adb-server']);
    expect(guide).toContain('systemd/adb-server /usr/lib/hostnode/adb-server\n');
    expect(adbServer).toMatch(new RegExp(`^my \\$PORT += ${settings.parse({}).adb.port};$`, 'm'));
    expect(adbServer).toContain(`exec 'adb', '-L', "tcp:localhost:$PORT", 'server', 'nodaemon'`);
  });

  it('never runs a command of the adb client, which could kill another server', () => {
    const commands = /\badb (?:start-server|kill-server|devices|wait-for)/g;
    expect(adb.match(commands)).toEqual(['adb kill-server']);
    expect(adbServer.match(commands)).toBeNull();
    expect(adbServer.match(/\bexec\b|\bsystem\b\(|\bqx\b|`/g)).toEqual(['exec']);
    expect(values(adb, 'ExecStop')).toEqual([]);
  });
});

describe('both units', () => {
  const rated = existsSync('/usr/bin/systemd-analyze') ? it : it.skip;

  rated.each(['hostnode.service', 'hostnode-adb.service'])('%s is rated 1.5 or better', (name) => {
    const unit = fileURLToPath(new URL(`systemd/${name}`, root));
    const report = execFileSync('systemd-analyze', ['security', '--offline=true', unit], {
      encoding: 'utf8',
    });
    const [, level] = /Overall exposure level for \S+: ([\d.]+)/.exec(report) ?? [];
    expect(Number(level)).toBeLessThanOrEqual(1.5);
  });
});

describe('the Containerfile', () => {
  const file = readText('Containerfile');

  it('copies what is there and what the ignore list lets through', () => {
    const copied = [...file.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    );
    const allowed = readText('.containerignore').split('\n');
    expect(
      copied.filter((name) => !existsSync(new URL(name, root)) || !allowed.includes(`!${name}`)),
    ).toEqual([]);
    expect(copied.length).toBeGreaterThan(5);
  });

  it('sets variables that hostnode knows', () => {
    const known = configKeys.map(({ variable }) => variable);
    const set = file.match(/HOSTNODE_[A-Z_]+/g) ?? [];
    expect(set).toEqual(['HOSTNODE_STATE_DIR']);
    expect(set.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('runs as nobody in particular, and has its health asked of the agent itself', () => {
    expect(file).toMatch(/^USER 65532:65532$/m);
    expect(file).toMatch(/^HEALTHCHECK .*CMD \["hostnode", "status", "--check"\]$/m);
  });
});

describe('the purge of the package', () => {
  it('deletes the secrets, and ends well, where the state is a file system of its own, which rm cannot remove', async () => {
    const programs = await hostTree({ rm: '#!/bin/sh\necho "$@"\n[ "$1" = -f ]\n' });
    chmodSync(`${programs}rm`, 0o755);
    const script = fileURLToPath(new URL('packaging/debian/postrm', root));
    // no other program is found: nothing is deleted here
    const asked = execFileSync('/bin/sh', [script, 'purge'], { env: { PATH: programs }, encoding: 'utf8' });
    expect(asked.split('\n')).toEqual([
      '-rf /var/lib/hostnode /var/lib/hostnode-adb /var/cache/hostnode /etc/hostnode',
      '-f /etc/credstore/hostnode.cloud-api-key /etc/credstore/hostnode.otlp-headers',
      '-f /etc/credstore.encrypted/hostnode.cloud-api-key /etc/credstore.encrypted/hostnode.otlp-headers',
      '',
    ]);
  });
});
