import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { describeWhere, without } from '../support/machine-needs.ts';
import { type Ended, type Environment, hostnode, inBash, Program, programFile } from '../support/program.ts';
import { temporaryFolder } from '../support/program-lab.ts';
import { Terminal } from '../support/terminal.ts';

let sandbox: Sandbox;
let folder: string;
let env: Environment;
beforeEach(async () => {
  sandbox = await Sandbox.start({ parseForMs: 0 });
  onTestFinished(() => sandbox.stop());
  folder = await temporaryFolder();
  env = {
    HOSTNODE_CLOUD_BASE_URL: sandbox.baseUrl,
    HOSTNODE_CLOUD_USERNAME: 'admin',
    HOSTNODE_CLOUD_API_KEY: 'admin-key',
    XDG_CONFIG_HOME: folder,
  };
});

const cloud = (line: string, more: Environment = {}): Promise<Ended> =>
  hostnode(['cloud', ...line.split(' ')], { ...env, ...more });

/** The answer of a command that must succeed. */
async function answerOf(line: string) {
  const { code, stdout, stderr } = await cloud(`${line} -o json`);
  expect({ code, stderr }, line).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const done = { code: 0, stdout: '', stderr: '' };

describe('hostnode cloud', () => {
  it('uploads an app, gives its version a tag and takes it away, and deletes it', async () => {
    const file = join(folder, 'shop.apk');
    await writeFile(file, Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(300_000)]));
    const { versionId } = await answerOf(`apps upload ${file}`);
    const [app] = await answerOf('apps list');
    expect(app.versions).toMatchObject([{ id: versionId }]);
    expect(await cloud(`versions tag ${versionId} nightly`)).toEqual(done);
    expect(await cloud(`versions tag ${versionId} nightly`)).toMatchObject({ code: 1, stdout: '' });
    expect(await cloud(`versions untag ${versionId} nightly`)).toEqual(done);
    expect(sandbox.requests.at(-1)).toMatchObject({ method: 'DEL', status: 200 });
    expect(await cloud(`versions tag ${versionId} a+b`)).toMatchObject({
      stderr: expect.stringContaining('characters that the cloud may reject'),
    });
    expect(await cloud(`apps upload ${file} --app ${app.id}`)).toMatchObject({ code: 0, stderr: '' });
    expect((await answerOf(`apps get ${app.id}`)).versions).toHaveLength(2);
    const { code, stdout, stderr } = await cloud(`apps delete ${app.id} 4711 --yes`);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'hostnode: the cloud did not do all of it: failed: 1\n',
    });
    expect(stdout).toMatch(/^deleted\t1\nfailed\t1\n/);
  });

  it('waits until an app is parsed, and says if it cannot be', async () => {
    const apk = new URL('../fixtures/apk/hello.apk', import.meta.url).pathname;
    expect(await cloud(`apps upload ${apk} --wait`)).toMatchObject({ code: 0, stderr: '' });
    expect(sandbox.state.versions.get(1)?.parsed).toBeTruthy();
    const file = join(folder, 'broken.apk');
    await writeFile(file, Buffer.from('PK\x03\x04'));
    expect(await cloud(`apps upload ${file} --wait`)).toMatchObject({
      code: 1,
      stderr: 'hostnode: the cloud has version 2 in the state FAILED\n',
    });
  });

  it('takes no argument behind --json for a field', async () => {
    const { code, stderr } = await cloud('apps delete --json 1 2 --yes');
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--json 1: unknown') });
    expect(sandbox.requests).toEqual([]);
  });

  it('says that nothing was uploaded for an app that the cloud does not have', async () => {
    const apk = new URL('../fixtures/apk/hello.apk', import.meta.url).pathname;
    expect(await cloud(`apps upload ${apk} --app 4711`)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/: 404 Not Found .*Nothing was uploaded or registered\n$/),
    });
  });

  it('shows in a dry run that a name is looked up first', async () => {
    const { stdout } = await hostnode(['cloud', 'devices', 'favorite', 'Rack 1/7', '--dry-run'], env);
    expect(stdout).toMatch(/^POST http:\S+\/v1\/devices\/<id of Rack%201%2F7>\/favorite\n$/);
  });

  it('warns of a file that is no app, and lets the cloud decide', async () => {
    const file = join(folder, 'notes.txt');
    await writeFile(file, 'not an app');
    const { code, stderr } = await cloud(`apps upload ${file}`);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `hostnode: ${file} does not look like an APK or an IPA; the cloud decides\n`,
    });
  });

  it('lists devices as a filter says, and finds one by its name or udid', async () => {
    const { privateDevices } = await answerOf('devices list --booked=false --platform-version 14,15');
    expect(privateDevices.map(({ deviceName }: { deviceName: string }) => deviceName)).toEqual([
      'Pixel 7',
      'Galaxy S23',
    ]);
    const tsv = (await cloud('devices list --platform-version 13')).stdout.split('\n');
    expect(tsv[0]).toMatch(/^privateDevices\t\d+\tf12ab8c9\tfalse\tfalse\t/);
    const [{ id }] = privateDevices;
    const named = await hostnode(['cloud', 'devices', 'favorite', 'Pixel 7'], env);
    expect(named).toEqual({ ...done, stderr: `hostnode: took device ${id}: Pixel 7, 9B281FFAZ00AB1\n` });
    expect(await cloud('devices status 9B281FFAZ00AB1')).toMatchObject({
      code: 0,
      stdout: 'isBooked\tfalse\nisOnline\ttrue\n',
    });
    expect(await answerOf('devices get 9B281FFAZ00AB1')).toMatchObject({ id, isFavorite: true });
    expect(await cloud(`devices unfavorite ${id}`)).toEqual(done);
  });

  it('saves a gesture from standard input, and deletes it', async () => {
    const saved = await inBash(
      `printf 'down 50%% 80%%\\nup\\n' | "$@"`,
      ['cloud', ...'gestures save swipe --command-file -'.split(' ')],
      env,
    );
    expect(saved).toEqual(done);
    const [gesture] = await answerOf('gestures list');
    expect(gesture).toMatchObject({ name: 'swipe', command: 'down 50% 80%\nup\n' });
    expect(await cloud(`gestures delete ${gesture.id} -y`)).toEqual(done);
    expect(await cloud('gestures list')).toEqual(done);
  });

  it('makes data sets', async () => {
    const { exploringSessionId: session } = sandbox.info;
    const id = sandbox.state.sessions.all()[0]?.commands[1]?.id;
    const actions = [{ commandId: id, value: 'Pune' }];
    const made = [
      'data-sets',
      'create-by-command',
      String(session),
      '--data-set-actions',
      JSON.stringify(actions),
    ];
    expect(await hostnode(['cloud', ...made], env)).toMatchObject({ code: 0, stderr: '' });
    expect(await answerOf(`data-sets list ${session}`)).toMatchObject([{ editedActionCount: 1 }]);
  });

  it('makes users; their passwords are in no output', async () => {
    const password = { HOSTNODE_NEW_USER_PASSWORD: 'hush-hush-1' };
    expect(await cloud('users create --email eve@lab.example --username eve', password)).toMatchObject({
      code: 0,
    });
    expect(await cloud('members add max@lab.example --first-name Max', password)).toEqual(done);
    expect(await cloud('members role eve@lab.example ADMIN')).toEqual(done);
    expect(await cloud('members deactivate eve@lab.example --yes')).toEqual(done);
    const sso = 'users create --email ada@lab.example --username ada --enable-sso';
    expect(await cloud(sso)).toMatchObject({ code: 0, stderr: '' });
    const shown = await cloud(
      'users create --email b@lab.example --username b --password hush-hush-1 --dry-run',
    );
    expect(shown.stderr).toContain('other users of this host can see it');
    expect(shown.stdout).toContain('POST');
    expect(shown.stdout + shown.stderr).not.toContain('hush-hush');
    expect(await cloud('users create --email b@lab.example --username b')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'hostnode: no password: set HOSTNODE_NEW_USER_PASSWORD, or use a terminal, where you are asked for it\n',
    });
  });

  it('prints the OpenAPI document', async () => {
    expect((await cloud('openapi')).stdout).toBe(
      await readFile(new URL('../../docs/openapi.yaml', import.meta.url), 'utf8'),
    );
    expect(JSON.parse((await cloud('openapi --json --spec 3.1')).stdout).openapi).toBe('3.1.1');
  });
});

describe('a wrong command line', () => {
  it.each([
    ['devcies list', "unknown command 'devcies'\n(Did you mean devices?)"],
    ['devices lst', '(Did you mean list?)'],
    ['devices list --boked', '(Did you mean --booked?)'],
    ['apps delete', "missing required argument 'app-ids'"],
    ['teams assign 12', "missing required argument 'team-ids'"],
    ['apps delete twelve --yes', '<app-ids> = "twelve": must be a whole number above 0'],
    ['versions tag 77 a-tag-that-is-much-longer-than-32-characters', '<name> = '],
    ['members role eve ADMIN', '<email> = "eve": must be an email address'],
    ['apps upload shop.apk --app twelve', '--app = "twelve": must be a whole number above 0'],
    ['apps upload missing.apk', 'missing.apk: there is no such file'],
    ['apps upload /tmp', '/tmp: is a directory'],
    ['apps upload /dev/null', '/dev/null: is not a regular file'],
    ['gestures save swipe --command-file missing.txt', 'missing.txt: cannot be read'],
    ['gestures save swipe', '--command is missing'],
    ['apps delete 12', 'use --yes to delete several apps without a question'],
    ['reservations terminate 501', 'use --yes to terminate reservations without a question'],
    ['reservations terminate --yes --body missing.json', 'missing.json: cannot be read'],
  ])('%s: says what is wrong, and sends nothing', async (line, said) => {
    const { code, stdout, stderr } = await cloud(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(said);
    expect(sandbox.requests).toEqual([]);
  });
});

describe('what the cloud says', () => {
  it('to a request of your own is printed without a loss', async () => {
    const said = async (body: string) => {
      sandbox.faults.next({ kind: 'answer', status: 200, body });
      return cloud('api GET /v1/other');
    };
    expect(await said('{"id":12345678901234567890}')).toMatchObject({
      code: 0,
      stdout: '{\n  "id": "12345678901234567890"\n}\n',
    });
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    expect(await said(deep)).toEqual({ code: 0, stdout: `${deep}\n`, stderr: '' });
  });

  const POST = 'gestures save swipe --command up';

  it.each([
    [401, 3, 'check the user name and the API key'],
    [403, 3, 'check that this account may save a gesture'],
    [409, 1, 'the cloud rejects this request'],
    [422, 1, 'the cloud rejects this request'],
    [503, 3, 'the cloud cannot answer now'],
  ])('%i has its own words', async (status, code, said) => {
    sandbox.faults.next({ kind: 'status', status });
    const ended = await cloud(POST);
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(said) });
    expect(sandbox.requests, 'a POST is sent once').toHaveLength(1);
  });

  it('429 says how long to wait', async () => {
    sandbox.faults.next({ kind: 'status', status: 429, headers: { 'retry-after': '7' } });
    expect(await cloud(POST)).toMatchObject({ code: 3, stderr: expect.stringContaining('for 7 s') });
  });

  it('404 names an id; another service has its own words', async () => {
    expect(await cloud('apps get 4711')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('check the id: the cloud has nothing with it'),
    });
    sandbox.faults.next({ kind: 'answer', status: 200, body: '<!doctype html>' });
    expect(await cloud('apps list')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('the answer is not one of this API'),
    });
  });

  it('a request that may be repeated is, and says so', async () => {
    sandbox.faults.next({ kind: 'status', status: 503 });
    const { code, stdout, stderr } = await cloud('groups list 1 -o json');
    expect({ code, groups: JSON.parse(stdout) }).toEqual({ code: 0, groups: [] });
    expect(stderr).toContain('trying again');
  });

  it('nobody listens: exit code 3; no cloud: 78', async () => {
    await sandbox.stop();
    sandbox = await Sandbox.start();
    expect(await cloud(POST)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('nothing listens there'),
    });
    const nowhere = await hostnode(['cloud', 'apps', 'list'], { XDG_CONFIG_HOME: folder });
    expect(nowhere).toMatchObject({ code: 78, stderr: expect.stringContaining('hostnode cloud login') });
  });
});

it('--dry-run shows the request of every line of docs/api.md, and sends none', async () => {
  const page = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const lines = [...page.matchAll(/^hostnode (cloud .*)$/gm)].map(([, line = '']) => line);
  expect(lines.length).toBeGreaterThan(30);
  const limit = pLimit(4);
  const password = { HOSTNODE_NEW_USER_PASSWORD: 'hush' };
  const ended = await Promise.all(
    lines.map((line) => limit(() => inBash(`"$@" ${line} --dry-run`, [], { ...env, ...password }))),
  );
  for (const [index, { code, stdout, stderr }] of ended.entries()) {
    expect({ code, stderr }, lines[index]).toEqual({ code: 0, stderr: '' });
    expect(stdout, lines[index]).toMatch(/^(GET|PUT|POST|DELETE|DEL) http:\/\/127\.0\.0\.1:\d+\/v[12]\//);
  }
  expect(sandbox.requests).toEqual([]);
});

it('no other command loads the commands of the cloud', async () => {
  const copy = join(folder, 'program');
  await cp(dirname(programFile()), copy, { recursive: true });
  await rm(join(copy, 'cloud.cjs'));
  for (const [args, code] of [
    [['--help'], 0],
    [['run', '--help'], 0],
    [['config', 'check'], 0],
    [['cloud', '--help'], 1],
  ] as const) {
    const program = new Program([process.execPath, join(copy, 'hostnode.cjs'), ...args]);
    expect(await program.ended, args.join(' ')).toBe(code);
  }
});

it('help lists the resources, also by hostnode help', async () => {
  for (const args of [
    ['cloud', '--help'],
    ['help', 'cloud'],
  ]) {
    const { code, stdout } = await hostnode(args);
    expect({ code, hasApps: /^ +apps +list, get/m.test(stdout) }, args.join(' ')).toEqual({
      code: 0,
      hasApps: true,
    });
  }
});

describeWhere('hostnode cloud on a terminal', { missing: without(['script']) }, () => {
  it('asks before it deletes, and sends nothing without a yes', async () => {
    const terminal = new Terminal('hostnode cloud apps delete 4711', env);
    await terminal.shows(`Delete several apps: 4711, at ${new URL(sandbox.baseUrl).host}?`);
    terminal.type('n');
    await terminal.shows('cancelled: nothing was sent');
    expect(await terminal.ended).toBe(1);
    expect(sandbox.requests).toEqual([]);
    const again = new Terminal('hostnode cloud apps delete 4711', env);
    await again.shows('4711, at');
    again.type('y');
    await again.shows('did not do all of it');
    expect(await again.ended).toBe(1);
    expect(sandbox.requests).toMatchObject([{ method: 'DELETE', path: '/v1/apps' }]);
  });

  it('asks for a password without echo', async () => {
    const terminal = new Terminal('hostnode cloud users create --email eve@lab.example --username eve', env);
    await terminal.shows('Password of the new user');
    terminal.type('hush-hush-1\r');
    await terminal.shows('done: create a user');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown).not.toContain('hush');
  });

  it('prints a table', async () => {
    const terminal = new Terminal('hostnode cloud devices list', env, { columns: 100 });
    await terminal.shows('LIST');
    await terminal.shows('Galaxy S23');
    expect(await terminal.ended).toBe(0);
    const lines = terminal.shown.split(/\r?\n/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  });
});
