import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DevicesBody } from '../../src/cloud/contract/report.ts';
import type { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { type Environment, hostnode } from '../support/program.ts';
import {
  phoneOf,
  poco,
  smartron,
  startAdb,
  startHost,
  temporaryFolder,
  toAdb,
} from '../support/program-lab.ts';

const unauthorized = '9c2ad7e1';
const udids = (json: string) => DevicesBody.parse(JSON.parse(json)).devices?.map(({ udid }) => udid);

/** What differs from one moment to the next. */
const still = ({ machine: { freemem, uptime, ...machine }, devices = [] }: DevicesBody) => ({
  machine,
  devices: devices.map(({ bootTime, ...device }) => device),
});

let adb: SimulatedAdbServer;
let cloud: Sandbox;
let env: Environment;
let reporting: Environment;

beforeEach(async () => {
  const host = await startHost(phoneOf(poco), phoneOf(unauthorized), phoneOf('emulator-5554'));
  ({ adb, cloud, env: reporting } = host);
  env = toAdb(adb.port, host.stateDir);
});

describe('hostnode inventory', () => {
  it('prints one line a phone, and what to do about one that waits for its prompt', async () => {
    const { code, stdout, stderr } = await hostnode(['inventory'], env);

    const [title, ...lines] = stdout.trimEnd().split('\n');
    expect(title).toMatch(/^UDID +NAME +ANDROID +STATE .* WHAT TO DO$/);
    expect(lines.sort()).toEqual([
      expect.stringMatching(/^9c2ad7e1 +.*unauthorized +Accept the USB debugging prompt on the phone/),
      expect.stringMatching(/^emulator-5554@rack-2 +.* 14 +device /),
      expect.stringMatching(/^f12a8ec9 +.* 15 +device .*GiB/),
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('puts nothing where no phone has the name: an empty list would be a claim', async () => {
    const { code } = await hostnode(['inventory', '--report', '--serial', 'nobody'], reporting);
    expect(code).toBe(1);
    expect(cloud.requests).toEqual([]);
  });

  it('prints with --json exactly the body that --report puts', async () => {
    const { code, stdout, stderr } = await hostnode(['inventory', '--json', '--report'], reporting);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(cloud.requests.map(({ method, path, status }) => [method, path, status])).toEqual([
      ['PUT', '/v1/devices', 200],
    ]);
    const body = DevicesBody.parse(JSON.parse(stdout));
    expect(cloud.requests[0]?.body).toEqual(body);
    const again = await hostnode(['inventory', '--json'], env);
    expect(still(DevicesBody.parse(JSON.parse(again.stdout)))).toEqual(still(body));
  });

  it('leaves a phone in maintenance as the agent reports it, and writes nothing of the plan', async () => {
    const path = join(env.HOSTNODE_STATE_DIR ?? '', 'maintenance.json');
    const until = Date.now() + 7_200_000;
    const plan = JSON.stringify({
      version: 1,
      phones: [
        { udid: poco, until, reason: 'new battery' },
        { udid: unauthorized, until: Date.now() - 1, reason: 'is over' },
      ],
    });
    await writeFile(path, plan);
    const reported = async (more: Environment) => {
      const { code, stderr } = await hostnode(['inventory', '--report'], { ...reporting, ...more });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const devices = new Map(cloud.devices().map(({ info }) => [info.udid, info]));
      expect(devices.get(unauthorized)).toMatchObject({
        message: expect.stringContaining('Accept the USB debugging prompt on the phone'),
        isHidden: false,
      });
      return devices.get(poco);
    };
    const message = expect.stringMatching(/^In maintenance until [\d: -]+ [A-Z+\d:-]+: new battery$/);
    expect(await reported({})).toMatchObject({ message, isHidden: false });
    const hiding = { HOSTNODE_MAINTENANCE_HIDES_FROM_CLOUD: 'true' };
    expect(await reported(hiding)).toMatchObject({ message, isHidden: true });
    expect(await readFile(path, 'utf8')).toBe(plan);
    await writeFile(path, 'not JSON');
    const { stderr } = await hostnode(['inventory'], env);
    expect(stderr).toContain('maintenance.json is damaged (not JSON); it is ignored');
    expect(await readFile(path, 'utf8')).toBe('not JSON');
  });

  it('says with --report what the cloud has stored', async () => {
    cloud.refuse(poco, 'rack position missing');
    const { code, stdout, stderr } = await hostnode(['inventory', '--report'], reporting);
    cloud.accept(poco);
    expect(stderr).toBe(`hostnode: the cloud rejected ${poco}: rack position missing\n`);
    expect(stdout).toMatch(/\nThe cloud stored 2 of 3 phones\.\n$/);
    expect(code).toBe(1);
  });

  it('asks the phones for nothing but the conversation of each', async () => {
    await hostnode(['inventory'], env);
    const ofPhones = adb.requests.filter(({ serial }) => serial !== undefined);
    expect(ofPhones.map(({ serial }) => serial).sort()).toEqual(['emulator-5554', poco]);
    expect(adb.requests.map(({ request }) => request)).not.toContain('host:kill');
  });

  it('narrows to the serials and udids that are named', async () => {
    const named = ['--serial', poco, '-s', 'emulator-5554@rack-2'];
    const { code, stdout } = await hostnode(['inventory', '--json', ...named], env);
    expect({ code, udids: udids(stdout)?.sort() }).toEqual({
      code: 0,
      udids: ['emulator-5554@rack-2', poco],
    });

    const bySerial = await hostnode(['inventory', '--json', '-s', 'emulator-5554'], env);
    expect(udids(bySerial.stdout)).toEqual(['emulator-5554@rack-2']);
  });

  it('narrows to the phones with a name or model', async () => {
    for (const name of ['POCO F6', '24069pc21i'])
      expect(udids((await hostnode(['inventory', '--json', '-s', name], env)).stdout)).toEqual([poco]);
  });

  it('says which named phone there is not, and prints the others', async () => {
    const { code, stdout, stderr } = await hostnode(['inventory', '--json', '-s', 'nobody', '-s', poco], env);
    expect({ code, udids: udids(stdout), stderr }).toEqual({
      code: 1,
      udids: [poco],
      stderr: 'hostnode: no phone has the name nobody\n',
    });
  });

  it('says which name was probably meant, but not in an output that masks identifiers', async () => {
    const said = async (...more: string[]) =>
      (await hostnode(['inventory', '-s', 'PCO F6', ...more], env)).stderr;
    expect(await said()).toBe('hostnode: no phone has the name PCO F6; did you mean POCO F6?\n');
    expect(await said('--explain')).toBe('hostnode: no phone has the name PCO F6\n');
  });

  it('says nothing of what adb lists where only the name is wrong', async () => {
    for (const more of [[], ['--explain'], ['--capture', await temporaryFolder()]]) {
      const { code, stdout, stderr } = await hostnode(['inventory', '-s', 'nobody', ...more], env);
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: '',
        stderr: 'hostnode: no phone has the name nobody\n',
      });
    }
  });

  it('says how many phones the configuration ignores where it ignores all', async () => {
    const ignoring = { ...env, HOSTNODE_DEVICES: '[{"match":{"udid":"*"},"ignore":true}]' };
    for (const more of [[], ['--explain'], ['--capture', await temporaryFolder()]]) {
      const { stdout, stderr } = await hostnode(['inventory', ...more], ignoring);
      expect({ stdout, stderr }).toEqual({
        stdout: 'No phones: the configuration ignores 3 phones\n',
        stderr: '',
      });
    }
    for (const serial of [poco, unauthorized]) adb.unplug(serial);
    expect((await hostnode(['inventory'], ignoring)).stdout).toBe(
      'No phones: the configuration ignores 1 phone\n',
    );
  });

  it('says that it leaves out a device that has no name', async () => {
    const [recording] = recordings.filter(({ serial }) => serial === unauthorized);
    if (recording === undefined) throw new Error('the recording is missing');
    const { devpath: _, ...unseated } = recording;
    const odd = await startAdb(new SimulatedPhone({ ...unseated, serial: '' }));
    const { code, stdout, stderr } = await hostnode(['inventory'], toAdb(odd.port, await temporaryFolder()));
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'No phones: all that adb lists has been offline for long, or has no name\n',
      stderr: 'hostnode: adb lists 1 device without serial number and USB path: that is not reported\n',
    });
  });

  it('says so when adb lists no phone', async () => {
    const none = await startAdb();
    const { code, stdout } = await hostnode(['inventory'], toAdb(none.port, await temporaryFolder()));
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'No phones: adb lists none. Is a phone plugged in, with USB debugging on?\n',
    });
  });
});

it('a second phone that hangs costs the first one nothing', async () => {
  const hung = phoneOf(smartron);
  hung.disturb('battery.dump', { kind: 'hang' });
  adb.plug(hung);
  const { code, stdout } = await hostnode(['inventory', '--json'], env);
  const devices = DevicesBody.parse(JSON.parse(stdout)).devices ?? [];
  const knows = (udid: string) => {
    const found = devices.find((device) => device.udid === udid);
    return [found?.battery !== undefined, found?.storage !== undefined];
  };
  expect({ code, hung: knows(smartron), well: knows(poco) }).toEqual({
    code: 0,
    hung: [false, true],
    well: [true, true],
  });
});

describe('hostnode inventory, of a phone that', () => {
  it('is on the network, finds it by its own serial too, before anybody knows that', async () => {
    const [recording] = recordings.filter(({ serial }) => serial === poco);
    if (recording === undefined) throw new Error('the recording is missing');
    const { devpath: _, ...onNetwork } = recording;
    const phone = new SimulatedPhone({ ...onNetwork, serial: '192.168.1.7:5555' });
    const wireless = await startAdb(phone, phoneOf(smartron));
    const { code, stdout, stderr } = await hostnode(
      ['inventory', '--json', '-s', poco],
      toAdb(wireless.port, await temporaryFolder()),
    );
    expect({ code, stderr, udids: udids(stdout) }).toEqual({ code: 0, stderr: '', udids: [poco] });
  });

  it('breaks off half-way, prints what it answered and ends with 1', async () => {
    const phone = phoneOf(poco);
    phone.disturb('storage', { kind: 'drop', afterBytes: 0 });
    const broken = await startAdb(phone);
    const { code, stdout, stderr } = await hostnode(
      ['inventory', '--json'],
      toAdb(broken.port, await temporaryFolder()),
    );
    expect({ code, udids: udids(stdout) }).toEqual({ code: 1, udids: [poco] });
    expect(stderr).toBe(`hostnode: cannot collect ${poco}: the connection broke off\n`);
  });
});

describe('hostnode inventory, beside an agent', () => {
  it('leaves a state file that it cannot use where it is, and says so', async () => {
    const stateDir = await temporaryFolder();
    await mkdir(stateDir, { recursive: true });
    await writeFile(join(stateDir, 'roster.json'), '{"version":99}');
    const { code, stderr } = await hostnode(['inventory'], toAdb(adb.port, stateDir));
    expect(code).toBe(0);
    expect(stderr).toMatch(/roster\.json was written by a newer hostnode .*; it is ignored\n$/);
    expect(await readdir(stateDir)).toEqual(['roster.json']);
  });
});

describe('hostnode inventory --expect', () => {
  const withList = (list: object[]): Environment => ({
    ...env,
    HOSTNODE_INVENTORY_EXPECTED: JSON.stringify(list),
  });

  it('ends with 0 where the phones are those of the list', async () => {
    const { code, stdout, stderr } = await hostnode(
      ['inventory', '--expect'],
      withList([{ serial: poco }, { serial: unauthorized }]),
    );
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '2 phones expected, all here, no other\n',
      stderr: '',
    });
  });

  it('prints what differs, and ends with 1', async () => {
    const list = withList([{ serial: poco }, { serial: 'LOST', assetTag: 'LAB-7', owner: 'Anna' }]);
    const { code, stdout, stderr } = await hostnode(['inventory', '--expect'], list);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout.replaceAll(/ {2,}/g, '  ')).toMatch(
      /^WHAT {2}PHONE {2}NAME {2}TAG {2}IS AT {2}OWNER\nmissing {2}LOST {2}LAB-7 {2}Anna\nnew {2}9c2ad7e1 {2}9c2ad7e1 {2}USB port \S+\n$/,
    );
    const asJson = await hostnode(['inventory', '--expect', '--json'], list);
    expect({ code: asJson.code, ...JSON.parse(asJson.stdout) }).toMatchObject({
      code: 1,
      expected: 2,
      differences: [
        { what: 'missing', serial: 'LOST' },
        { what: 'new', udid: unauthorized },
      ],
    });
  });

  it('says how to get a list where there is none', async () => {
    const { code, stdout, stderr } = await hostnode(['inventory', '--expect'], env);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'hostnode: no phones are expected: set inventory.expected; hostnode inventory --write-expected - prints a list to start with\n',
    });
  });

  it('compares all phones or none', async () => {
    for (const other of [['--report'], ['--serial', poco], ['--write-expected', '-']])
      expect((await hostnode(['inventory', '--expect', ...other], env)).code).toBe(2);
  });
});

describe('hostnode inventory --write-expected', () => {
  it('prints a list with which --expect finds no difference', async () => {
    const { code, stdout, stderr } = await hostnode(['inventory', '--write-expected', '-'], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const file = join(await temporaryFolder(), 'hostnode.yaml');
    await writeFile(file, stdout);
    const compared = await hostnode(['inventory', '--expect', '--config', file], env);
    expect({ code: compared.code, stdout: compared.stdout }).toEqual({
      code: 0,
      stdout: '2 phones expected, all here, no other\n',
    });
  });

  it('writes a new file, and overwrites one only with --force', async () => {
    const file = join(await temporaryFolder(), 'expected.yaml');
    const first = await hostnode(['inventory', '--write-expected', file], env);
    expect({ code: first.code, stdout: first.stdout, stderr: first.stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: `hostnode: ${file} has 2 phones: copy the list into the configuration file.\n`,
    });
    await writeFile(file, 'mine\n');
    const again = await hostnode(['inventory', '--write-expected', file], env);
    expect({ code: again.code, stderr: again.stderr, text: await readFile(file, 'utf8') }).toEqual({
      code: 2,
      stderr: `hostnode: ${file} already exists; use --force to overwrite\n`,
      text: 'mine\n',
    });
    expect((await hostnode(['inventory', '--write-expected', file, '--force'], env)).code).toBe(0);
    expect(await readFile(file, 'utf8')).toMatch(/^inventory:\n {2}expected:\n/);
  });

  it('prints the list where it cannot write the file', async () => {
    const file = join(await temporaryFolder(), 'nowhere', 'expected.yaml');
    const { code, stdout, stderr } = await hostnode(['inventory', '--write-expected', file], env);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^inventory:\n {2}expected:\n/);
    expect(stderr).toMatch(/^hostnode: cannot write the file: /);
  });
});
