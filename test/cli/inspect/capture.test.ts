import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { version } from '../../../src/base/version.ts';
import { capture } from '../../../src/cli/inspect/capture.ts';
import { SimulatedPhone } from '../../../src/demo/phone.ts';
import { recordings } from '../../../src/demo/phones/index.ts';
import type { Facts } from '../../../src/facts/index.ts';
import { filesOf, meet, playCapture } from '../../support/encounter.ts';
import { parcelOf } from '../../support/telephony-phone.ts';

const online = recordings.filter(({ state }) => state === 'device');
const named = (title: string) => {
  const recording = online.find((each) => each.title.includes(title));
  if (recording === undefined) throw new Error(`no recording of a ${title}`);
  return recording;
};

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hostnode-capture-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const now = new Date('2026-01-31T23:59:59Z');

/** Captures a phone and says into which folder. */
async function captured(phone: SimulatedPhone, known: string[] = []): Promise<string> {
  const folder = await capture(await meet(phone), { directory, known, now });
  if (folder === undefined) throw new Error('nothing was captured');
  return folder;
}

/** The form of an identifier: what a stand-in has in common with it. */
const formOf = (value: string | undefined) =>
  value
    ?.replace(/[a-f\d]/g, 'x')
    .replace(/[g-z]/g, 'a')
    .replace(/[A-Z]/g, 'A');

/** Facts with each identifier as its form. */
function withoutIdentifiers({ boot, identity, name, network, identifiers, ...facts }: Facts) {
  return {
    ...facts,
    boot: { ...boot, bootId: formOf(boot?.bootId) },
    identity: { ...identity, serialNumber: formOf(identity?.serialNumber) },
    nameLength: name?.givenName?.length,
    network: { ...network, ipAddress: network?.ipAddress?.replace(/\d/g, '1') },
    carriers: identifiers?.carriers.map(({ imei, meid, iccid, slot }) => ({
      slot,
      imei: imei?.length,
      meid: meid?.length,
      iccid: iccid?.length,
    })),
  };
}

describe('a captured phone', () => {
  it.each(online)('$title: says the same as the live one, apart from who it is', async (recording) => {
    const live = await meet(new SimulatedPhone(recording));
    const folder = await capture(live, { directory, known: [], now });
    const played = await meet(playCapture(folder ?? ''));
    expect(played.snapshot?.failures).toEqual(live.snapshot?.failures);
    expect(withoutIdentifiers(played.snapshot?.facts ?? {})).toEqual(
      withoutIdentifiers(live.snapshot?.facts ?? {}),
    );
  });

  it('leaves nothing where a file of it cannot be written', async () => {
    const met = await meet(new SimulatedPhone(named('12X')));
    const answers = met.snapshot?.rawAnswers?.answers as Map<string, unknown>;
    answers.set('x'.repeat(300), { outcome: { kind: 'answered', text: '', exitCode: 0 } });
    await expect(capture(met, { directory, known: [], now })).rejects.toThrow('ENAMETOOLONG');
    expect(readdirSync(directory)).toEqual([]);
  });

  it('lies in a folder named by maker, model and Android, in files for its owner alone', async () => {
    const folder = await captured(new SimulatedPhone(named('12X')));
    expect(readdirSync(directory)).toEqual(['xiaomi-2112123ag-android-12']);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const modes = readdirSync(folder).map((file) => statSync(join(folder, file)).mode & 0o777);
    expect(new Set(modes)).toEqual(new Set([0o600]));
    const { serial, ...phone } = JSON.parse(filesOf(folder).get('phone.json') ?? '');
    expect(serial).toMatch(/^[\da-f]{8}$/);
    expect(phone).toEqual({
      state: 'device',
      sdk: 31,
      shellService: 'shell,v2,raw',
      capturedOn: '2026-01-31',
      hostnode: version,
      exitCodes: {},
      unanswered: {},
    });
  });

  it.skipIf(process.getuid?.() !== 0)(
    'follows as root no link that another user may have put there',
    async () => {
      const elsewhere = mkdtempSync(join(tmpdir(), 'hostnode-capture-'));
      chmodSync(elsewhere, 0o755);
      chownSync(directory, 65_534, 65_534);
      symlinkSync(elsewhere, join(directory, 'xiaomi-2112123ag-android-12'));
      const folder = join(directory, 'xiaomi-2112123ag-android-12-2');
      expect(await captured(new SimulatedPhone(named('12X')))).toBe(folder);
      expect([readdirSync(elsewhere), statSync(elsewhere).mode & 0o777]).toEqual([[], 0o755]);
      rmSync(elsewhere, { recursive: true });
    },
  );

  it('overwrites nothing: a taken name gets a number', async () => {
    const phone = () => new SimulatedPhone(named('12X'));
    const first = join(directory, 'xiaomi-2112123ag-android-12');
    expect(await captured(phone())).toBe(first);
    const before = filesOf(first);
    writeFileSync(`${first}-2`, 'a file of this name');
    expect(await captured(phone())).toBe(`${first}-3`);
    expect(filesOf(first)).toEqual(before);
  });

  it('has no file of a command that hung, and says so', async () => {
    const phone = new SimulatedPhone(named('12X'));
    phone.disturb('root.version', { kind: 'hang' });
    const files = filesOf(await captured(phone));
    expect(files.has('root.version.txt')).toBe(false);
    expect(JSON.parse(files.get('phone.json') ?? '').unanswered).toEqual({ 'root.version': 'timed-out' });
  });

  it('has no folder when hostnode cannot reach the phone', async () => {
    const locked = recordings.find(({ state }) => state === 'unauthorized');
    if (locked === undefined) throw new Error('no unauthorized phone');
    const encounter = await meet(new SimulatedPhone(locked));
    expect(await capture(encounter, { directory, known: [], now })).toBeUndefined();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('gets other stand-ins each time', async () => {
    const serials = [];
    for (let i = 0; i < 3; i += 1) {
      const folder = await captured(new SimulatedPhone(named('12X')));
      serials.push(JSON.parse(filesOf(folder).get('phone.json') ?? '').serial);
    }
    expect(new Set(serials).size).toBe(3);
  });
});

/** Everything that could lead to a phone, its owner or its place; none of it is anybody's. */
const secrets = {
  serial: 'R58M90ABCDE',
  otherSerial: 'ZX1G22BBQQ',
  imei: '490154203237518',
  secondImei: '356938035643809',
  invalidImei: '356938035643801',
  meid: 'A10000009296F2',
  esn: '80D2A8C1',
  imsi: '262019876543217',
  iccid: '8949020000012345678',
  secondIccid: '89860045101234567890',
  line: '+491711234567',
  caller: '01719876543',
  ssid: 'Anna und Bernd 5G',
  shortSsid: 'AvM7',
  bssid: 'a4:2b:b0:c1:d2:e3',
  wifiMac: '3C:5A:B4:01:02:03',
  bluetoothMac: '9c:b6:d0:aa:bb:cc',
  address: '192.168.178.23',
  publicAddress: '87.123.45.67',
  address6: '2a02:8071:b82:1c00:3e5a:b4ff:fe01:203',
  linkLocal6: 'fe80::3e5a:b4ff:fe01:203',
  proxyHost: 'proxy.lab-koeln.example',
  pacPath: 'k7oeln/t0ken',
  domain: 'fritz-annas.box',
  cell: '27447297',
  trackingArea: '51423',
  latitude: '50.937531',
  androidId: '9774d56d682e549c',
  account: 'anna.schmitz@mail.example',
  givenName: 'Annas Telefon ☎ Küche',
  hostname: 'android-4f8a1c2e9b7d6035',
  bootId: '0f9b8c7d-6e5f-4a3b-8c2d-1e0f9a8b7c6d',
  vendorSerial: 'F4GH88TT21KLMN',
};

/** A phone that tells all of it, in all the ways that phones do. */
function talkative(): SimulatedPhone {
  const recording = named('12X');
  const phone = new SimulatedPhone({ ...recording, serial: secrets.serial });
  const s = secrets;
  const add = (name: string, ...lines: string[]) =>
    phone.alter(name, (text) => `${text}${lines.map((line) => `${line}\n`).join('')}`);
  add(
    'identity.properties',
    `[ro.vendor.ril.oem.imei]: [${s.imei},${s.secondImei}]`,
    `[persist.radio.imei]: [${s.imei}]`,
    `[persist.radio.imei1]: [${s.invalidImei}]`,
    `[ro.ril.oem.meid]: [${s.meid}]`,
    `[ril.iccid.sim1]: [${s.iccid}]`,
    `[ril.serialnumber]: [${s.otherSerial}]`,
    `[ro.boot.ap_serial]: [${s.vendorSerial}]`,
    `[sys.vendor.note]: [made for ${s.vendorSerial.toLowerCase()} only]`,
    `[ro.boot.wifimacaddr]: [${s.wifiMac}]`,
    `[persist.service.bdroid.bdaddr]: [${s.bluetoothMac}]`,
    `[vendor.bt.raw]: [${s.bluetoothMac.replaceAll(':', '')}]`,
    `[net.hostname]: [${s.hostname}]`,
    `[dhcp.wlan0.ipaddress]: [${s.address}]`,
    `[dhcp.wlan0.note]: [${s.address6}]`,
    `[persist.sys.owner.email]: [${s.account}]`,
    `[ro.product.serial]: [${s.serial}]`,
  );
  phone.alter('name.settings', () => `name=${s.givenName}\nname=null\n`);
  phone.alter('boot.clock', (text) => text.replace(/^\S+/, s.bootId));
  add('boot.properties', `[persist.radio.imsi]: [${s.imsi}]`);
  add(
    'network.connectivity',
    `  NetworkAgentInfo{network{9} ni{WIFI CONNECTED extra: "${s.ssid}"} lp{{InterfaceName: wlan0 LinkAddresses: [ ${s.linkLocal6}/64,${s.address6}/64,${s.address}/24 ] DnsAddresses: [ /${s.publicAddress} ] Domains: ${s.domain} HttpProxy: [${s.proxyHost}] 8080 }} nc{[ SSID: "${s.shortSsid}" TransportInfo: <SSID: "${s.ssid}", BSSID: ${s.bssid}, MAC: ${s.wifiMac.toLowerCase()}>]}}`,
    `  mWifiInfo SSID: ${s.ssid}, BSSID: ${s.bssid}`,
    `  requests "${s.shortSsid}"`,
  );
  add(
    'network.proxy',
    `http_proxy=${s.proxyHost}:3128`,
    `global_proxy_pac_url=http://${s.proxyHost}/${s.pacPath}.pac`,
  );
  add(
    'mobile.registry',
    `    mCallIncomingNumber=${s.caller}`,
    `    mCellLocation=[${s.trackingArea},${s.cell},-1]`,
    `    mCellInfo=[CellInfoLte:{mRegistered=YES CellIdentityLte:{ mCi=${s.cell} mPci=271 mTac=${s.trackingArea} mEarfcn=6300}}]`,
    `    mCdmaCell latitude=${s.latitude}`,
  );
  add(
    'mobile.isub',
    `  {id=2 iccId=${s.iccid} simSlotIndex=1 displayName=Anna Schmitz carrierName=x number=${s.line}}`,
  );
  add('identifiers.dump', 'Phone Subscriber Info:', `  Device ID = ${s.esn}`);
  add(
    'identifiers.rows',
    `Row: 0 _id=1, icc_id=${s.secondIccid}, sim_id=0, number=${s.line}, imsi=${s.imsi}`,
  );
  phone.alter('identifiers.calls', () =>
    ['slot 0', s.imei, 'slot 1', s.secondImei, 'call 14', s.iccid, 'call 15', s.line, 'call 13', s.caller]
      .map((each) => (/^(?:slot|call)/.test(each) ? `${each}\n` : parcelOf(each)))
      .join(''),
  );
  add('root.id', `Account {name=${s.account}, type=com.example}`, `android_id=${s.androidId}`);
  add('root.version', `UserInfo{0:Anna Schmitz:13} serial=${s.otherSerial}`);
  return phone;
}

/** Each text in what `service call` printed, beside the printed one. */
const alsoInParcels = (text: string): string => {
  const words = Array.from(text.matchAll(/\b[\da-f]{8}\b/g), ([word]) => Number.parseInt(word, 16));
  const units = words.flatMap((word) => [word & 0xffff, word >>> 16]);
  const shown = Array.from(text.matchAll(/'([^'\n]*)'/g), ([, ascii]) => ascii?.replaceAll('.', '')).join('');
  return `${text}\n${String.fromCharCode(...units)}\n${shown}`;
};

describe('a capture of a phone that tells everything', () => {
  it('holds none of it, in whatever spelling', async () => {
    const phone = talkative();
    const live = await meet(phone);
    const said = [...(live.snapshot?.rawAnswers?.answers.values() ?? [])]
      .map(({ outcome }) => (outcome?.kind === 'answered' ? outcome.text : ''))
      .join('\n');
    const rawAnswers = alsoInParcels(said).toLowerCase();
    // that each was said is what makes the second half of the test worth something
    expect(
      Object.entries(secrets).filter(([, secret]) => !rawAnswers.includes(secret.toLowerCase())),
    ).toEqual([]);

    // a stand-in may hold five digits by chance; three of them do not
    const captures: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const folder = (await capture(live, { directory: join(directory, `${count}`), known: [], now })) ?? '';
      captures.push(alsoInParcels([...filesOf(folder).values()].join('\n')).toLowerCase());
    }
    const found = [...Object.values(secrets), 'Anna', secrets.bluetoothMac.replaceAll(':', '')].filter(
      (secret) => captures.every((written) => written.includes(secret.toLowerCase())),
    );
    expect(captures.every((written) => written.length > 10_000)).toBe(true);
    expect(found).toEqual([]);
  });

  it('is read as before: valid where it was valid, alike where it was alike', async () => {
    const live = await meet(talkative());
    const played = await meet(playCapture((await capture(live, { directory, known: [], now })) ?? ''));
    expect(withoutIdentifiers(played.snapshot?.facts ?? {}).carriers).toEqual(
      withoutIdentifiers(live.snapshot?.facts ?? {}).carriers,
    );
    expect(played.info.udid).toBe(played.info.serialNumber === undefined ? '' : played.listed?.serial);
    expect(played.info.deviceName).toHaveLength(secrets.givenName.length);
  });

  it('does not name the host that a lab has its phones probe', async () => {
    const phone = new SimulatedPhone(named('12X'));
    phone.alter('network.probe', () => 'check.lab-koeln.example\nHTTP/1.0 204 No Content\n');
    const folder = await captured(phone, ['check.lab-koeln.example']);
    expect(filesOf(folder).get('network.probe.txt')).toMatch(
      /^[a-z]{5}\.[a-z]{3}-[a-z]{5}\.[a-z]{7}\nHTTP\/1.0 204/,
    );
  });
});
