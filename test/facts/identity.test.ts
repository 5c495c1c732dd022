import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../src/base/errors.ts';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import { parseIdentity } from '../../src/facts/identity.ts';
import { expectFacts, samples } from '../support/corpus.ts';
import { expectOnlyParseErrors, hostileText, huge } from '../support/hostile-text.ts';

const phones = samples('getprop');
const soldAs: Record<string, string> = {
  'getprop/lg-v60-11.txt': 'V60 ThinQ 5G',
  'getprop/poco-f6-peridot-15.txt': 'POCO F6',
  'getprop/poco-x5pro-redwood-12.txt': 'POCO X5 Pro 5G',
  'getprop/xiaomi-12x-psyche-12.txt': 'Xiaomi 12X',
};
const emulators = ['getprop/waydroid-11-grep.txt'];

describe('parseIdentity', () => {
  it.each(phones)('reads who $device is', ({ file, text, expected }) => {
    expectFacts(
      file,
      parseIdentity(text),
      omitUndefined({
        serialNumber: expected['ro.serialno'],
        androidRelease: expected['ro.build.version.release'],
        build: /^\[ro\.build\.version\.incremental\]: \[([^\]\r]+)\]/m.exec(text)?.[1],
        sdk: expected['ro.build.version.sdk'] && Number(expected['ro.build.version.sdk']),
        model: expected['ro.product.model'],
        brand: expected['ro.product.brand'] || expected['ro.product.odm.brand'],
        manufacturer: expected['ro.product.manufacturer'],
        marketingName: soldAs[file],
        cpuAbi: expected['ro.product.cpu.abi'],
        isEmulator: emulators.includes(file),
      }),
    );
  });

  it('falls back to the boot loader’s serial number and keeps placeholders as they are', () => {
    expect(parseIdentity('[ro.boot.serialno]: [7c7fc9c2]\n[ro.serialno]: []\n').serialNumber).toBe(
      '7c7fc9c2',
    );
    expect(parseIdentity('[ro.serialno]: [0123456789ABCDEF]\n').serialNumber).toBe('0123456789ABCDEF');
    expect(parseIdentity('[ro.serialno]: [unknown]\n').serialNumber).toBe('unknown');
  });

  it('leaves out what is empty or unknown', () => {
    const text = '[ro.product.brand]: []\n[ro.product.manufacturer]: [unknown]\n[ro.product.model]: [X]\n';
    expect(parseIdentity(text)).toEqual({ model: 'X', isEmulator: false });
  });

  // a wall panel with an empty brand, and a Moto Z with a system image that names no model
  it('takes what the build does not say from the first partition that does', () => {
    const brand =
      '[ro.product.brand]: []\n[ro.product.odm.brand]: [Allwinner]\n[ro.product.system.brand]: [AOSP]\n';
    expect(parseIdentity(brand)).toEqual({ brand: 'Allwinner', isEmulator: false });
    const model = '[ro.product.system.model]: [Phh-Treble with GApps]\n[ro.product.vendor.model]: [Moto Z]\n';
    expect(parseIdentity(model)).toEqual({ model: 'Moto Z', isEmulator: false });
    const manufacturer =
      '[ro.product.vendor.manufacturer]: [unknown]\n[ro.product.system.manufacturer]: [rockchip]\n';
    expect(parseIdentity(manufacturer)).toEqual({ manufacturer: 'rockchip', isEmulator: false });
    expect(parseIdentity(`${model}[ro.product.model]: [XT1650]\n`).model).toBe('XT1650');
  });

  // an Allwinner H313 TV box
  it('takes the Android of the build of a TV box, not the one that it shows', () => {
    const shown = '[ro.build.version.release]: [15.0]\n[ro.build.version.sdk]: [29]\n';
    const built = '[ro.product.build.version.release]: [10]\n[ro.product.build.version.sdk]: [29]\n';
    expect(parseIdentity(shown + built).androidRelease).toBe('10');
    expect(parseIdentity(built + shown).androidRelease).toBe('10');
  });

  it.each([
    ['14.0', '24', 'REL', '7.0', 'a tablet from a market place'],
    ['15.0', '29', 'REL', '10', 'a TV box without another word on it'],
    ['14.0', '24', '', '7.0', 'nothing of a preview'],
    ['12', '32', 'REL', '12', 'two levels of one number'],
    ['7.1.2', '25', 'REL', '7.1.2', 'more exact than the level'],
    ['4.4.2', '22', 'REL', '4.4.2', 'older than the level'],
    ['16', '35', 'Baklava', '16', 'a preview'],
    ['18', '38', 'REL', '18', 'a level that is not known yet'],
    ['14', '', 'REL', '14', 'no level'],
  ])('reads %s with the API level %j and the codename %j as %s: %s', (shown, sdk, codename, release) => {
    const text = `[ro.build.version.release]: [${shown}]\n[ro.build.version.sdk]: [${sdk}]\n`;
    const named = codename && `[ro.build.version.codename]: [${codename}]\n`;
    expect(parseIdentity(text + named).androidRelease).toBe(release);
  });

  it.each([
    ['13', '33', '10', '29', 'a system image of another maker'],
    ['8.1.0', '27', '', '27', 'no such property'],
    ['Tiramisu', '32', '12', '32', 'a preview'],
    ['12', '32', '12L', '32', 'the same number'],
  ])('keeps what is shown: %s of %s, built as %s of %s: %s', (shown, sdk, built, builtSdk) => {
    const text = `[ro.build.version.release]: [${shown}]\n[ro.build.version.sdk]: [${sdk}]
[ro.product.build.version.release]: [${built}]\n[ro.product.build.version.sdk]: [${builtSdk}]\n`;
    expect(parseIdentity(text).androidRelease).toBe(shown);
  });

  it('keeps spaces, quotes, brackets and UTF-8 in a name', () => {
    const text = '[ro.product.model]: ["moto g⁹" [play] É]\n[ro.vendor.oplus.market.name]: [一加 Ace 5]\n';
    expect(parseIdentity(text)).toEqual({
      model: '"moto g⁹" [play] É',
      marketingName: '一加 Ace 5',
      isEmulator: false,
    });
  });

  it.each([
    '[ro.vendor.product.ztename]: [nubia Z50 Ultra]',
    '[ro.vendor.asus.product.mkt_name]: [ROG Phone 5]',
    '[ro.zuk.product.market]: [拯救者电竞手机2 Pro]',
    '[ro.product.letv_name]: [乐2]',
    '[ro.qiku.product.devicename]: [N7]',
    '[ro.config.marketing_name]: [HONOR X8b]',
    '[ro.product.product.tran.device.name.default]: [Infinix NOTE 12]',
    '[ro.display.series]: [OnePlus 6T]',
    '[ro.vivo.market.name]: [iQOO Neo 855版]',
    '[ro.vivo.internet.name]: [iQOO Neo 855]',
    '[ro.product.en.display]: [Legion Phone2 Pro]',
    '[ro.config.devicename]: [ZTE V5 Max]',
    '[ro.vendor.lge.petname]: [LG VELVET]',
    '[ro.lge.petname]: [LG G6]',
  ])('knows under which name a phone is sold by %s', (line) => {
    const marketingName = / \[(.*)\]$/.exec(line)?.[1];
    expect(parseIdentity(`${line}\n[ro.product.model]: [X]\n`)).toEqual({
      model: 'X',
      marketingName,
      isEmulator: false,
    });
  });

  it('prefers the name that the maker uses in the country of the phone', () => {
    const vivo = '[ro.vivo.internet.name]: [iQOO Neo 855]\n[ro.vivo.market.name]: [iQOO Neo 855版]\n';
    expect(parseIdentity(vivo).marketingName).toBe('iQOO Neo 855版');
  });

  it('takes nothing that every phone is for the name of a nubia Z17 mini', () => {
    const nubia = '[ro.config.devicename]: [smart phone]\n[ro.product.model]: [NX569J]\n';
    expect(parseIdentity(nubia)).toEqual({ model: 'NX569J', isEmulator: false });
  });

  it.each([
    '[ro.boot.qemu]: [1]',
    '[ro.kernel.qemu]: [1]',
    '[ro.hardware]: [ranchu]',
    '[ro.hardware]: [goldfish]',
    '[ro.boot.hardware]: [cutf_cvm]',
    '[ro.hardware.virtual_device]: [1]',
    '[ro.hardware]: [vbox86p]',
    '[ro.genymotion.version]: [3.2.1]',
    '[ro.hardware]: [redroid]',
    '[ro.hardware]: [waydroid]',
    '[nemud.player_version]: [3.8.27.2950]',
    '[nemud.player_product_version]: [3.8.27.2950]',
    '[init.svc.ldinit]: [running]',
    '[init.svc.noxd]: [running]',
    '[init.svc.microvirtd]: [stopped]',
    '[microvirt.memu_version]: [9.0]',
    '[ro.product.model]: [Subsystem for Android(TM)]',
    '[ro.product.model]: [HPE device]',
  ])('knows an emulator by %s', (line) => {
    expect(parseIdentity(`${line}\n[ro.product.model]: [X]\n`).isEmulator).toBe(true);
  });

  it.each([
    '[ro.kernel.qemu.gles]: [0]',
    '[ro.kernel.qemu]: [0]',
    '[qemu.hw.mainkeys]: [0]',
    '[ro.product.board]: [kiwi]',
    '[nemud.player_version]: []',
  ])('takes a phone with %s for a real one', (line) => {
    expect(parseIdentity(`${line}\n[ro.product.model]: [sdk_gphone]\n`).isEmulator).toBe(false);
  });

  it.each(['', 'sh: getprop: not found', '[persist.sys.timezone]: [UTC]\n'])(
    'throws ParseError when %j says nothing of the phone',
    (text) => {
      expect(() => parseIdentity(text)).toThrow(ParseError);
    },
  );

  it('answers anything with facts or ParseError, in linear time', () => {
    const texts = phones.map(({ text }) => text);
    fc.assert(fc.property(hostileText(texts), (text) => expectOnlyParseErrors(parseIdentity, text)));
    for (const text of [texts[0] ?? '', '[ro.product.model]: [']) {
      expectOnlyParseErrors(parseIdentity, huge(text));
    }
  });
});
