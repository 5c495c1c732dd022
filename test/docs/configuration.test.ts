import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { adbEntries } from '../../src/config/environment.ts';
import { configKeys } from '../../src/config/keys.ts';
import { treeOf } from '../../src/config/layer.ts';
import { settings } from '../../src/config/schema.ts';
import { configurationTable } from './configuration-table.ts';
import { codeBlocks, codeSpans, documents, readText, section } from './pages.ts';

const page = 'docs/configuration.md';

describe('docs/configuration.md', () => {
  it('says how the variable of each key is made', () => {
    const rule = '`HOSTNODE_` and the key in capitals, an underscore before each word';
    expect(section(page, '## Where settings come from').replaceAll(/\s+/g, ' ')).toContain(rule);
    const made = (name: string) =>
      `HOSTNODE_${name.replace(/[A-Z]/g, '_$&').replaceAll('.', '_').toUpperCase()}`;
    expect(configKeys.map(({ variable }) => variable)).toEqual(configKeys.map(({ name }) => made(name)));
  });

  it('lists every key with its default and meaning, as the schema has them', () => {
    const lines = section(page, '## All keys').trim().split('\n');
    expect(lines).toEqual(configurationTable());
  });

  it('names the variables of adb that count', () => {
    const named = codeSpans(section(page, '## Where settings come from')).filter((span) =>
      /^(ADB|ANDROID)_/.test(span),
    );
    const values = named.map((name) => {
      const env = { [name]: name.endsWith('SOCKET') ? 'tcp:10.0.0.1:5038' : '5038' };
      return [name, treeOf(adbEntries(env, []))];
    });
    expect(Object.fromEntries(values)).toEqual({
      ADB_SERVER_SOCKET: { adb: { host: '10.0.0.1', port: 5038 } },
      ANDROID_ADB_SERVER_ADDRESS: { adb: { host: '5038' } },
      ANDROID_ADB_SERVER_PORT: { adb: { port: 5038 } },
    });
  });

  it('shows three rules', () => {
    const [yaml = ''] = codeBlocks(section(page, '## Rules for single phones'), 'yaml');
    expect(parse(yaml).devices).toHaveLength(3);
  });
});

describe.each(documents)('%s', (document) => {
  it('shows nothing but configurations that hostnode accepts', () => {
    const errors = codeBlocks(readText(document), 'yaml').map(
      (yaml) => settings.safeParse(parse(yaml)).error?.issues,
    );
    expect(errors.filter((error) => error !== undefined)).toEqual([]);
  });
});
