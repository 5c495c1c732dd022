import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ParseError } from '../../src/base/errors.ts';
import { network, parseNetwork } from '../../src/facts/network.ts';
import type { CommandOptions } from '../../src/facts/section.ts';
import { expectFacts, samples } from '../support/corpus.ts';
import { expectOnlyParseErrors, hostileText, huge } from '../support/hostile-text.ts';
import { askPhone, hasPhoneShell } from './phone-shell.ts';

const phones = samples('connectivity');
const dump = (part: string) => phones.find(({ file }) => file.includes(part))?.text ?? '';
const lte = dump('mtk-7.x-lte');
const ethernet = dump('rk3588-12-ethernet');
const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/network/${name}.txt`, import.meta.url), 'utf8');
const wifiAgent = fixture('aosp-extended-android-10');
const hspa51 = fixture('android-5.1-hspa');
const fold17 = fixture('google-pixel-fold-android-17');
const wifi = `Active default network: 100\n\nCurrent Networks:\n${wifiAgent}`;
const captive = wifi.replace('&VALIDATED&', '&CAPTIVE_PORTAL&');
const unverified = wifi.replace('&VALIDATED&', '&').replace('lastValidated{true}', 'lastValidated{false}');
const none = 'Active default network: none\n\nCurrent Networks:\n';

/** The addresses and routes of `ifconfig` and `ip` lie in the same folder of samples; they are not asked. */
const expectedFacts: Record<string, object> = {
  'connectivity/allwinner-projector-14.txt': { status: 'REACHABLE', ipAddress: '192.168.0.106' },
  'connectivity/mtk-7.x-lte-dumpsys-connectivity-excerpt.txt': {
    status: 'REACHABLE',
    ipAddress: '10.187.29.73',
  },
  // no network was ever connected, nor disconnected: every state is UNKNOWN
  'connectivity/nexusone-miui-2.3-dumpsys-connectivity.txt': { status: 'UNKNOWN' },
  'connectivity/rk3588-12-ethernet-dumpsys-connectivity-excerpt.txt': {
    status: 'REACHABLE',
    ipAddress: '192.168.0.56',
  },
  'connectivity/smartron-t5911-8.1-dumpsys-connectivity.txt': {
    status: 'REACHABLE',
    ipAddress: '10.147.145.190',
  },
  'connectivity/xiaomi-pad6-14-vpn.txt': { status: 'REACHABLE', ipAddress: '192.168.1.54' },
};

describe('parseNetwork', () => {
  it.each(phones.filter(({ file }) => expectedFacts[file]))('reads $file', ({ file, text, expected }) => {
    expectFacts(file, parseNetwork({ connectivity: text }), expectedFacts[file]);
    if (expected.activeNetId) expect(text).toContain(`network{${expected.activeNetId}}`);
  });

  it.each(phones.filter(({ file }) => !expectedFacts[file]))('finds no network in $file', ({ text }) => {
    expect(() => parseNetwork({ connectivity: text })).toThrow(ParseError);
  });

  const host = 'connectivity.example';
  const ipAddress = '192.168.0.104';
  const answer = (line: string) => `${host}\n${line}\r\n`;

  it.each([
    [
      'an answer of 204',
      wifi,
      answer('HTTP/1.1 204 No Content'),
      { host, code: 204, status: 'REACHABLE', ipAddress },
    ],
    [
      'a redirect to a login',
      wifi,
      answer('HTTP/1.0 302 Found'),
      { host, code: 302, status: 'UNREACHABLE', ipAddress },
    ],
    [
      'a page instead',
      captive,
      answer('HTTP/1.1 200 OK'),
      { host, code: 200, status: 'UNREACHABLE', ipAddress },
    ],
    [
      'no connection, though Android had one',
      wifi,
      answer('nc: connect: Connection refused'),
      { host, status: 'UNKNOWN', ipAddress },
    ],
    [
      'no connection',
      unverified,
      answer('nc: connect timed out'),
      { host, status: 'UNREACHABLE', ipAddress },
    ],
    [
      'no such host',
      none,
      answer(`nc: ${host}: No address associated with hostname`),
      { host, status: 'UNREACHABLE' },
    ],
    ['silence', unverified, answer(''), { host, status: 'UNREACHABLE', ipAddress }],
    ['no connection, and a dump that was not answered', undefined, answer(''), { host, status: 'UNKNOWN' }],
    ['no toybox', wifi, answer('/system/bin/sh: toybox: not found'), { status: 'REACHABLE', ipAddress }],
    ['no nc in toybox', wifi, answer('toybox: Unknown command nc'), { status: 'REACHABLE', ipAddress }],
    ['a metered network that was spared', lte, '', { status: 'REACHABLE', ipAddress: '10.187.29.73' }],
    ['no probe, on a validated network', wifi, undefined, { status: 'REACHABLE', ipAddress }],
    ['no probe, behind a login page', captive, undefined, { status: 'UNREACHABLE', ipAddress }],
    ['no probe, and no network', none, undefined, { status: 'UNREACHABLE' }],
    [
      'no probe, on a network of which nothing is known',
      unverified,
      undefined,
      { status: 'UNKNOWN', ipAddress },
    ],
  ])('reports %s', (_, connectivity, probe, facts) => {
    expect(parseNetwork({ connectivity, probe })).toEqual(facts);
  });

  it('reads the default network and not the others that are connected', () => {
    const ims = wifiAgent.replace('network{100}', 'network{1001}').replace('192.168.0.104', '10.0.0.1');
    expect(parseNetwork({ connectivity: `Active default network: 100\n${ims}${wifiAgent}` })).toEqual({
      status: 'REACHABLE',
      ipAddress,
    });
  });

  it.each([
    ['Android 10', unverified],
    ['Android 5.1', hspa51.replace('lastValidated{true}', 'lastValidated{false}')],
    ['Android 17', fold17.replaceAll('&VALIDATED', '')],
  ])('does not take a network that was validated once for one that is, on %s', (_, connectivity) => {
    expect(connectivity).toMatch(/everValidated\{true\}|firstValidated/);
    expect(parseNetwork({ connectivity }).status).toBe('UNKNOWN');
  });

  it('reads the verdict of Android 5.0', () => {
    const android5 = unverified.replace('everValidated{true}', 'validated{true}');
    expect(parseNetwork({ connectivity: android5 }).status).toBe('REACHABLE');
  });

  it('reads the verdict of Android 5.1, which has no such capability', () => {
    expect(parseNetwork({ connectivity: hspa51 })).toEqual({ status: 'REACHABLE', ipAddress: '10.9.7.7' });
  });

  it('reads the mobile data of a phone on Android 17, whose IMS network is listed first', () => {
    expect(parseNetwork({ connectivity: fold17 })).toEqual({
      status: 'REACHABLE',
      ipAddress: '10.31.209.250',
    });
  });

  it('reads the address of Android 4.4, and not that of a network for MMS', () => {
    const tracker = (type: string, state: string, address: string, proxy = '') =>
      [
        `NetworkStateTracker for ${type}:`,
        `  NetworkInfo: type: ${type}[], state: ${state}, reason: (unspecified), extra: (none), roaming: false`,
        `  InterfaceName: if0 LinkAddresses: [${address}] Routes: [0.0.0.0/0 -> 192.168.1.1,] DnsAddresses: [192.168.1.1,] ${proxy}`,
        '',
      ].join('\n');
    const connectivity =
      tracker('mobile', 'DISCONNECTED/DISCONNECTED', '10.0.0.1/8,') +
      tracker('mobile_mms', 'CONNECTED/CONNECTED', '10.0.0.2/8,') +
      tracker('WIFI', 'CONNECTED/CONNECTED', 'fe80::1/64,192.168.1.5/24,', 'HttpProxy: [192.168.1.9] 8080');
    expect(parseNetwork({ connectivity })).toEqual({
      status: 'UNKNOWN',
      ipAddress: '192.168.1.5',
      proxy: true,
    });
    const glued = connectivity.replace(' HttpProxy:', ' Domains: nullMTU: 0HttpProxy:'); // Android 4.4
    expect(parseNetwork({ connectivity: glued })).toMatchObject({ proxy: true });
  });

  it('reports the IPv6 address of a network without IPv4, and not the one of the link', () => {
    const connectivity = wifi.replace('192.168.0.104/24', '2405:204:620d:c0cb:a725:bd97:159a:4f8c/64');
    expect(parseNetwork({ connectivity }).ipAddress).toBe('2405:204:620d:c0cb:a725:bd97:159a:4f8c');
  });

  it.each([
    ['lg-u-plus-lte', '2001:db8:50e3:8fca:6909:1c33:d03e:8ab4'],
    ['telekom-clat', '2001:db8:a1b:a486:9aa1:495d:81d9:5386'],
  ])('reports no address that a translation into IPv6 gives to every phone (%s)', (name, address) => {
    const connectivity = fixture(name);
    expect(connectivity).toContain('LinkAddresses: [ 192.0.0.');
    expect(parseNetwork({ connectivity })).toEqual({ status: 'REACHABLE', ipAddress: address });
  });

  const [link, ula, global, ipv4, alone] = [
    'fe80::1/64',
    'fd00:1::5/64',
    '2001:db8::5/64',
    '192.168.0.104/24',
    '169.254.3.4/16',
  ];
  it.each([
    [[link, alone, ula, global, ipv4], '192.168.0.104'],
    [[link, alone, ula, global], '2001:db8::5'],
    [[link, alone, ula], 'fd00:1::5'],
    [[link, alone], '169.254.3.4'],
    [['192.0.0.4/32'], '192.0.0.4'],
    [['192.0.0.8/24', global], '192.0.0.8'],
    [[link], undefined],
  ])('reports of the addresses %j %s', (addresses, expected) => {
    const connectivity = wifi.replace('192.168.0.104/24', addresses.join(','));
    expect(parseNetwork({ connectivity }).ipAddress).toBe(expected);
  });

  it('knows before Android 5 when nothing is connected', () => {
    const info = (state: string) => `NetworkInfo: type: WIFI[], state: ${state}, reason: (unspecified)\n`;
    const idle = info('UNKNOWN/IDLE') + info('DISCONNECTED/DISCONNECTED');
    expect(parseNetwork({ connectivity: idle })).toEqual({ status: 'UNREACHABLE' });
    expect(parseNetwork({ connectivity: idle + info('CONNECTED/CONNECTED') })).toEqual({ status: 'UNKNOWN' });
  });

  const wifiProxy = (proxy: string) => wifi.replace('Domains: null', `Domains: null HttpProxy: ${proxy}`);
  const unset = 'http_proxy=:0\n';

  it.each([
    ['no proxy', wifi, unset, false],
    ['no proxy, and no network', none, unset, false],
    ['settings of Android 6 that are not set', wifi, 'http_proxy=null\nglobal_http_proxy_host=null\n', false],
    ['empty settings', wifi, 'global_http_proxy_host=\nglobal_proxy_pac_url=\n', false],
    ['a proxy without host', wifiProxy('[ProxyProperties.mHost == null]'), unset, false],
    ['a global proxy', wifi, 'http_proxy=10.0.2.2:8888\r\n', true],
    ['a global proxy set by policy', wifi, 'global_http_proxy_host=proxy.example\n', true],
    ['a global proxy script', none, 'global_proxy_pac_url=http://proxy.example/pac\n', true],
    ['the proxy of this Wi-Fi', wifiProxy('[192.168.0.2] 8888 xl='), unset, true],
    [
      'the proxy script of this Wi-Fi',
      wifiProxy('PAC Script: http://proxy.example/pac[localhost] 40000'),
      undefined,
      true,
    ],
    ['settings that were not answered', wifi, undefined, undefined],
    ['a network that is not described', 'Active default network: 9', unset, undefined],
  ])('reports %s', (_, connectivity, proxy, hasProxy) => {
    expect(parseNetwork({ connectivity, proxy }).proxy).toBe(hasProxy);
  });

  it('keeps what one command answered when the others failed', () => {
    expect(parseNetwork({ proxy: 'http_proxy=10.0.2.2:8888' })).toEqual({ status: 'UNKNOWN', proxy: true });
  });

  it.each(["Can't find service: connectivity", 'Permission Denial: can not dump ConnectivityService', ''])(
    'throws ParseError that names the command for %j',
    (connectivity) => {
      expect(() => parseNetwork({ connectivity, proxy: '', probe: '' })).toThrow(
        /^cannot read dumpsys connectivity: /,
      );
    },
  );

  const texts = [
    ...phones.map(({ text }) => text),
    wifi,
    captive,
    hspa51,
    fold17,
    unset,
    answer('HTTP/1.1 204 No Content'),
  ];
  const parse = (text: string) => parseNetwork({ connectivity: text, proxy: text, probe: text });

  it('answers whatever befalls the texts with facts or a ParseError', () => {
    fc.assert(fc.property(hostileText(texts), (text) => expectOnlyParseErrors(parse, text)));
  });

  it.each([...texts, ' ', '\n', 'toybox: ', 'LinkAddresses: [', 'NetworkInfo: state: ', 'http_proxy=:'])(
    'comes to an end where it is huge (%#)',
    (text) => expectOnlyParseErrors(parse, huge(text)),
  );
});

describe('the commands for the network', () => {
  const commands = (options: Partial<CommandOptions>) =>
    network.commands({ shellV2: true, reachabilityOnMetered: false, telephonyIdentifiers: true, ...options });

  it('leave the probe out when no host is given, or one that a shell could misread', () => {
    for (const reachabilityHost of ['', '$(id)', 'a b', '-e', 'a;b', 'a\nb'])
      expect(Object.keys(commands({ reachabilityHost }))).toEqual(['connectivity', 'proxy']);
    expect(Object.keys(commands({}))).toEqual(['connectivity', 'proxy']);
  });
});

describe.skipIf(!hasPhoneShell)('the commands for the network, on a phone', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hostnode-calls-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A phone of this API level with this `dumpsys connectivity`; toybox nc notes the request and answers 204. */
  function ask(sdk: number, connectivity: string, reachabilityOnMetered = false, dumpSeconds = 0) {
    const commands = network.commands({
      shellV2: sdk >= 24,
      reachabilityHost: 'connectivity.example',
      reachabilityOnMetered,
      telephonyIdentifiers: true,
    });
    const settings = 'case "$*" in "get global http_proxy") echo :0;; *) echo null;; esac';
    const tools = {
      dumpsys: `/bin/sleep ${dumpSeconds}; [ "$*" = connectivity ] && echo '${connectivity.replaceAll("'", '')}'`,
      grep: 'toybox',
      ...(sdk >= 17 && { settings }),
      ...(sdk >= 23 && {
        toybox: `echo "$*" >${folder}/call; while read -r l; do echo "$l"; done >${folder}/request
          print "HTTP/1.1 204 No Content\\r\\nContent-Length: 0\\r\\n\\r"`,
      }),
    };
    const answers = Object.fromEntries(
      Object.entries(commands).map(([name, command]) => [name, askPhone(command, tools)]),
    );
    return { answers, facts: network.parse(answers) };
  }
  const kept = (name: string) => readFileSync(join(folder, name), 'utf8');

  const probed = { host: 'connectivity.example', code: 204, status: 'REACHABLE', proxy: false };

  it.each([23, 26, 28, 29, 33, 36])('fetch the page from an unmetered network on API %i', (sdk) => {
    expect(ask(sdk, ethernet).facts).toEqual({ ...probed, ipAddress: '192.168.0.56' });
    expect(kept('call')).toMatch(/^timeout [78] toybox nc -w 3 -q 4 connectivity\.example 80\n$/);
    expect(kept('request')).toBe(
      'GET /generate_204 HTTP/1.0\r\nHost: connectivity.example\r\nConnection: close\r\n\r\n',
    );
  });

  it('give up the page before the section is given up, however long the dump before took', () => {
    ask(33, ethernet, false, 2);
    expect(kept('call')).toMatch(/^timeout [56] toybox nc /);
  });

  it('fetch the page over Wi-Fi on API 23, which does not say that it is unmetered', () => {
    const samsung6 =
      'Active default network: 502\nNetworkAgentInfo{ ni{[type: WIFI[] - WIFI, state: CONNECTED/CONNECTED]}  network{502}  ' +
      'lp{{InterfaceName: wlan0 LinkAddresses: [192.168.1.135/24,] }}  nc{[ Transports: WIFI Capabilities: ' +
      'INTERNET&NOT_RESTRICTED&TRUSTED&NOT_VPN&VALIDATED LinkUpBandwidth>=1048576Kbps]}  Score{60} }';
    expect(ask(23, samsung6).facts).toEqual({ ...probed, ipAddress: '192.168.1.135' });
    rmSync(join(folder, 'call'));
    expect(ask(23, samsung6.replace(': WIFI Cap', ': CELLULAR Cap')).facts.code).toBeUndefined();
    expect(ask(28, samsung6).facts.code).toBeUndefined();
    expect(existsSync(join(folder, 'call'))).toBe(false);
  });

  it.each([26, 36])('spare a metered network on API %i', (sdk) => {
    expect(ask(sdk, lte).facts).toEqual({ status: 'REACHABLE', ipAddress: '10.187.29.73', proxy: false });
    expect(existsSync(join(folder, 'call'))).toBe(false);
  });

  it('probe a metered network where the lab allows it', () => {
    expect(ask(26, lte, true).facts).toEqual({ ...probed, ipAddress: '10.187.29.73' });
    expect(kept('call')).toMatch(/^timeout [78] toybox nc /);
  });

  it('spare a phone whose unmetered network is not the default one', () => {
    expect(ask(28, `Active default network: 5\n${wifiAgent}`).facts).toEqual({ status: 'UNKNOWN' });
  });

  it('do not probe without a network', () => {
    expect(ask(33, none).facts).toEqual({ status: 'UNREACHABLE', proxy: false });
  });

  it('take the word of Android 4.4, which has nothing to probe with', () => {
    const info = 'NetworkInfo: type: WIFI[], state: CONNECTED/CONNECTED, reason: (unspecified)';
    expect(ask(19, info).facts).toEqual({ status: 'UNKNOWN' });
  });

  it('take the word of Android 5, which has nothing to probe with', () => {
    expect(ask(21, wifi, true).facts).toEqual({
      status: 'REACHABLE',
      ipAddress: '192.168.0.104',
      proxy: false,
    });
  });

  it('do without settings on Android 4.1', () => {
    expect(ask(16, 'NetworkInfo: type: WIFI[], state: DISCONNECTED/DISCONNECTED').facts).toEqual({
      status: 'UNREACHABLE',
    });
  });

  it('bring home the few lines that count', () => {
    const { answers } = ask(36, ethernet);
    expect(answers.connectivity?.split('\n').map((line) => line.trim().slice(0, 24))).toEqual([
      'Active default network: ',
      'NetworkAgentInfo{network',
      '',
    ]);
  });
});
