/**
 * The phone's identity, from its properties.
 *
 * Source: `getprop`; AOSP android.os.Build. Marketing names are the makers' own properties: Xiaomi, Huawei and Honor,
 * OPPO with OnePlus and realme, vivo, Tecno with Infinix and itel, Motorola, Asus, Sony, LG, ZTE with nubia, Lenovo,
 * LeEco, 360.
 */
import { ParseError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { safeIdentifier } from '../base/printable.ts';
import { phoneText } from './phone-text.ts';
import { type Properties, parseProperties } from './properties.ts';
import { KIB, type Section } from './section.ts';

export interface IdentityFacts {
  /** `ro.serialno`, else `ro.boot.serialno`, including placeholders; a hash replaces an invalid identifier. */
  serialNumber?: string;
  /** `ro.build.version.release`, e.g. "15"; of a box that is sold as a newer Android, the one that it is. */
  androidRelease?: string;
  /** `ro.build.version.incremental`: the build of that version, in its maker's own form. */
  build?: string;
  /** `ro.build.version.sdk`. */
  sdk?: number;
  model?: string;
  brand?: string;
  manufacturer?: string;
  /** The maker's marketing name, if a property has it. */
  marketingName?: string;
  /** `ro.product.cpu.abi`. */
  cpuAbi?: string;
  /** From properties alone; the report also checks for serials `emulator-N`. */
  isEmulator: boolean;
}

const marketingNames = [
  'ro.product.marketname',
  'ro.product.odm.marketname',
  'ro.product.vendor.marketname',
  'ro.config.marketing_name',
  'ro.vendor.oplus.market.name',
  'ro.vendor.oplus.market.enname',
  'ro.oppo.market.name',
  'ro.vivo.market.name',
  'ro.vivo.internet.name',
  'ro.product.product.tran.device.name.default',
  'ro.product.system_ext.tran.device.name.default',
  'ro.vendor.product.display',
  'ro.asus.product.mkt_name',
  'ro.vendor.asus.product.mkt_name',
  'ro.semc.product.name',
  'ro.vendor.lge.petname',
  'ro.boot.vendor.lge.petname',
  'ro.lge.petname',
  'ro.vendor.product.ztename',
  'ro.zuk.product.market',
  'ro.product.display',
  'ro.product.en.display',
  'ro.display.series',
  'ro.lenovo.series',
  'ro.product.letv_name',
  'ro.qiku.product.devicename',
  'ro.config.devicename',
];

/**
 * Parses the output of `getprop`.
 *
 * @throws {ParseError} when it has none of the identity's properties
 */
export function parseIdentity(text: string): IdentityFacts {
  const properties = parseProperties(text);
  const named = (...keys: string[]) => firstNamed(properties, keys);
  const product = (what: string) => phoneText(named(...productKeys(what)), 'name');
  const facts = omitUndefined({
    serialNumber: serialNumber(properties, 'ro.serialno') ?? serialNumber(properties, 'ro.boot.serialno'),
    androidRelease: phoneText(release(properties), 'word'),
    build: phoneText(named('ro.build.version.incremental'), 'word'),
    sdk: wholeNumber(named('ro.build.version.sdk')),
    model: product('model'),
    brand: product('brand'),
    manufacturer: product('manufacturer'),
    marketingName: phoneText(named(...marketingNames), 'name'),
    cpuAbi: phoneText(named('ro.product.cpu.abi'), 'word'),
  });
  if (Object.keys(facts).length === 0) throw new ParseError('getprop', text);
  return { ...facts, isEmulator: isEmulator(properties) };
}

/**
 * The build's own `ro.product.model`, else what init would have taken it from: that of a partition, in init's order. A
 * maker may leave the build's empty, and a system image of another maker has none.
 */
const productKeys = (what: string): string[] =>
  ['', 'product.', 'odm.', 'vendor.', 'system_ext.', 'system.'].map((part) => `ro.product.${part}${what}`);

const serialNumber = (properties: Properties, key: string): string | undefined =>
  safeIdentifier(properties.get(key) ?? '') || undefined;

/** No name: empty, the `unknown` of android.os.Build, and what nubia leaves in the place of a name. */
const NAMELESS = /^(?:unknown|smart phone)?$/i;

/** The first value that says something. */
function firstNamed(properties: Properties, keys: string[]): string | undefined {
  return keys
    .map((key) => properties.get(key)?.trim())
    .find((value) => value !== undefined && !NAMELESS.test(value));
}

/**
 * What a TV box or a tablet shows in its settings may be edited: `15.0` with the API level of Android 10. From 10 on the build
 * of its partition `product` says it again, and counts where it is of the same API level. A system image of another maker is
 * not. Where no build contradicts, the API level does, which apps depend on: no Android has a level older than its own.
 */
function release(properties: Properties): string | undefined {
  const shown = firstNamed(properties, ['ro.build.version.release']);
  const built = firstNamed(properties, ['ro.product.build.version.release']);
  const level = properties.get('ro.build.version.sdk');
  const isOneLevel = properties.get('ro.product.build.version.sdk') === level;
  const [numberShown, numberBuilt] = [majorOf(shown), majorOf(built)];
  const isOther = numberShown !== undefined && numberBuilt !== undefined && numberShown !== numberBuilt;
  if (isOneLevel && isOther) return built;
  const isPreview = (properties.get('ro.build.version.codename') ?? 'REL') !== 'REL';
  const ofLevel = releases[(wholeNumber(level) ?? 0) - FIRST_LEVEL];
  return !isPreview && (numberShown ?? 0) > (majorOf(ofLevel) ?? Number.POSITIVE_INFINITY) ? ofLevel : shown;
}

const majorOf = (text = ''): number | undefined => wholeNumber(/^\d{1,3}/.exec(text)?.[0]);

/** The first Android of each API level from 14 on (AOSP Build.VERSION_CODES). */
const FIRST_LEVEL = 14;
const releases =
  '4.0 4.0.3 4.1 4.2 4.3 4.4 4.4W 5.0 5.1 6.0 7.0 7.1 8.0 8.1 9 10 11 12 12 13 14 15 16 17'.split(' ');

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

/**
 * Hardware names of the Android emulator, Cuttlefish, Genymotion and Android in a container (redroid, Waydroid). We
 * match whole names: a car may have `ro.kernel.qemu.gles`. Waydroid has its own in `ro.board.platform` alone.
 */
const virtualHardware = /^(?:goldfish|ranchu|cutf|vbox86|redroid|waydroid)\w*$/;

/**
 * What only emulators have that may call themselves a phone that is sold: Genymotion, MuMu, LDPlayer, Nox and MEmu have
 * their version, or a service of their own. Of BlueStacks nothing of the kind is known.
 */
const ofEmulators = [
  'ro.genymotion.version',
  'nemud.player_version',
  'nemud.player_product_version',
  'init.svc.ldinit',
  'init.svc.noxd',
  'init.svc.microvirtd',
  'microvirt.memu_version',
];

/** The models of the Windows Subsystem for Android, and of Google Play Games on a computer. */
const virtualModels = ['Subsystem for Android(TM)', 'HPE device'];

function isEmulator(properties: Properties): boolean {
  return (
    properties.get('ro.boot.qemu') === '1' ||
    properties.get('ro.kernel.qemu') === '1' ||
    properties.get('ro.hardware.virtual_device') === '1' ||
    ofEmulators.some((key) => Boolean(properties.get(key))) ||
    virtualModels.includes(properties.get('ro.product.model') ?? '') ||
    ['ro.hardware', 'ro.boot.hardware', 'ro.product.board', 'ro.board.platform'].some((key) =>
      virtualHardware.test(properties.get(key) ?? ''),
    )
  );
}

export const identity = {
  name: 'identity',
  cadence: 'boot',
  limitSeconds: 5,
  limitBytes: 256 * KIB,
  commands: () => ({ properties: 'getprop' }),
  parse: ({ properties }) => parseIdentity(properties ?? ''),
} as const satisfies Section<IdentityFacts>;
