import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/base/environment.ts';
import { ConfigError } from '../../src/base/errors.ts';
import { loadConfig } from '../../src/config/load.ts';
import { settings } from '../../src/config/schema.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hostnode-config-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(name: string, text: string | Uint8Array, mode = 0o600): string {
  const file = join(dir, name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

const base = { HOSTNODE_STATE_DIR: '/state' };
const load = (env: Record<string, string> = {}, yaml?: string | Uint8Array, mode?: number) =>
  loadConfig({
    env: { ...base, ...env },
    defaultFile: join(dir, 'none.yaml'),
    ...(yaml !== undefined && { file: write('hostnode.yaml', yaml, mode) }),
  });

/** The problems of a configuration, without the test's own directory. */
const problems = async (env: Record<string, string>, yaml?: string | Uint8Array): Promise<string[]> => {
  const error = await load(env, yaml).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ConfigError)) throw new Error('no ConfigError', { cause: error });
  return error.problems.map((line) => line.replaceAll(`${dir}/`, ''));
};

const account = {
  HOSTNODE_CLOUD_BASE_URL: 'https://cloud.example.com/v1',
  HOSTNODE_CLOUD_USERNAME: 'lab',
  HOSTNODE_CLOUD_API_KEY: 's3cret',
};

const startedBySystemd = { INVOCATION_ID: 'c0ffee', SYSTEMD_EXEC_PID: String(process.pid) };

const { cloud: _, ...preset } = settings.parse({});
/** The defaults of the schema, and what follows from them. */
const defaults = {
  ...preset,
  state: { ...preset.state, dir: '/state' },
  status: {
    listeners: [{ address: '127.0.0.1', port: 9477, parts: ['page', 'metrics', 'health'] }],
    hostNames: [],
  },
  metrics: {},
};

describe('loadConfig', () => {
  it('has a default for everything, and no cloud', async () => {
    expect(await load()).toEqual({ config: defaults, warnings: [], source: {} });
  });

  it('lays the environment over the file over the defaults', async () => {
    const yaml = 'adb:\n  host: lab-adb\n  port: 6000\nroster:\n  forgetAfterDays: 2.5\n';
    const { config, source } = await load({ HOSTNODE_ADB_PORT: '7000', HOSTNODE_LOG_LEVEL: 'debug' }, yaml);
    expect(config).toEqual({
      ...defaults,
      adb: { ...defaults.adb, host: 'lab-adb', port: 7000 },
      roster: { ...defaults.roster, forgetAfterDays: 2.5 },
      log: { ...defaults.log, level: 'debug' },
    });
    expect(source).toEqual({ file: join(dir, 'hostnode.yaml') });
  });

  it("takes adb's own variables below the file", async () => {
    const env = { ANDROID_ADB_SERVER_ADDRESS: 'other', ANDROID_ADB_SERVER_PORT: '5038' };
    expect((await load(env)).config.adb).toEqual({ ...defaults.adb, host: 'other', port: 5038 });
    expect((await load(env, 'adb:\n  port: 1\n')).config.adb).toMatchObject({ host: 'other', port: 1 });
    expect((await load({ ...env, HOSTNODE_ADB_HOST: 'ours' })).config.adb).toMatchObject({ host: 'ours' });
  });

  it("overrules a wrong variable of adb's own, which is refused where it counts", async () => {
    const env = { ANDROID_ADB_SERVER_ADDRESS: 'other', ANDROID_ADB_SERVER_PORT: '99999' };
    const overruled = { ...defaults.adb, host: 'other', port: 5999 };
    expect((await load({ ...env, HOSTNODE_ADB_PORT: '5999' })).config.adb).toEqual(overruled);
    expect((await load(env, 'adb:\n  port: 5999\n')).config.adb).toEqual(overruled);
    await expect(load({ ...env, HOSTNODE_ADB_HOST: 'ours' })).rejects.toThrow('(ANDROID_ADB_SERVER_PORT)');
  });

  it.each([
    ['tcp:5039', { host: '127.0.0.1', port: 5039 }],
    ['tcp:lab-adb:5039', { host: 'lab-adb', port: 5039 }],
    ['tcp:[::1]:5039', { host: '::1', port: 5039 }],
  ])('reads ADB_SERVER_SOCKET=%s', async (socket, adb) => {
    const { config, warnings } = await load({ ADB_SERVER_SOCKET: socket });
    expect([config.adb, warnings]).toEqual([expect.objectContaining(adb), []]);
  });

  it.each(['localabstract:adb', 'localfilesystem:/run/adb.sock', 'tcp:[::1]'])(
    'says that it cannot use ADB_SERVER_SOCKET=%s, unless something else tells the address',
    async (ADB_SERVER_SOCKET) => {
      expect(await load({ ADB_SERVER_SOCKET })).toMatchObject({
        config: { adb: { host: '127.0.0.1', port: 5037 } },
        warnings: ['ADB_SERVER_SOCKET: ignored, as it names no TCP port; set adb.host and adb.port'],
      });
      const told = [{ HOSTNODE_ADB_PORT: '5038' }, { ANDROID_ADB_SERVER_ADDRESS: 'lab-adb' }];
      for (const env of told) expect((await load({ ADB_SERVER_SOCKET, ...env })).warnings).toEqual([]);
    },
  );

  it('takes an empty variable and an empty section for unset', async () => {
    const { config } = await load(
      { HOSTNODE_ADB_PORT: '', HOSTNODE_LOG_LEVEL: ' ' },
      'adb:\n  #port: 1\nlog:\n',
    );
    expect(config).toEqual(defaults);
  });

  it('reads device rules from the file and from the environment', async () => {
    const rule = { match: { model: 'Pixel *' }, isHidden: true, support: { appiumDisabled: true } };
    const yaml =
      'devices:\n  - match: { model: "Pixel *" }\n    isHidden: true\n    support: { appiumDisabled: true }\n';
    expect((await load({}, yaml)).config.devices).toEqual([rule]);
    expect((await load({ HOSTNODE_DEVICES: JSON.stringify([rule]) })).config.devices).toEqual([rule]);
  });

  it('reads which findings the lab wants, and names a code that does not exist', async () => {
    const yaml = 'findings:\n  off: [USB_SLOW]\nprepare: { wants: [battery] }\n';
    const { findings, prepare } = (await load({}, yaml)).config;
    expect(findings.off).toEqual(['USB_SLOW']);
    expect(prepare.wants).toEqual(['battery']);
    const [problem, ...others] = await problems({}, 'findings:\n  off: [USB_SLOW, USB_SLOWLY]\n');
    expect(others).toEqual([]);
    expect(problem).toMatch(
      /^findings\.off\.2 = "USB_SLOWLY" \(hostnode\.yaml:2\): must be one of PHONE_UNSTABLE, .*CLOUD_DISAGREES$/,
    );
    expect(await problems({ HOSTNODE_FINDINGS_OFF: '["NO"]' })).toEqual([
      expect.stringContaining('HOSTNODE_FINDINGS_OFF'),
    ]);
  });

  it('shows a number that is none as it was written', async () => {
    expect(await problems({}, 'adb:\n  port: .nan\n')).toEqual([
      expect.stringMatching(/^adb\.port = NaN \(hostnode\.yaml:2\): must be /),
    ]);
  });

  it('names a want that does not exist', async () => {
    expect(await problems({}, 'prepare:\n  wants: [automaton]\n')).toEqual([
      expect.stringMatching(/^prepare\.wants\.1 = "automaton" \(hostnode\.yaml:2\): must be one of manual, /),
    ]);
  });

  it('reads slots by all forms of a place', async () => {
    const paths = [
      '1-4',
      'usb:2-4.2.13',
      'pci-0000:00:14.0-usb-0:4.2',
      'pci-0000:00:14.0-usbv3-0:4',
      'platform-xhci-hcd.3.auto-usb-0:2',
      '192.168.1.7:5555',
      'bench-phone.lab:5555',
      'phone_7.lab:5555',
      '7phone:5555',
      '[fe80::1]:5555',
      '[fe80::1%eth0]:5555',
      'adb-93TAY0D3XN-jZ1UDK._adb-tls-connect._tcp',
      'adb-93TAY0D3XN-jZ1UDK (2)._adb-tls-connect._tcp.',
    ];
    const slot = { name: 'rack 2, shelf 3, bay 4', paths };
    expect((await load({ HOSTNODE_SLOTS: JSON.stringify([slot]) })).config.slots).toEqual([slot]);
  });

  it('reads the phones that are expected', async () => {
    const yaml = [
      'slots: [{ name: bay 1, paths: [1-4.2] }]',
      'inventory:',
      '  expected:',
      '    - { serial: 44424FDD7335M7, model: Pixel 5, assetTag: LAB-1, slot: bay 1, owner: Anna }',
      '    - { udid: emulator-5554@rack-2 }',
    ].join('\n');
    const { config, warnings } = await load({}, yaml);
    expect(config.inventory.expected).toEqual([
      { serial: '44424FDD7335M7', model: 'Pixel 5', assetTag: 'LAB-1', slot: 'bay 1', owner: 'Anna' },
      { udid: 'emulator-5554@rack-2' },
    ]);
    expect(warnings).toEqual([]);
  });

  it('warns of an expected phone whose slot does not exist', async () => {
    const expected = JSON.stringify([{ udid: 'a', slot: 'bay 9' }]);
    expect((await load({ HOSTNODE_INVENTORY_EXPECTED: expected })).warnings).toEqual([
      'inventory.expected.1.slot = "bay 9" (HOSTNODE_INVENTORY_EXPECTED): no slot has this name; name it in slots',
    ]);
  });

  it('refuses expected phones that are listed twice, have no name or two, or unknown keys', async () => {
    const yaml = [
      'inventory:',
      '  expected:',
      '    - { serial: X1, assetTag: LAB-1 }',
      '    - { serial: X1 }',
      '    - { udid: X1, assetTag: LAB-1 }',
      '    - { owner: Anna }',
      '    - { serial: X2, udid: X2 }',
      '    - { serial: " X3" }',
      '    - { serial: 4711 }',
      '    - { serial: X5, assettag: LAB-5 }',
    ].join('\n');
    const once = 'must be a text of at most 128 characters, which no other entry has';
    const entry = 'must be an entry with either serial or udid; also model, assetTag, slot and owner';
    expect(await problems({}, yaml)).toEqual([
      `inventory.expected.4 = {"owner":"Anna"} (hostnode.yaml:6): ${entry}`,
      `inventory.expected.5 = {"serial":"X2","udid":"X2"} (hostnode.yaml:7): ${entry}`,
      `inventory.expected.6.serial = " X3" (hostnode.yaml:8): ${once}`,
      `inventory.expected.7.serial = 4711 (hostnode.yaml:9): ${once}: put it in quotes`,
      'inventory.expected.8.assettag (hostnode.yaml:10): unknown key; did you mean inventory.expected.8.assetTag?',
    ]);
    expect(await problems({}, yaml.split('\n').slice(0, 5).join('\n'))).toEqual([
      `inventory.expected.2.serial = "X1" (hostnode.yaml:4): ${once}`,
      `inventory.expected.3.udid = "X1" (hostnode.yaml:5): ${once}`,
      'inventory.expected.3.assetTag = "LAB-1" (hostnode.yaml:5): must be a text of at most 100 characters, without leading or trailing blanks, which no other entry has',
    ]);
  });

  it('refuses slots that share a name or a path, and what is no place', async () => {
    const yaml = [
      'slots:',
      '  - name: bay 1',
      '    paths: [1-4.2, 2-4.2, 1-4.2]',
      '  - name: bay 1',
      '    paths:',
      '      - 1-5',
      '      - usb:2-4.2',
      '  - name: " bay"',
      '    paths: []',
      '  - { name: this Host, paths: [1-7] }',
      '  - { name: bay 4, paths: [f12a8ec9, 1-4.2:1.0, "usb:7", 1-, "adb-X Y._adb._tcp"], color: red }',
    ].join('\n');
    const name =
      'must be a unique name of at most 100 characters, without leading or trailing blanks; not "host", which is this host';
    const path =
      'must be a USB port (pci-0000:00:14.0-usb-0:4.2, or 1-4.2) or adb’s name for a network phone (192.168.1.7:5555), each in one slot only';
    expect(await problems({}, yaml)).toEqual([
      `slots.3.name = " bay" (hostnode.yaml:8): ${name}`,
      'slots.3.paths = [] (hostnode.yaml:9): must be a list of at least one USB port or network phone',
      `slots.4.name = "this Host" (hostnode.yaml:10): ${name}`,
      `slots.5.paths.1 = "f12a8ec9" (hostnode.yaml:11): ${path}`,
      `slots.5.paths.2 = "1-4.2:1.0" (hostnode.yaml:11): ${path}`,
      `slots.5.paths.3 = "usb:7" (hostnode.yaml:11): ${path}`,
      `slots.5.paths.4 = "1-" (hostnode.yaml:11): ${path}`,
      `slots.5.paths.5 = "adb-X Y._adb._tcp" (hostnode.yaml:11): ${path}`,
      'slots.5.color (hostnode.yaml:11): unknown key; allowed here: name, paths',
      `slots.1.paths.3 = "1-4.2" (hostnode.yaml:3): ${path}`,
      `slots.2.name = "bay 1" (hostnode.yaml:4): ${name}`,
      `slots.2.paths.2 = "usb:2-4.2" (hostnode.yaml:7): ${path}`,
    ]);
  });

  it('warns of a variable that no key has', async () => {
    expect((await load({ HOSTNODE_ADB_PROT: '1' })).warnings).toEqual([
      'HOSTNODE_ADB_PROT: unknown variable, ignored; did you mean HOSTNODE_ADB_PORT?',
    ]);
    // STATUS_PORT is as near, and begins otherwise
    expect((await load({ HOSTNODE_STATUS_PASS: '1' })).warnings).toEqual([
      'HOSTNODE_STATUS_PASS: unknown variable, ignored; did you mean HOSTNODE_STATUS_PASSWORD_FILE?',
    ]);
  });

  it('warns of it also where it is the very cause of a problem', async () => {
    const { HOSTNODE_CLOUD_USERNAME: lab, ...others } = account;
    await expect(load({ ...others, HOSTNODE_CLOUD_USER: lab })).rejects.toMatchObject({
      problems: [expect.stringMatching(/^cloud\.username: missing; /)],
      warnings: ['HOSTNODE_CLOUD_USER: unknown variable, ignored; did you mean HOSTNODE_CLOUD_USERNAME?'],
    });
  });

  it('cannot be changed once it is loaded', async () => {
    const { config } = await load(account);
    expect(() => Object.assign(config.adb, { port: 1 })).toThrow(TypeError);
    expect(() => Object.assign(config.cloud ?? {}, { username: 'x' })).toThrow(TypeError);
  });

  it('lists every problem at once, with key, value, place and what is allowed', async () => {
    const yaml = [
      'adb:',
      '  port: 99999',
      '  prot: 3',
      'cloud:',
      '  baseURL: https://x',
      '  username: "a:b"',
      '  apiKey: 12345',
      'report:',
      '  schedule: "61 * * * *"',
      'devices:',
      '  - match: {}',
      '  - match: { modle: x }',
      '    deviceName: 0123',
      '  - macth: { udid: x }',
      'frobnicate: 1',
      'logs: { level: info }',
      'status: { hostNames: ["*.lab"] }',
    ].join('\n');
    expect(await problems({ HOSTNODE_LOG_LEVEL: 'loud', HOSTNODE_PROBE_CONCURRENCY: 'many' }, yaml)).toEqual([
      'cloud.username = *** (hostnode.yaml:6): must be text without ":" (HTTP Basic authentication ends the name at a colon)',
      'cloud.apiKey = *** (hostnode.yaml:7): must be one line of text: put it in quotes',
      'cloud.baseURL (hostnode.yaml:5): unknown key; did you mean cloud.baseUrl?',
      'adb.port = 99999 (hostnode.yaml:2): must be a whole number from 1 to 65535',
      'adb.prot (hostnode.yaml:3): unknown key; did you mean adb.port?',
      'status.hostNames.1 = "*.lab" (hostnode.yaml:17): must be a host name, without a port and without *',
      'devices.1.match = {} (hostnode.yaml:11): must be at least one of udid, serial, model, brand and slot',
      'devices.2.match.modle (hostnode.yaml:12): unknown key; did you mean devices.2.match.model?',
      'devices.2.deviceName = 123 (hostnode.yaml:13): must be non-empty text: put it in quotes',
      'devices.3.macth (hostnode.yaml:14): unknown key; did you mean devices.3.match?',
      `frobnicate (hostnode.yaml:15): unknown key; allowed here: ${Object.keys(settings.shape).join(', ')}`,
      'logs (hostnode.yaml:16): unknown key; did you mean log?',
      'probe.concurrency = "many" (HOSTNODE_PROBE_CONCURRENCY): must be a whole number from 1 to 1000',
      'log.level = "loud" (HOSTNODE_LOG_LEVEL): must be one of fatal, error, warn, info, debug, trace, silent',
      'report.schedule = "61 * * * *" (hostnode.yaml:9): must be a cron expression of 5 or 6 fields, each within its range',
    ]);
  });

  it.each(['60 * * * *', '* * 1-40 * *', '0 0 31 2 *', 'every minute'])(
    'rejects the schedule %s',
    async (schedule) => {
      expect(await problems({ HOSTNODE_REPORT_SCHEDULE: schedule })).toEqual([
        `report.schedule = "${schedule}" (HOSTNODE_REPORT_SCHEDULE): must be a cron expression of 5 or 6 fields, each within its range`,
      ]);
    },
  );

  it('bounds a glob', async () => {
    const rule = (model: string) => `devices:\n  - match: { model: "${model}" }\n    isHidden: true\n`;
    expect((await load({}, rule('*'.repeat(200)))).config.devices).toHaveLength(1);
    expect(await problems({}, rule('*'.repeat(201)))).toEqual([
      `devices.1.match.model = "${'*'.repeat(79)} (hostnode.yaml:2): must be a glob of 1 to 200 characters`,
    ]);
  });

  it('names a section by its own line, not that of what stands in it', async () => {
    expect(await problems({}, '\nadbb:\n  # the lab\n  port: 1\nlog:\n\n  - level\n')).toEqual([
      expect.stringMatching(/^log \(hostnode\.yaml:5\): must be /),
      expect.stringMatching(/^adbb \(hostnode\.yaml:2\): unknown key; /),
    ]);
  });

  it('says of a number or a truth in quotes to take them away', async () => {
    const yaml = 'status:\n  port: "9477"\n  enabled: "true"\nadb:\n  port: "x"\n';
    expect(await problems({}, yaml)).toEqual([
      'adb.port = "x" (hostnode.yaml:5): must be a whole number from 1 to 65535',
      'status.enabled = "true" (hostnode.yaml:3): must be true or false: remove the quotes',
      'status.port = "9477" (hostnode.yaml:2): must be a whole number from 0 to 65535: remove the quotes',
    ]);
  });

  it('shows no value that goes round in circles or is nested too deep', async () => {
    expect(await problems({}, 'slots: &a [*a]')).toEqual([
      'slots.1 (hostnode.yaml:1): must be a section with keys of its own',
    ]);
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    expect(await problems({ HOSTNODE_DEVICES: deep })).toEqual([
      'devices.1 (HOSTNODE_DEVICES): must be a section with keys of its own',
    ]);
  });

  it('takes no template for a section that is empty', async () => {
    const why = 'not valid YAML (a key in brackets: quote a value that starts with {)';
    expect(await problems({}, 'nodeId: {{ host }}\ncloud: {{ cloud }}\n')).toEqual([
      `hostnode.yaml:1:10: ${why}`,
      `hostnode.yaml:2:9: ${why}`,
    ]);
  });

  it('says one problem once', async () => {
    expect(await problems({}, 'adb:\n  bin: []\n')).toHaveLength(1);
    const { HOSTNODE_CLOUD_BASE_URL: _, ...others } = account;
    expect(await problems(others, 'cloud:\n  baseURL: https://c.d/v1\n')).toEqual([
      'cloud.baseURL (hostnode.yaml:2): unknown key; did you mean cloud.baseUrl?',
    ]);
    const noKey = { HOSTNODE_CLOUD_BASE_URL: 'https://c.d/v1', HOSTNODE_CLOUD_USERNAME: 'lab' };
    expect(await problems(noKey, 'cloud:\n  apikeyFile: /key\n')).toEqual([
      'cloud.apikeyFile (hostnode.yaml:2): unknown key; did you mean cloud.apiKeyFile?',
    ]);
  });

  it('takes no offence at the cloud and the page where only the phones are wanted, but at all else', async () => {
    const env = {
      ...base,
      HOSTNODE_CLOUD_BASE_URL: 'https://cloud.example.com',
      HOSTNODE_STATUS_PASSWORD_FILE: dir,
    };
    const { config } = await loadConfig({ env, defaultFile: '', phonesOnly: true });
    expect(config.cloud).toBeUndefined();
    const wrong = loadConfig({ env: { ...env, HOSTNODE_ADB_PORT: '0' }, defaultFile: '', phonesOnly: true });
    await expect(wrong).rejects.toThrow(/adb\.port .*cloud\.apiKey: missing/s);
  });

  it('takes an adb server by name or address, and its port apart', async () => {
    for (const host of ['lab-1', '127.0.0.1', '::1', 'fe80::1', '::ffff:10.0.0.1'])
      expect((await load({ HOSTNODE_ADB_HOST: host })).config.adb.host).toBe(host);
    expect(await problems({ HOSTNODE_ADB_HOST: 'localhost:5037' })).toEqual([
      'adb.host = "localhost:5037" (HOSTNODE_ADB_HOST): must be a host name or an address, without a port (adb.port)',
    ]);
  });

  it.each([
    ['adb: {\n', 'hostnode.yaml:1:6: not valid YAML (this bracket is not closed)'],
    [
      'a: 1\nadb:\n  port: 1\n  host: "lab\nlog:\n  level: x\n',
      'hostnode.yaml:4:9: not valid YAML (this quote is not closed)',
    ],
    ["slots: [\n  { name: 'a }\n]\n", 'hostnode.yaml:2:11: not valid YAML (this quote is not closed)'],
    ['adb:\n\tport: 1\n', 'hostnode.yaml:2:1: not valid YAML (tab as indent)'],
    ['log: {}\nlog: {}\n', 'hostnode.yaml:2:1: not valid YAML (duplicate key)'],
    [
      'report:\n  schedule: * * * * *\n',
      'hostnode.yaml:2:13: not valid YAML (quote a value that starts with *)',
    ],
    [
      'log: {} x\n',
      'hostnode.yaml:1:9: not valid YAML (unexpected token: quote a value with such characters)',
    ],
    [
      'adb:\n  host:lab\n  port: 1\n',
      'hostnode.yaml:2:3: not valid YAML (a key needs a colon and a space behind it)',
    ],
    [
      'adb:\n  host: lab\n   port: 1\n',
      'hostnode.yaml:2:9: not valid YAML (a wrong indent, or a value with a colon: quote that)',
    ],
    [
      Buffer.from('adb:\n  host: b\xe4r\n', 'latin1'),
      'hostnode.yaml: cannot be read (not UTF-8: save it as UTF-8)',
    ],
    [
      'state:\n  dir: ~/state\n',
      'state.dir = "~/state" (hostnode.yaml:2): must be a path without ~ or $ at its beginning',
    ],
    ['- adb\n', 'hostnode.yaml: must contain keys and values, such as "adb:"'],
    [
      `a: &a [x, x]\nb: &b [*a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c, *c]\n`,
      'hostnode.yaml: not valid YAML (its aliases make too much of it: write the values out)',
    ],
    [
      'cloud:\n  apiKey: *s3cret\n',
      'hostnode.yaml: not valid YAML (an alias without an anchor: quote a value that starts with *)',
    ],
  ])('says where a file is not what it should be: %j', async (yaml, line) => {
    expect(await problems({}, yaml)).toEqual([line]);
  });

  it('wants the file that was asked for', async () => {
    const missing = loadConfig({ env: base, file: join(dir, 'missing.yaml') });
    await expect(missing).rejects.toThrow(`${dir}/missing.yaml: cannot be read (no such file or directory)`);
  });

  it('does not lose its way on a key that objects have already', async () => {
    expect(await problems({}, 'constructor: 1\n__proto__: { adb: 1 }\n')).toHaveLength(2);
  });
});

describe('the cloud', () => {
  it('is complete with address, name and key', async () => {
    const { config } = await load({ ...account, HOSTNODE_CLOUD_BASE_URL: 'https://cloud.example.com/v1/' });
    expect(config.cloud).toMatchObject({ baseUrl: 'https://cloud.example.com/v1', username: 'lab' });
    expect(config.cloud?.apiKey.reveal()).toBe('s3cret');
  });

  it('never shows its key', async () => {
    const { config } = await load(account);
    expect(
      `${config.cloud?.apiKey} ${JSON.stringify(config)} ${inspect(config, { depth: 9 })}`,
    ).not.toContain('s3cret');
  });

  it('says what is missing of it', async () => {
    expect(await problems({ HOSTNODE_CLOUD_BASE_URL: 'https://cloud.example.com' })).toEqual([
      'cloud.username: missing; set HOSTNODE_CLOUD_USERNAME or cloud.username',
      'cloud.apiKey: missing; set cloud.apiKeyFile (HOSTNODE_CLOUD_API_KEY_FILE), HOSTNODE_CLOUD_API_KEY or, under systemd, the credential cloud-api-key',
    ]);
    expect(await problems({ HOSTNODE_CLOUD_USERNAME: 'lab', HOSTNODE_CLOUD_API_KEY: 'k' })).toEqual([
      'cloud.baseUrl: missing; set HOSTNODE_CLOUD_BASE_URL or cloud.baseUrl',
    ]);
  });

  it.each([
    ['http://cloud.example.com', 'https://, or cloud.allowInsecure true'],
    ['https://lab:s3cret@cloud.example.com', 'an address without user and password'],
    ['https://cloud.example.com/v1?', 'an address without query'],
    ['https://cloud.example.com/v1#a', 'an address without query'],
    ['ftp://cloud.example.com', 'an https:// address'],
    ['cloud.example.com', 'an https:// address'],
  ])('is not at %s', async (baseUrl, mustBe) => {
    const [line, ...others] = await problems({ ...account, HOSTNODE_CLOUD_BASE_URL: baseUrl });
    expect(line).toContain(`(HOSTNODE_CLOUD_BASE_URL): must be ${mustBe}`);
    expect(line).not.toContain('s3cret');
    expect(others).toEqual([]);
  });

  it.each([
    ['http://localhost:8080/v1', {}],
    ['http://127.0.0.2:8080/v1', {}],
    ['http://[::1]:8080/v1', {}],
    ['http://cloud.example.com/v1', { HOSTNODE_CLOUD_ALLOW_INSECURE: 'true' }],
  ])('may be at %s %j', async (baseUrl, env) => {
    const { config } = await load({ ...account, ...env, HOSTNODE_CLOUD_BASE_URL: baseUrl });
    expect(config.cloud?.baseUrl).toBe(baseUrl);
  });

  it.each([
    ['HTTPS_PROXY', 'socks5://proxy.example:1080'],
    ['HTTPS_PROXY', 'http://lab:s3cret@proxy.example:99999'],
    ['https_proxy', 'proxy.example:99999'],
  ])('is not to be reached through %s=%s', async (name, address) => {
    expect(await problems({ ...account, [name]: address })).toEqual([
      'HTTPS_PROXY: must be an address like http://proxy.example:3128',
    ]);
    expect((await load({ [name]: address })).config.cloud).toBeUndefined();
  });

  it('may be reached through a proxy, and another protocol may have any', async () => {
    const env = { HTTPS_PROXY: 'proxy.example:3128', HTTP_PROXY: 'socks5://proxy.example:1080' };
    expect((await load({ ...account, ...env })).config.cloud).toBeDefined();
  });

  it('is no reason for a service not to start while its key is missing: that is said', async () => {
    const { HOSTNODE_CLOUD_API_KEY: _, ...rest } = account;
    expect(await load({ ...rest, ...startedBySystemd })).toEqual({
      config: { ...defaults, notReporting: 'the API key is missing' },
      warnings: [
        'cloud.apiKey: missing, so hostnode reports nothing; set cloud.apiKeyFile (HOSTNODE_CLOUD_API_KEY_FILE), HOSTNODE_CLOUD_API_KEY or, under systemd, the credential cloud-api-key',
      ],
      source: {},
    });
  });

  it('wants its key in a shell that a service has started', async () => {
    const { HOSTNODE_CLOUD_API_KEY: _, ...rest } = account;
    const missing = [expect.stringMatching(/^cloud\.apiKey: missing; /)];
    expect(await problems({ ...rest, INVOCATION_ID: 'c0ffee' })).toEqual(missing);
    expect(await problems({ ...rest, ...startedBySystemd, SYSTEMD_EXEC_PID: '1' })).toEqual(missing);
  });

  it.each([{}, startedBySystemd])(
    'takes a key that only root can read as there, if it is told to: %o',
    async (by) => {
      const { HOSTNODE_CLOUD_API_KEY: _, ...rest } = account;
      const credential = join(dir, 'hidden'); // leads to itself: there, and not readable for root either
      symlinkSync(credential, credential);
      const { config, warnings } = await loadConfig({
        ...{ env: { ...rest, ...by }, defaultFile: '', credential, takesHidden: true },
      });
      expect([config.cloud?.apiKey.isEmpty, warnings]).toEqual([true, []]);
    },
  );

  it('takes its key from a file that only its owner can read', async () => {
    const { HOSTNODE_CLOUD_API_KEY: _, ...rest } = account;
    const file = write('key', 'from-file\n');
    const env = { ...rest, HOSTNODE_CLOUD_API_KEY_FILE: file };
    expect((await load(env)).config.cloud?.apiKey.reveal()).toBe('from-file');
    expect((await load(env, 'cloud:\n  apiKey: lower\n')).config.cloud?.apiKey.reveal()).toBe('from-file');

    chmodSync(file, 0o640);
    expect(await problems(env)).toEqual([
      'cloud.apiKeyFile: key: other users can read it (mode 0640); run: chmod 600 key (its owner must be the agent’s user)',
    ]);
    rmSync(file);
    expect(await problems(env)).toEqual(['cloud.apiKeyFile: key: no such file']);
    expect(await problems({ ...env, HOSTNODE_CLOUD_API_KEY_FILE: dir })).toHaveLength(1);
  });

  it('takes its key from the credential of systemd where nothing else is said', async () => {
    const { HOSTNODE_CLOUD_API_KEY: key, ...rest } = account;
    mkdirSync(join(dir, 'credentials'));
    const env = { ...rest, CREDENTIALS_DIRECTORY: join(dir, 'credentials') };
    expect(await problems(env)).toHaveLength(1);
    write('credentials/cloud-api-key', 'from-credential\n', 0o444);
    expect((await load(env)).config.cloud?.apiKey.reveal()).toBe('from-credential');
    expect((await load({ ...env, HOSTNODE_CLOUD_API_KEY: key })).config.cloud?.apiKey.reveal()).toBe(key);
    expect((await load({ CREDENTIALS_DIRECTORY: env.CREDENTIALS_DIRECTORY })).config.cloud).toBeUndefined();
  });

  it('takes its key in a shell from where the service gets its credential', async () => {
    const { HOSTNODE_CLOUD_API_KEY: _, ...env } = account;
    const credential = write('credential', 'from-store\n');
    const from = (more: Environment) => loadConfig({ env: { ...env, ...more }, defaultFile: '', credential });
    expect((await from({})).config.cloud?.apiKey.reveal()).toBe('from-store');
    // a service has what systemd gives it, and nothing else
    expect((await from(startedBySystemd)).config.notReporting).toBe('the API key is missing');
    await expect(from({ CREDENTIALS_DIRECTORY: dir })).rejects.toThrow('cloud.apiKey: missing');
  });

  it('takes its key in a shell from the encrypted credential of the service, which systemd decrypts', async () => {
    const { HOSTNODE_CLOUD_API_KEY: _, ...env } = account;
    for (const name of ['store.encrypted', 'bin']) mkdirSync(join(dir, name));
    const encrypted = write('store.encrypted/key', 'terces\n');
    const bin = join(dir, 'bin');
    const credential = join(dir, 'store/key');
    const from = (more: Environment) =>
      loadConfig({ env: { ...env, PATH: `${bin}:/usr/bin:/bin`, ...more }, defaultFile: '', credential });
    const decryptedBy = (script: string) => write('bin/systemd-creds', `#!/bin/sh\n${script}\n`, 0o755);

    decryptedBy('[ "$1 $2 $4" = "decrypt --name=cloud-api-key -" ] && rev "$3"');
    expect((await from({})).config.cloud?.apiKey.reveal()).toBe('secret');
    expect((await from(startedBySystemd)).config.notReporting).toBe('the API key is missing');
    decryptedBy('echo "Failed to decrypt: Bad message" >&2; echo more >&2; exit 1');
    await expect(from({})).rejects.toThrow(
      `cloud.apiKeyFile: ${encrypted}: systemd-creds cannot decrypt it (Failed to decrypt: Bad message)`,
    );
    decryptedBy('printf "one\\ntwo\\n"');
    await expect(from({})).rejects.toThrow(`${encrypted}: must contain one line of text`);
    await expect(from({ PATH: '/none' })).rejects.toThrow(
      /systemd-creds cannot decrypt it \(spawn.* ENOENT\)/,
    );
    mkdirSync(join(dir, 'store'));
    write('store/key', 'plain\n');
    await expect(from({ PATH: '/none' })).resolves.toMatchObject({ config: { cloud: {} } });
  });

  it.each<[string, Record<string, string>, string?]>([
    [
      'an address with a slash in its password',
      { HOSTNODE_CLOUD_BASE_URL: 'https://lab:ab/cdSECRET@c.d/v1' },
    ],
    ['an address with a port and a password', { HOSTNODE_CLOUD_BASE_URL: 'https://lab:12/SECRET@c.d/v1?x' }],
    ['an address without slashes', { HOSTNODE_CLOUD_BASE_URL: 'https:lab:SECRET@c.d' }],
    ['an address with a query', { HOSTNODE_CLOUD_BASE_URL: 'https://c.d/v1?token=SECRET' }],
    ['an address that is none', { HOSTNODE_CLOUD_BASE_URL: 'lab:SECRET' }],
    ['a user with the key behind a colon', { HOSTNODE_CLOUD_USERNAME: 'lab@example.com:SECRET' }],
    ['a key where its file should be', { HOSTNODE_CLOUD_API_KEY_FILE: 'SECRET' }],
    ['a long key where its file should be', { HOSTNODE_CLOUD_API_KEY_FILE: `/SECRET${'x'.repeat(5000)}` }],
    ['a password where its file should be', { HOSTNODE_STATUS_PASSWORD_FILE: 'SECRET' }],
    ['a list in place of the section', {}, 'cloud:\n  - apiKey: SECRET\n'],
    ['the key in place of the section', {}, 'cloud: SECRET\n'],
    ['a section in place of the address', {}, 'cloud:\n  baseUrl: {apiKey: SECRET}\n'],
  ])('does not print what may be the key: %s', async (_, env, yaml = '') => {
    const said = await problems(env, yaml);
    expect(said).not.toEqual([]);
    expect(said.join('\n')).not.toContain('SECRET');
  });

  it('refuses a key beside a key file', async () => {
    expect(await problems({ ...account, HOSTNODE_CLOUD_API_KEY_FILE: write('key', 'k') })).toEqual([
      'cloud.apiKey (HOSTNODE_CLOUD_API_KEY) and cloud.apiKeyFile (HOSTNODE_CLOUD_API_KEY_FILE): set only one of the two',
    ]);
  });

  it('warns of a key in a file that anybody may read', async () => {
    const { HOSTNODE_CLOUD_API_KEY: _, ...rest } = account;
    const file = join(dir, 'hostnode.yaml');
    expect((await load(rest, 'cloud:\n  apiKey: k\n', 0o640)).warnings).toEqual([]);
    expect((await load(rest, 'cloud:\n  apiKey: k\n', 0o644)).warnings).toEqual([
      `${file}: holds the API key and anybody may read it; put it into a file of its own (cloud.apiKeyFile) or into the service's credential`,
    ]);
  });

  it('reads the authorities that it is to trust', async () => {
    const pem = `${rootCertificates.slice(0, 2).join('\n')}\n`;
    const file = write('ca.pem', pem);
    expect((await load({ ...account, HOSTNODE_CLOUD_CA_FILE: file })).config.cloud).toMatchObject({
      caFile: file,
      ca: pem,
    });
    expect(await problems({ ...account, HOSTNODE_CLOUD_CA_FILE: write('empty.pem', '') })).toEqual([
      'cloud.caFile (HOSTNODE_CLOUD_CA_FILE): empty.pem: contains no PEM certificate',
    ]);
  });

  it('refuses authorities that are half written or broken, of which TLS would say nothing', async () => {
    const pem = rootCertificates.slice(0, 2).join('\n');
    const broken = '-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n';
    for (const text of [pem.slice(0, -300), pem.slice(0, -10), `${pem}\n${broken}`]) {
      expect(await problems({ ...account, HOSTNODE_CLOUD_CA_FILE: write('ca.pem', text) })).toEqual([
        'cloud.caFile (HOSTNODE_CLOUD_CA_FILE): ca.pem: contains a broken or truncated PEM certificate',
      ]);
    }
  });
});
