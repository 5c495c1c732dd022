/** A phone's readings, section by section, in the cloud's shape and units. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { BatteryFacts } from '../facts/battery.ts';
import { resolveDisplay } from '../facts/display.ts';
import type { Facts } from '../facts/index.ts';
import type { NetworkFacts } from '../facts/network.ts';
import { phoneText } from '../facts/phone-text.ts';
import type { Size } from '../facts/screen.ts';

/** All readings; what the phone did not give is `undefined`. */
export function buildReadings(facts: Facts) {
  const { physical, logical, rotationDegrees } = resolveDisplay(facts.screen, facts.display);
  return {
    isRooted: facts.root?.isRooted,
    installedBrowsers: facts.browsers && named(facts.browsers.names),
    orientation: rotationDegrees,
    resolution: resolution(physical, logical),
    networkReachability: facts.network && reachability(facts.network),
    uptime: facts.boot?.uptimeSeconds === undefined ? undefined : whole(Math.floor(facts.boot.uptimeSeconds)),
    storage: usage(facts.storage),
    memory: usage(facts.memory),
    battery: facts.battery && battery(facts.battery),
    telephony: telephony(facts),
  };
}

const named = (names: readonly string[]): { name: string }[] =>
  names.flatMap((name) => {
    const printable = text(name);
    return printable === undefined ? [] : [{ name: printable }];
  });

function size(pixels: Size | undefined): Size | undefined {
  const width = whole(pixels?.width);
  const height = whole(pixels?.height);
  return width === undefined || height === undefined ? undefined : { width, height };
}

function resolution(physicalPixels: Size | undefined, logicalPixels: Size | undefined) {
  const physical = size(physicalPixels);
  const logical = size(logicalPixels);
  return presentSome({
    width: physical?.width,
    height: physical?.height,
    projection: logical && Math.max(logical.width, logical.height),
    logical,
  });
}

function reachability(network: NetworkFacts) {
  return omitUndefined({
    code: whole(network.code),
    host: text(network.host),
    status: network.status,
    ipAddress: text(network.ipAddress),
    proxy: network.proxy,
  });
}

function usage(bytes: { totalBytes: number; usedBytes?: number } | undefined) {
  const total = whole(bytes?.totalBytes);
  return total === undefined ? undefined : omitUndefined({ total, used: whole(bytes?.usedBytes) });
}

function battery(facts: BatteryFacts) {
  if (facts.isPresent === false) return undefined;
  const percent = whole(facts.levelPercent);
  return presentSome({
    status: facts.status,
    temperature: whole(facts.temperatureDecicelsius),
    voltage: whole(facts.voltageMillivolts),
    health: facts.health,
    technology: text(facts.technology),
    percentage: percent === undefined || percent < 0 ? undefined : String(percent),
  });
}

function telephony({ mobile, identifiers }: Facts) {
  const carriersInfo = identifiers?.carriers.map(({ slot, imei, meid, iccid }) =>
    omitUndefined({ imei: text(imei), meid: text(meid), slot, iccid: text(iccid) }),
  );
  // an empty list would say that the phone has no SIM slot
  return presentSome({
    mobileDataState: mobile?.dataState,
    carriersInfo: carriersInfo?.length ? carriersInfo : undefined,
  });
}

/** An object without its `undefined` values; `undefined` when nothing is left. */
function presentSome<T extends object>(values: T) {
  const kept = omitUndefined(values);
  return Object.keys(kept).length === 0 ? undefined : kept;
}

/** Foreign text made printable; `undefined` when nothing is left of it. */
export const text = (value: string | undefined): string | undefined => phoneText(value, 'name');

/** A number as the nearest integer; `undefined` for one that JSON cannot carry exactly. */
export function whole(value: number | undefined): number | undefined {
  const rounded = Math.round(value ?? Number.NaN);
  return Number.isSafeInteger(rounded) ? rounded : undefined;
}
