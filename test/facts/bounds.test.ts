import { describe, expect, it } from 'vitest';
import { parseBattery } from '../../src/facts/battery.ts';
import { parseBoot } from '../../src/facts/boot.ts';
import { parseBrowsers } from '../../src/facts/browsers.ts';
import { parseIdentity } from '../../src/facts/identity.ts';
import { parseName } from '../../src/facts/name.ts';
import { parseNetwork } from '../../src/facts/network.ts';

const long = `\u001b[2J\u202e${'A'.repeat(900_000)}`;
const property = (key: string) => `[${key}]: [${long}]\n`;

const parsed: Record<string, () => object> = {
  identity: () =>
    parseIdentity(
      [
        'ro.serialno',
        'ro.build.version.release',
        'ro.build.version.sdk',
        'ro.product.model',
        'ro.product.brand',
        'ro.product.manufacturer',
        'ro.product.marketname',
        'ro.product.cpu.abi',
      ]
        .map(property)
        .join(''),
    ),
  boot: () => parseBoot({ properties: property('gsm.sim.state') + property('service.adb.root') }),
  battery: () => parseBattery(`  level: 5\n  technology: ${long}\n`),
  name: () => parseName(`name=${long}\nmodel=x\n`),
  host: () =>
    parseNetwork({
      probe: `${'a'.repeat(5_000)}\nHTTP/1.1 204 x\n`,
      proxy: 'http_proxy=null\nglobal_http_proxy_host=x',
    }),
  address: () =>
    parseNetwork({
      connectivity: `Active default network: 1\nNetworkAgentInfo{network{1} lp{{LinkAddresses: [${'1:'.repeat(1000)}/64]}}}`,
    }),
  browsers: () =>
    parseBrowsers(
      `5000 activities found:\n${Array.from(
        { length: 5_000 },
        (_, index) => `  priority=0 match=0x208000 x\n  com.example.a${index}/.Main\n`,
      ).join('')}  priority=0 match=0x208000 x\n  com.android.chrome/.Main\n  a.${'b'.repeat(500)}/.Main\n`,
    ),
};

/** All texts in it. */
const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsOf)
      : [];

describe('what a phone says at length', () => {
  it.each(Object.keys(parsed))('is printable and has a limit: %s', (name) => {
    const texts = textsOf(parsed[name]?.());
    expect(texts.filter((text) => text.length > 256)).toEqual([]);
    expect(texts.filter((text) => /[\p{Cc}\u202e]/u.test(text))).toEqual([]);
    expect(texts.length).toBeLessThanOrEqual(100);
  });

  it('costs no browser that is known', () => {
    expect(parsed.browsers?.()).toMatchObject({ names: expect.arrayContaining(['chrome']) });
  });
});
