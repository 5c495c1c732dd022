import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { identifiers } from '../../src/facts/identifiers.ts';
import { mobile } from '../../src/facts/mobile.ts';
import { samples } from '../support/corpus.ts';
import { ask, parcelOf, REFUSED, type TelephonyPhone } from '../support/telephony-phone.ts';

const options = { shellV2: false, reachabilityOnMetered: false, telephonyIdentifiers: true };
const IMEI = ['490154203237518', '860955020018374'];
const ICCID = ['89860045101234567890', '89860315209876543210'];
const SUB = [2, 3];
const P = 's16 com.android.shell';
const QUERY = 'content query --uri content://telephony/siminfo --projection _id:icc_id:sim_id';

const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}.txt`, import.meta.url), 'utf8');
const isub14 = fixture('mobile/isub-android-14-two-sims');
const nexusOne = samples('telephony_registry').find(({ file }) => file.includes('nexusone'))?.text ?? '';

/** Which calls a release answers: a slot's device id, a SIM's IMEI, a SIM's ICCID. */
interface Release {
  sdk: number;
  slot: (slot: number) => string;
  imei: (sub: number) => string;
  iccid?: (sub: number) => string;
  /** Calls that are tried in vain. */
  vain?: (sub: number) => string[];
}

const releases: Release[] = [
  { sdk: 22, slot: (slot) => `3 i32 ${slot}`, imei: (sub) => `4 i32 ${sub}` },
  { sdk: 23, slot: (slot) => `3 i32 ${slot}`, imei: (sub) => `4 i32 ${sub} ${P}` },
  ...[26, 28, 29].map((sdk) => ({
    sdk,
    slot: (slot: number) => `3 i32 ${slot} ${P}`,
    imei: (sub: number) => `4 i32 ${sub} ${P}`,
  })),
  ...[30, 33, 34].map((sdk) => ({
    sdk,
    slot: (slot: number) => `4 i32 ${slot} ${P}`,
    imei: (sub: number) => `5 i32 ${sub} ${P}`,
    iccid: (sub: number) => `14 i32 ${sub} ${P}`,
  })),
  {
    sdk: 35,
    slot: (slot) => `4 i32 ${slot} ${P}`,
    imei: (sub) => `5 i32 ${sub} ${P}`,
    iccid: (sub) => `15 i32 ${sub} ${P}`,
    vain: (sub) => [`14 i32 ${sub} ${P}`],
  },
  {
    sdk: 36,
    slot: (slot) => `4 i32 ${slot} ${P}`,
    imei: (sub) => `5 i32 ${sub} ${P}`,
    iccid: (sub) => `15 i32 ${sub} ${P}`,
  },
];

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
const at = <T>(list: readonly T[], index: number): T => list[index] as T;

/** `dumpsys isub` in the layout of the release, one removed SIM in the list of all. */
function isubOf(sdk: number, sims: number): string {
  const masked = sdk >= 27;
  const rows = numbers(sims).map((slot) => {
    const iccid = masked ? `${at(ICCID, slot).slice(0, 9)}[****]` : at(ICCID, slot);
    if (sdk >= 34)
      return `  [SubscriptionInfoInternal: id=${SUB[slot]} iccId=${iccid} simSlotIndex=${slot} portIndex=0]`;
    return `  {id=${SUB[slot]}${sdk >= 30 ? '' : ','} iccId=${iccid} simSlotIndex=${slot} displayName=Mein Netz mcc 262}`;
  });
  const removed = at(rows, 0).replace('id=2', 'id=9').replace('simSlotIndex=0', 'simSlotIndex=-1');
  const [active, all] =
    sdk >= 34 ? ['Active subscriptions:', 'All subscriptions:'] : [' ActiveSubInfoList:', ' AllSubInfoList:'];
  return [' defaultDataSubId=2', active, ...rows, all, removed, ...rows, '0: log {id=8', ''].join('\n');
}

const registryOf = (sims: number) =>
  `last known state:\n${numbers(sims)
    .map((slot) => `  Phone Id=${slot}\n    mDataConnectionState=${slot === 0 ? 2 : -1}\n`)
    .join('')}local logs:\n  mDataConnectionState=5\nregistrations: count=0\n  Phone Id=7 pid=1\n`;

function phoneOf({ sdk, slot, imei, iccid }: Release, sims: number): TelephonyPhone {
  const replies = numbers(sims).flatMap((number) => [
    [slot(number), parcelOf(at(IMEI, number))],
    [imei(at(SUB, number)), parcelOf(at(IMEI, number))],
    ...(iccid ? [[iccid(at(SUB, number)), parcelOf(at(ICCID, number))]] : []),
  ]);
  return {
    sdk,
    replies: Object.fromEntries(replies),
    dumps: { isub: isubOf(sdk, sims), 'telephony.registry': registryOf(sims), iphonesubinfo: '' },
    rows: numbers(sims)
      .map((number) => `Row: ${number} _id=${SUB[number]}, icc_id=${ICCID[number]}, sim_id=${number}\n`)
      .join(''),
  };
}

const carriersOf = (sims: number) =>
  numbers(sims).map((slot) => ({ slot, imei: IMEI[slot], iccid: ICCID[slot] }));

describe.skipIf(!existsSync('/usr/bin/mksh') || !existsSync('/usr/bin/toybox'))(
  'the telephony commands',
  () => {
    const questions = identifiers.commands(options);

    it('take 1000 bytes of the script at most', () => {
      const texts = [mobile.commands(), questions].flatMap((commands) => Object.values(commands));
      expect(Buffer.byteLength(texts.join(''))).toBeLessThanOrEqual(1000);
    });

    for (const release of releases) {
      it.each([1, 2])(`read the identifiers of %i SIMs on API ${release.sdk}`, (sims) => {
        const { answers, asked } = ask(phoneOf(release, sims), questions);
        const calls = [
          ...numbers(sims).map((slot) => release.slot(slot)),
          ...SUB.slice(0, sims).flatMap((sub) => [
            release.imei(sub),
            ...(release.iccid ? [release.iccid(sub)] : []),
            ...(release.vain?.(sub) ?? []),
          ]),
        ].map((call) => `service call iphonesubinfo ${call}`);
        expect(asked).toEqual(release.sdk <= 29 ? [...calls, QUERY] : calls);
        expect(identifiers.parse(answers)).toEqual({ carriers: carriersOf(sims) });
      });
    }

    it('ask a Xiaomi nothing about the SIMs that only its database remembers', () => {
      const release = at(releases, 5);
      const phone = phoneOf(release, 1);
      const [remembered, all] = [' ActiveSubInfoList in the DB:', ' AllSubInfoList:'];
      const isub = isubOf(release.sdk, 1).replace(
        all,
        `${remembered}\n  {id=3 iccId= simSlotIndex=1}\n${all}`,
      );
      const { answers, asked } = ask({ ...phone, dumps: { ...phone.dumps, isub } }, questions);
      expect(asked).not.toContain(`service call iphonesubinfo ${release.imei(3)}`);
      expect(identifiers.parse(answers)).toEqual({ carriers: carriersOf(1) });
    });

    it('read both SIMs of a later release of Android 13', () => {
      const release = { ...at(releases, 6), sdk: 33 };
      const phone = phoneOf(release, 2);
      const isub = isubOf(33, 2).replaceAll('  {id=', '  [SubscriptionInfo: id=');
      const { answers } = ask({ ...phone, dumps: { ...phone.dumps, isub } }, questions);
      expect(identifiers.parse(answers)).toEqual({ carriers: carriersOf(2) });
    });

    it('read both SIMs of an Android 15 that still counts as Android 14 did', () => {
      const release = { ...at(releases, 6), sdk: 35 };
      const { answers } = ask(phoneOf(release, 2), questions);
      expect(identifiers.parse(answers)).toEqual({ carriers: carriersOf(2) });
    });

    it.each([16, 19])('read the device id that API %i dumps, where the call is refused', (sdk) => {
      const dump = samples('iphonesubinfo').find(({ file }) => file.includes('dumpsys-4.4-gsm'))?.text ?? '';
      const { answers, asked } = ask(
        { sdk, replies: { '1': REFUSED }, dumps: { iphonesubinfo: dump, 'telephony.registry': nexusOne } },
        questions,
      );
      expect(asked).toEqual(['service call iphonesubinfo 1']);
      expect(identifiers.parse(answers)).toEqual({ carriers: [{ slot: 0, imei: '860955020018374' }] });
    });

    it('read the device ids of Android 5.0 by the SIM, a long', () => {
      const row = (slot: number) =>
        `  {mSubId=${SUB[slot]}, mIccId=${ICCID[slot]} mSlotId=${slot} mDisplayName=CARD mNameSource=0}`;
      const { answers, asked } = ask(
        {
          sdk: 21,
          replies: {
            '1': parcelOf(at(IMEI, 1)),
            '2 i32 2 i32 0': parcelOf(at(IMEI, 0)),
            '2 i32 3 i32 0': parcelOf(at(IMEI, 1)),
          },
          dumps: {
            isub: [' ActiveSubInfoList:', row(0), row(1), ' AllSubInfoList:', row(0), ''].join('\n'),
            'telephony.registry': registryOf(2),
            iphonesubinfo: '',
          },
        },
        questions,
      );
      expect(asked).toEqual([
        'service call iphonesubinfo 1',
        'service call iphonesubinfo 2 i32 2 i32 0',
        'service call iphonesubinfo 2 i32 3 i32 0',
      ]);
      expect(identifiers.parse(answers)).toEqual({ carriers: carriersOf(2) });
    });

    it.each([
      [32, P],
      [33, 's16 root'],
    ])('name on API %i the package that root may name', (sdk, name) => {
      const { asked } = ask({ sdk, uid: 0, dumps: { 'telephony.registry': registryOf(1) } }, questions);
      expect(asked).toEqual([`service call iphonesubinfo 4 i32 0 ${name}`]);
    });

    it('find no identifiers on a tablet without telephony', () => {
      const missing = 'service: Service iphonesubinfo does not exist\n';
      const { answers } = ask({ sdk: 34, replies: { [`4 i32 0 ${P}`]: missing } }, questions);
      expect(identifiers.parse(answers)).toEqual({ carriers: [] });
    });

    it.each([
      ['Android 2.3', { sdk: 10, dumps: { 'telephony.registry': nexusOne } }, { dataState: 'DISCONNECTED' }],
      ['a phone without telephony', { sdk: 34 }, {}],
      [
        'two SIMs on Android 14',
        { sdk: 34, dumps: { 'telephony.registry': registryOf(2), isub: isub14 } },
        {
          dataState: 'CONNECTED',
          subscriptions: [
            { slot: 0, subId: 2 },
            { slot: 1, subId: 3 },
          ],
        },
      ],
    ])('read the mobile facts of %s', (_, phone, facts) => {
      expect(mobile.parse(ask(phone, mobile.commands()).answers)).toEqual(facts);
    });

    it('leave names and phone numbers on the phone', () => {
      const { answers } = ask({ sdk: 34, dumps: { isub: isub14 } }, mobile.commands());
      expect(answers.isub).not.toMatch(/displayName|number|imsi/);
    });

    it('bring home which APNs are connected', () => {
      const registry = registryOf(1).replace('local logs:', '  mConnectedApns=[[ims]]\nlocal logs:');
      const { answers } = ask({ sdk: 28, dumps: { 'telephony.registry': registry } }, mobile.commands());
      expect(mobile.parse(answers).dataState).toBe('DISCONNECTED');
    });

    it('show a dump that timed out as what it is', () => {
      const text = "*** SERVICE 'telephony.registry' DUMP TIMEOUT (10000ms) EXPIRED ***\n";
      const { answers } = ask({ sdk: 30, dumps: { 'telephony.registry': text } }, mobile.commands());
      expect(() => mobile.parse(answers)).toThrow('DUMP TIMEOUT');
    });

    it('read the same facts from the corpus as printed and as reduced on the phone', () => {
      for (const { text } of samples('telephony_registry')) {
        const dumps = { 'telephony.registry': text, isub: isub14 };
        expect(mobile.parse(ask({ sdk: 30, dumps }, mobile.commands()).answers)).toEqual(
          mobile.parse({ registry: text, isub: isub14 }),
        );
      }
    });
  },
);
