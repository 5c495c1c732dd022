import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redactor } from '../../../src/cli/redaction/redactor.ts';
import { mask, StandIns } from '../../../src/cli/redaction/stand-in.ts';
import { hasCheckDigit } from '../../../src/facts/identifier-form.ts';
import { parseParcelString } from '../../../src/facts/parcel.ts';
import { samples } from '../../support/corpus.ts';
import { hostileText } from '../../support/hostile-text.ts';
import { parcelOf } from '../../support/telephony-phone.ts';

const redactor = (texts: string[], known: string[] = []) =>
  new Redactor({ texts, known, standIns: new StandIns() });
const masked = (text: string, known: string[] = []) => new Redactor({ texts: [text], known }).text(text);

describe('a stand-in', () => {
  it.each([
    ['490154203237518', /^00101\d{10}$/],
    ['89860045101234567890', /^898600451\d{11}$/],
    ['898600A01234567890B1', /^898600A01\d{9}[A-E]\d$/],
    ['898600A012345678901F', /^898600A01\d{10}F$/],
    ['99000646475557', /^99\d{12}$/],
    ['49015420323751', /^49\d{12}$/],
    ['A10000009296F2', /^[A-F]\d{11}[A-F]\d$/],
    ['192.168.178.23', /^192\.168\.\d{3}\.\d\d$/],
    ['10.0.0.5', /^10\.0\.0\.[1-9]$/],
    ['192.0.0.4', /^192\.0\.0\.[0-7]$/],
    ['10.007.00.255', /^10\.00[1-9]\.00\.255$/],
    ['a4:2b:b0:c1:d2:e3', /^[a-f]\d:\d[a-f]:[a-f]\d:[a-f]\d:[a-f]\d:[a-f]\d$/],
    ['fe80::3e5a:b4ff:fe01:203', /^fe80::[1-9a-f][\da-f]{3}:[\da-f]{4}:[\da-f]{4}:[\da-f]{3}$/],
    ['R58M90ABCDE', /^[A-Z]\d\d[A-Z]\d\d[A-Z]{5}$/],
    ['Annas Telefon ☎ Küche', /^[A-Z][a-z]{4} [A-Z][a-z]{6} . [A-Z]\p{L}[a-z]{3}$/u],
  ])('of %s has its form and is another', (value, form) => {
    for (let i = 0; i < 50; i += 1) {
      const standIn = new StandIns().of(value);
      expect(standIn).toMatch(form);
      expect(standIn).not.toBe(value);
      expect(Buffer.byteLength(standIn)).toBe(Buffer.byteLength(value));
    }
  });

  it('has a right check digit where the value has one, and a wrong one where not', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 14, maxLength: 20 });
    fc.assert(
      fc.property(digits, (value) => {
        expect(hasCheckDigit(new StandIns().of(value))).toBe(hasCheckDigit(value));
      }),
    );
  });

  it('is the same for the same value, whatever its case and separators', () => {
    const standIns = new StandIns();
    const colons = standIns.of('a4:2b:b0:c1:d2:e3');
    expect(standIns.of('A4-2B-B0-C1-D2-E3')).toBe(colons.toUpperCase().replaceAll(':', '-'));
    expect(standIns.of('a42bb0c1d2e3')).toBe(colons.replaceAll(':', ''));
  });

  it('is another for each address of a network', () => {
    const standIns = new StandIns();
    const addresses = Array.from({ length: 254 }, (_, index) => `192.168.1.${index + 1}`);
    const drawn = addresses.map((address) => standIns.of(address));
    expect(new Set(drawn).size).toBe(addresses.length);
    expect(drawn.filter((standIn, index) => standIn === addresses[index])).toEqual([]);
  });

  it('is never a value that somebody has', () => {
    const standIns = new StandIns();
    for (const digit of '23456789') standIns.reserve(digit);
    expect(['0', '1']).toContain(standIns.of('5'));
  });
});

describe('what is replaced', () => {
  it('are both columns of a reply of service call, alike', () => {
    const imei = '490154203237518';
    const written = redactor([parcelOf(imei)]).text(parcelOf(imei));
    const read = parseParcelString(written) ?? '';
    expect(read).toMatch(/^00101\d{10}$/);
    expect(written).toBe(parcelOf(read));
  });

  it.each([
    '0x00000000: 00000000[R58M90ABCDE]',
    "0x00000000: 00000000 '....R58M90ABCDE'",
    "0x00000000: 00000000 'R58M90ABCDE'",
    'R58M90ABCDE: Parcel(00000000)',
  ])('is what stands around a row of such a reply: %s', (text) => {
    expect(masked(text, ['R58M90ABCDE'])).not.toMatch(/R58M90|0ABCDE/);
  });

  it('is a value also where nothing around tells what it is', () => {
    const text = '[ro.serialno]: [R58M90ABCDE]\nlog of r58m90abcde: begin\n';
    const written = redactor([text]).text(text);
    const [, serial = ''] = /\[ro\.serialno\]: \[(.*)\]/.exec(written) ?? [];
    expect(written).toBe(`[ro.serialno]: [${serial}]\nlog of ${serial.toLowerCase()}: begin\n`);
  });

  it.each([
    '[ro.build.version.incremental]: [20220601123456]\n',
    '[ro.build.fingerprint]: [Xiaomi/psyche/psyche:12/RKQ1.211001.001/V13.0.5.0:user/release-keys]\n',
    '[ro.serialno]: [0123456789ABCDEF]\n[ro.boot.serialno]: [unknown]\n',
    '[ro.product.model]: [Pixel 5]\nname=Pixel 5\nname=null\n',
    '[ro.board.platform]: [mt6797]\nname=mt6797\n',
    '{id=1 iccId=894430300[****] simSlotIndex=0\n',
    "Result: Parcel(00000000 ffffffff   '........')\n",
    'SSID: <unknown ssid>, BSSID: 02:00:00:00:00:00\n',
    'http_proxy=:0\nglobal_http_proxy_host=null\nDomains: null\n',
    'LinkAddresses: [ ::1/128,127.0.0.1/8 ] 0.0.0.0/0 255.255.255.0\n',
    'MemTotal:        7730940 kB\n4096 59277312 13776224 13743456 f2f52010\n',
  ])('is nothing that all phones of a model have alike, or that says nothing: %j', (text) => {
    expect(redactor([text]).text(text)).toBe(text);
  });

  it('is a name in any script', () => {
    const text = 'name=张三的手机\nname=Телефон Анны\nSSID: "我家", BSSID: a4:2b:b0:c1:d2:e3\n';
    const written = redactor([text]).text(text);
    expect(written).toHaveLength(text.length);
    expect(['张三', '手机', 'Анны', '我家', 'a4:2b'].filter((part) => written.includes(part))).toEqual([]);
  });

  it('hides a whole Wi-Fi’s name that stands in quotes, whatever is in it', () => {
    const extra = 'reason: (unspecified), extra: "Smith, John [up]", roaming: false';
    expect(masked(`${extra}\nSSID: "Smith, Anna"\n`)).toBe(
      'reason: (unspecified), extra: "Sm************p]", roaming: false\nSSID: "*********na"\n',
    );
  });

  it('is not the name of a maker that a network bears as well', () => {
    const text = '[ro.product.brand]: [samsung]\nSSID: "samsung"\n';
    expect(redactor([text]).text(text)).toMatch(/^\[ro\.product\.brand\]: \[samsung\]\nSSID: "[a-z]{7}"\n$/);
  });

  it('keeps the length of every line, whatever befalls the text', () => {
    const texts = ['iphonesubinfo', 'connectivity', 'getprop', 'telephony_registry', 'isub'].flatMap(
      (section) => samples(section).map(({ text }) => text.slice(0, 20_000)),
    );
    fc.assert(
      fc.property(hostileText(texts), (text) => {
        const written = redactor([text]).text(text);
        expect(written.split('\n').map(({ length }) => length)).toEqual(
          text.split('\n').map(({ length }) => length),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('comes to an end for a lot of anything', () => {
    for (const unit of [
      'a',
      '1',
      ':',
      '.',
      '[a]: [\n',
      'a@',
      '1.',
      'f:',
      'SSID=',
      '"',
      '00000000 ',
      ' 0x00000000: 00000000 ',
    ]) {
      const text = unit.repeat(200_000 / unit.length);
      expect(redactor([text]).text(text)).toHaveLength(text.length);
    }
  }, 60_000);
});

describe('a mask', () => {
  it.each([
    ['490154203237518', '49***********18'],
    ['f12a8ec9', '******c9'],
    ['R58M', '****'],
    ['Küche', '*****'],
    ['😀😀😀😀😀😀', '********😀😀'],
  ])('of %s is %s', (value, expected) => {
    expect(mask(value)).toBe(expected);
  });

  it('lies over a number in both columns of a reply of service call', () => {
    expect(parseParcelString(masked(parcelOf('490154203237518')))).toBe('49***********18');
  });
});
