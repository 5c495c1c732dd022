import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeRoster } from '../../src/roster/store.ts';
import { hostnode, inBash } from '../support/program.ts';
import { temporaryFolder } from '../support/program-lab.ts';

const canMount = spawnSync('unshare', ['-m', 'true']).status === 0;

const account = {
  HOSTNODE_CLOUD_BASE_URL: 'https://cloud.example.com/v1',
  HOSTNODE_CLOUD_USERNAME: 'lab',
};

describe('hostnode config check', () => {
  it('lists every problem and ends with 78, quietly or not', async () => {
    const env = { HOSTNODE_LOG_LEVEL: 'loud', HOSTNODE_ADB_PORT: '0' };
    for (const options of [[], ['--quiet']]) {
      const { code, stdout, stderr } = await hostnode(['config', 'check', ...options], env);
      expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
      expect(stderr).toMatch(
        /^hostnode: the configuration is wrong:\n( {2}(log\.level|adb\.port) = .*\n){2}$/,
      );
    }
  });

  it('waits for no pipe in conf.d, and reads a file behind a link', async () => {
    const dir = await temporaryFolder();
    await mkdir(join(dir, 'conf.d'));
    await writeFile(join(dir, 'log.yaml'), 'log:\n  level: loud\n');
    await symlink(join(dir, 'log.yaml'), join(dir, 'conf.d/10-link.yaml'));
    execFileSync('mkfifo', [join(dir, 'conf.d/20-pipe.yaml')]);
    const { code, stderr } = await hostnode(['config', 'check', dir]);
    expect(code).toBe(78);
    expect(stderr).toContain('20-pipe.yaml: cannot be read (not a regular file)');
    expect(stderr).toContain('10-link.yaml:2): must be one of');
  });

  it.runIf(canMount)(
    'takes what others may write only where a container has it mounted read-only',
    async () => {
      const dir = await temporaryFolder();
      const file = join(dir, 'hostnode.yaml');
      await writeFile(file, 'cloud:\n  baseUrl: https://cloud.example.com/v1\n  username: lab\n');
      await chmod(file, 0o666);
      await chmod(dir, 0o777);
      const mounted = (options: string, env: Record<string, string>) =>
        inBash(
          `unshare -m sh -c 'mount --bind "$DIR" "$DIR" && mount -o remount,bind,${options} "$DIR" && exec "$@"' sh "$@"`,
          ['config', 'check', '--config', file],
          { DIR: dir, HOSTNODE_CLOUD_API_KEY: 'k3y', ...env },
        );
      const inContainer = { container: 'oci' };
      expect(await mounted('ro', inContainer)).toMatchObject({ code: 0, stderr: '' });
      expect(await mounted('rw', inContainer)).toMatchObject({ code: 78 });
    },
  );

  it('judges the clouds of the command line too, which stop no agent', async () => {
    const HOSTNODE_CLOUDS = '{"lab":{"baseUrl":"http://cloud.example.com/v1","username":"a","apiKey":"k"}}';
    expect(await hostnode(['config', 'check'], { HOSTNODE_CLOUDS })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^hostnode: clouds\.lab\.baseUrl = .*: must be https:.*\n$/),
    });
  });

  it('names a misspelt variable below what is missing because of it', async () => {
    const { HOSTNODE_CLOUD_USERNAME: lab, ...others } = account;
    const env = { ...others, HOSTNODE_CLOUD_USER: lab, HOSTNODE_CLOUD_API_KEY: 'k3y' };
    for (const command of [['config', 'check'], ['inventory', '--report'], ['run']]) {
      const { code, stdout, stderr } = await hostnode(command, env);
      expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
      expect(stderr.split('\n')).toEqual([
        'hostnode: the configuration is wrong:',
        expect.stringMatching(/^ {2}cloud\.username: missing; /),
        'hostnode: HOSTNODE_CLOUD_USER: unknown variable, ignored; did you mean HOSTNODE_CLOUD_USERNAME?',
        '',
      ]);
    }
  });

  it('says where a right one comes from and which cloud it names; nothing when it is to be quiet', async () => {
    const env = { ...account, HOSTNODE_CLOUD_API_KEY: 'k3y' };
    expect(await hostnode(['config', 'check'], env)).toEqual({
      code: 0,
      stdout: 'the configuration is valid (file: none; cloud: https://cloud.example.com/v1)\n',
      stderr: '',
    });
    expect(await hostnode(['config', 'check', '--quiet'], env)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('shows which phone a rule matches and where it sits, by what the agent has written down', async () => {
    const dir = await temporaryFolder();
    const seen = { connection: 'usb' as const, attached: true, state: 'device', lastSeenAt: 0 };
    const device = { udid: 'POCO', serial: 'POCO', devpath: '901-4.2', givenName: 'Loan phone', ...seen };
    await writeRoster(dir, { devices: [device], sharedSerials: [], partedPlaces: [] });
    const env = {
      HOSTNODE_STATE_DIR: dir,
      HOSTNODE_SLOTS: '[{"name":"bay 1","paths":["901-4.2"]}]',
      HOSTNODE_DEVICES:
        '[{"match":{"slot":"bay *"},"isHidden":true},{"match":{"model":"Pixel*"},"ignore":true}]',
    };
    const { code, stdout, stderr } = await hostnode(['config', 'check'], env);
    expect({ code, stderr, lines: stdout.split('\n') }).toEqual({
      code: 0,
      stderr: '',
      lines: [
        'the configuration is valid (file: none; cloud: no cloud configured)',
        '',
        'RULE  MATCHES         SETS      UDID            NAME        SLOT',
        '1     slot "bay *"    isHidden  POCO            Loan phone  bay 1',
        '2     model "Pixel*"  ignore    no known phone',
        '',
        'SLOT   PATHS    UDID  NAME        SEEN',
        'bay 1  901-4.2  POCO  Loan phone  plugged in',
        '',
      ],
    });
    const json = await hostnode(['config', 'check', '--json'], env);
    expect(JSON.parse(json.stdout)).toMatchObject({
      cloud: 'no cloud configured',
      warnings: [],
      rules: [
        { match: { slot: 'bay *' }, sets: { isHidden: true }, phones: [{ udid: 'POCO' }] },
        { phones: [] },
      ],
      slots: [{ name: 'bay 1', phones: [{ udid: 'POCO', slot: 'bay 1' }] }],
      withoutSlot: [],
    });
  });

  it('says that no phone is known, or cannot be; that is no fault of the configuration', async () => {
    const dir = await temporaryFolder();
    const env = { HOSTNODE_STATE_DIR: dir, HOSTNODE_DEVICES: '[{"match":{"udid":"A"},"ignore":true}]' };
    const none = await hostnode(['config', 'check'], env);
    expect({ code: none.code, stderr: none.stderr }).toEqual({
      code: 0,
      stderr: `hostnode: no phones known yet: no agent has run with state directory ${dir}\n`,
    });
    await mkdir(join(dir, 'roster.json'));
    const unreadable = await hostnode(['config', 'check'], env);
    expect(unreadable.code).toBe(0);
    expect(unreadable.stderr).toMatch(/roster\.json cannot be read \(EISDIR.*; it is ignored\n$/);
    expect(await hostnode(['config', 'check', '--quiet'], env)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('warns a service of a missing key, which is no reason not to start', async () => {
    const env = { ...account, INVOCATION_ID: 'c0ffee' };
    const asService = 'SYSTEMD_EXEC_PID=$$ exec "$@"';
    const { code, stdout, stderr } = await inBash(asService, ['config', 'check'], env);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'the configuration is valid (file: none; cloud: the API key is missing)\n',
    });
    expect(stderr).toMatch(/^hostnode: cloud\.apiKey: missing, so hostnode reports nothing; set .*\n$/);
  });

  it('judges a folder that is not yet on a host, and names the file and line of what is wrong', async () => {
    const dir = await temporaryFolder();
    const check = () => hostnode(['config', 'check', dir]);
    expect(await check()).toEqual({
      code: 2,
      stdout: '',
      stderr: `hostnode: ${dir}: has neither hostnode.yaml nor conf.d/*.yaml\n`,
    });
    await mkdir(join(dir, 'conf.d'));
    await writeFile(join(dir, 'hostnode.yaml'), 'adb:\n  port: 5038\n');
    await writeFile(join(dir, 'conf.d/10-slots.yaml'), 'slots:\n  - name: bay 1\n    paths: [1-1]\n');
    expect(await check()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        `the configuration is valid (file: ${dir}/hostnode.yaml and 1 drop-in; cloud: no cloud configured)`,
      ),
    });
    await writeFile(join(dir, 'conf.d/20-more.yaml'), 'slots:\n  - name: bay 2\n    paths: [1-1]\n');
    const { code, stderr } = await check();
    expect(code).toBe(78);
    expect(stderr).toContain(`(${dir}/conf.d/20-more.yaml:3): must be`);
    const both = await hostnode(['config', 'check', dir, '--config', join(dir, 'hostnode.yaml')]);
    expect(both).toMatchObject({ code: 2, stderr: 'hostnode: give a folder or --config, not both\n' });
    const file = join(dir, 'hostnode.yaml');
    expect(await hostnode(['config', 'check', file])).toEqual({
      code: 2,
      stdout: '',
      stderr: `hostnode: ${file} is a file: give its folder, or name it by --config\n`,
    });
  });
});
