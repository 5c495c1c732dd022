/** Three hosts that Ansible manages, from the first run to the removal; the tests are their days, in this order. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithAnsible } from '../support/describe-with.ts';
import { keys } from '../systemd/keys.ts';
import { HOSTS, ManagedHosts } from './managed-hosts.ts';

/** Side by side, where it is about what each host does. */
const together = { rollout_batches: ['100%'] };
/** One of them, where it is about what a run says. */
const onlyOne = ['--limit', 'lab-2,prometheus'];
const policy = { devices: [{ match: { serial: '12e3' }, isHidden: true }] };

describeWithAnsible('hosts that Ansible manages', () => {
  let lab: ManagedHosts;

  /** The hosts that the task of this name reached, in their order. */
  const reached = (output: string, task: string): string[] => {
    const [, ...runs] = output.split(`\nTASK [hostnode : ${task}] `);
    return runs.flatMap((text) => {
      const [own = ''] = text.split('\nTASK [', 1);
      return [...own.matchAll(/^(?:ok|changed|fatal): \[(lab-\d)\]/gm)].map(([, host = '']) => host);
    });
  };

  const versions = () => lab.each('dpkg-query --show hostnode 2>/dev/null | cut -f 2');
  const everywhere = (value: string) => Object.fromEntries(HOSTS.map((name) => [name, value]));
  /** All that a rollout may change on a host; the key as the agent has it, by its checksum. */
  const inForce = () =>
    lab.each(`set -e
      sha256sum /etc/hostnode/conf.d/* /etc/systemd/system/hostnode.service.d/*
      sha256sum < /run/credentials/hostnode.service/cloud-api-key
      dpkg-query --show hostnode`);
  const agents = () => lab.each('systemctl show --value --property MainPID hostnode');
  const stores = (name: string) =>
    lab
      .guest(name)
      .do('hostnode report --now --json')
      .then((text) => JSON.parse(text).outcome.kind);

  beforeAll(async () => {
    lab = await ManagedHosts.boot('0.0.9');
  });

  afterAll(() => lab?.end());

  it('are told by --check --diff what a first run would do, and none is touched', async () => {
    const { code, output, changed } = await lab.play('rollout.yml', {}, '--check', '--diff', ...onlyOne);
    expect({ code, changed: changed.length }, output).toEqual({ code: 0, changed: 1 });
    expect(output).toContain('would be installed and started');
    expect(output).toMatch(/^\+.*"username": "lab"/m);
    expect(await versions()).toEqual(everywhere(''));
    expect(
      await lab.each('ls -d /etc/hostnode /run/hostnode* /etc/apt/sources.list.d/* 2>/dev/null || true'),
    ).toEqual(everywhere(''));
  });

  it('are installed one after the other, each only after the one before has reported', async () => {
    await lab
      .guest('lab-1')
      .do('install -d -m 700 /etc/credstore && echo old > /etc/credstore/hostnode.cloud-api-key');
    const { code, output } = await lab.play('rollout.yml');
    expect(code, output).toBe(0);
    expect(await lab.each('ls /etc/credstore 2>/dev/null || true')).toEqual(everywhere(''));
    expect(reached(output, 'Install the package')).toEqual(HOSTS);
    const steps = [
      ...output.matchAll(/^TASK \[hostnode : (Install the package|See that the cloud stores.*)\]/gm),
    ];
    expect(steps.map(([, task = '']) => task.split(' ', 1)[0])).toEqual(
      HOSTS.flatMap(() => ['Install', 'See']),
    );
    expect(await versions()).toEqual(everywhere('0.0.9\n'));
    for (const name of HOSTS) expect(lab.answered).toContain(`PUT 200 ${name}`);
  });

  it('have the drop-ins of all, of their group and their own, and members of the group', async () => {
    const shown = await lab.guest('lab-2').do('hostnode config show');
    expect(shown).toMatch(/^nodeId +lab-2 +\/etc\/hostnode\/conf\.d\/30-host\.yaml:\d/m);
    expect(shown).toMatch(/^cloud\.username +lab +\/etc\/hostnode\/conf\.d\/10-cloud\.yaml:\d/m);
    expect(shown).toMatch(
      /^cloud\.apiKey +\*\*\* +credential \/etc\/credstore\.encrypted\/hostnode\.cloud-api-key$/m,
    );
    // a text that looks like a number is a text, and a name is as it was written
    expect(await lab.guest('lab-2').do('hostnode config check')).toMatch(
      /serial "12e3" +deviceName "Prüfling"/,
    );
    expect(await lab.guest('lab-2').do('stat --format="%U %a" /etc/hostnode/page-password')).toBe(
      'hostnode 600\n',
    );
    expect(shown).toMatch(/^status\.passwordFile +\/etc\/hostnode\/page-password /m);
    expect(await lab.each('id --name --groups anna')).toEqual(everywhere('anna hostnode\n'));
  });

  it('stand in the list for Prometheus', async () => {
    const targets = JSON.parse(await readFile(join(lab.folder, 'targets/hostnode.json'), 'utf8'));
    expect(targets).toEqual(
      HOSTS.map((host, index) => ({ targets: [`10.99.0.${index + 2}:9477`], labels: { host, rack: '2' } })),
    );
  });

  it('are not changed by a second run, and neither is what somebody else put there', async () => {
    await lab.guest('lab-3').do('echo "log: { level: info }" > /etc/hostnode/conf.d/15-by-hand.yaml');
    const agentsBefore = await agents();
    const { code, output, changed } = await lab.play('rollout.yml', {}, '--limit', 'lab-3');
    expect({ code, changed }, output).toEqual({ code: 0, changed: [0] });
    expect(await agents()).toEqual(agentsBefore);
  });

  it('keep what is in force when the configuration is wrong: the first refuses it, no other is asked', async () => {
    const before = [await inForce(), await agents()];
    const wrong = { hostnode_conf_20_policy: { report: { schedule: 'sometimes' } } };
    const { code, output } = await lab.play('rollout.yml', wrong);
    expect(code).not.toBe(0);
    expect(output).toContain(
      'report.schedule = \\"sometimes\\" (/run/hostnode-staging/conf.d/20-policy.yaml:',
    );
    expect(output).toContain('Failed: Check the new configuration. The agent on this host was not touched.');
    expect(reached(output, 'Look which version is installed')).toEqual(['lab-1']);
    expect([await inForce(), await agents()]).toEqual(before);
  });

  it('finish their batch when one of it fails, and the next batch does not begin', async () => {
    const [before, agentsBefore] = [await inForce(), await agents()];
    const level = "{{ 'loud' if inventory_hostname == 'lab-1' else 'warn' }}";
    const { code, output } = await lab.play('rollout.yml', {
      rollout_batches: [2, 1],
      hostnode_conf_40_log: { log: { level } },
    });
    expect(code).not.toBe(0);
    expect(reached(output, 'Look which version is installed').toSorted()).toEqual(['lab-1', 'lab-2']);
    expect(reached(output, 'See that the cloud stores a report')).toEqual(['lab-2']);
    const after = await inForce();
    expect(after['lab-2']).toContain('40-log.yaml');
    expect(await agents()).toEqual(agentsBefore); // a reload is enough
    expect({ ...after, 'lab-2': '' }).toEqual({ ...before, 'lab-2': '' });
    expect(await lab.each('ls -d /run/hostnode-* 2>/dev/null || true')).toEqual(everywhere(''));
  });

  it('get no key among their drop-ins', async () => {
    const key = { hostnode_conf_40_key: { cloud: { apiKey: keys.next } } };
    const { code, output } = await lab.play('rollout.yml', key);
    expect(code).not.toBe(0);
    expect(output).toContain('hostnode_conf_40_key: has an apiKey; set hostnode_cloud_api_key in its place');
    expect(reached(output, 'Check the new configuration')).toEqual([]);
  });

  it('go back to files, key and version when no report is stored afterwards, and no other is asked', async () => {
    await lab.publishNext('0.0.10');
    const before = await inForce();
    const wrong = {
      hostnode_version: '0.0.10',
      hostnode_cloud_api_key: keys.next,
      hostnode_verify_retries: 2,
      hostnode_conf_40_more: { log: { level: 'debug' } },
    };
    const { code, output } = await lab.play('rollout.yml', wrong);
    expect(code).not.toBe(0);
    expect(lab.answered).toContain('PUT 401 lab-1');
    expect(output).toContain(
      'Failed: See that the cloud stores a report. This host is back on the files and the version from before.',
    );
    expect(reached(output, 'Look which version is installed')).toEqual(['lab-1']);
    expect(await inForce()).toEqual(before);
    expect(await stores('lab-1')).toBe('stored');
  });

  const upgraded = { ...everywhere('0.0.10\n'), 'lab-1': '0.0.9\n' };
  const next = { ...together, hostnode_version: '0.0.10', hostnode_conf_20_policy: policy };

  it('are told by --check --diff what an upgrade and a change would do, and none is touched', async () => {
    const before = [await inForce(), await agents()];
    const { code, output, changed } = await lab.play('rollout.yml', next, '--check', '--diff', ...onlyOne);
    expect({ code, changed: changed.map((count) => count > 0) }, output).toEqual({
      code: 0,
      changed: [true],
    });
    expect(reached(output, 'Install the package')).toEqual(['lab-2']);
    expect(output).toContain('0.0.10');
    expect(output).toMatch(/^\+ +"isHidden": true/m);
    expect([await inForce(), await agents()]).toEqual(before);
  });

  it('take a new version and a change; one whose last run was cut off takes up what that had written', async () => {
    const cutOff = lab.guest('lab-3');
    await cutOff.do(`mkdir -p /run/hostnode-before && echo 0.0.9 > /run/hostnode-before/version
      systemctl disable --now hostnode`);
    const { code, output } = await lab.play('rollout.yml', next, '--limit', 'lab-2,lab-3');
    expect(code, output).toBe(0);
    expect(await versions()).toEqual(upgraded);
    for (const name of ['lab-2', 'lab-3'])
      expect(await lab.guest(name).do('hostnode config check')).toMatch(/serial "12e3" +isHidden/);
    expect(await lab.each('cd /etc/hostnode/conf.d && echo *.yaml')).toEqual({
      ...everywhere('10-cloud.yaml 20-policy.yaml 30-host.yaml\n'),
      'lab-3': '10-cloud.yaml 15-by-hand.yaml 20-policy.yaml 30-host.yaml\n',
    });
    expect(await cutOff.run('ls /run/hostnode-before')).toMatchObject({ code: 2 });
    expect(await cutOff.show('hostnode')).toMatchObject({
      ActiveState: 'active',
      UnitFileState: 'enabled',
    });
  });

  it('have the key nowhere in clear: not on a disk, not in a log, not in the output', async () => {
    const secrets = Object.values(keys);
    expect(secrets.filter((key) => lab.said.includes(key))).toEqual([]);
    // systemd gives the running agent its own copy there, in memory
    const found = await lab.each(`
      grep -rlE '${secrets.join('|')}' /etc /var /root /home /tmp /run --exclude-dir=credentials 2>/dev/null
      journalctl -q --no-pager -o json --all | grep -cE '${secrets.join('|')}' || true`);
    expect(found).toEqual(everywhere('0\n'));
  });

  it('are removed only by name; one keeps its configuration, one is purged', async () => {
    expect((await lab.play('remove.yml')).output).toContain('Say from which hosts');
    expect(await versions()).toEqual(upgraded);

    const removed = await lab.play('remove.yml', {}, '--limit', 'lab-2');
    expect(removed.code, removed.output).toBe(0);
    const purged = await lab.play('remove.yml', { hostnode_purge: true }, '--limit', 'lab-3');
    expect(purged.code, purged.output).toBe(0);
    expect((await lab.play('remove.yml', { hostnode_purge: true }, '--limit', 'lab-3')).changed).toEqual([0]);

    const left =
      'ls -d /usr/bin/hostnode /etc/hostnode/conf.d/10-cloud.yaml /etc/credstore.encrypted/hostnode* /etc/apt/sources.list.d/* /etc/systemd/system/hostnode* 2>/dev/null || true';
    const paths = await lab.each(left);
    expect(paths['lab-1']).toContain('/usr/bin/hostnode\n');
    expect(paths['lab-2']).not.toMatch(/bin|sources/);
    expect(paths['lab-2']).toMatch(/hostnode\.cloud-api-key\n.*10-cloud\.yaml\n/);
    expect(paths['lab-3']).toBe('');
  });
});
