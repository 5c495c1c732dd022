import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { configJsonSchema } from '../../packaging/json-schema.ts';
import { sampleFile } from '../../packaging/sample-file.ts';
import { valueAt } from '../../src/base/words.ts';
import { configKeys, defaultOf } from '../../src/config/keys.ts';
import { settings } from '../../src/config/schema.ts';

describe('config/hostnode.yaml', () => {
  it('is what the schema documents (vitest -u writes it)', async () => {
    await expect(sampleFile()).toMatchFileSnapshot('../../config/hostnode.yaml');
  });

  it('sets nothing as it is shipped', () => {
    const set = (value: unknown): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value).flatMap(set) : [value];
    expect(set(parse(sampleFile())).filter((value) => value !== null)).toEqual([]);
  });

  it('names every key with its default, and with a valid example where there is none', () => {
    const uncommented = parse(sampleFile().replace(/^(\s*)#(?=\S)/gm, '$1'));
    expect(settings.safeParse(uncommented).error).toBeUndefined();
    for (const key of configKeys) {
      const shown = valueAt(uncommented, key.path);
      expect(shown, key.name).toEqual(defaultOf(key) ?? key.schema.meta()?.example);
      expect(key.schema.meta()?.description, key.name).toMatch(/\.$/);
    }
  });
});

describe('config/hostnode.schema.json', () => {
  it('is what the schema says (vitest -u writes it)', async () => {
    await expect(configJsonSchema()).toMatchFileSnapshot('../../config/hostnode.schema.json');
  });
});

describe('configKeys', () => {
  it('gives the environment names that operators rely on', () => {
    expect(configKeys.map((key) => key.variable)).toEqual(
      expect.arrayContaining([
        'HOSTNODE_CLOUD_BASE_URL',
        'HOSTNODE_CLOUD_USERNAME',
        'HOSTNODE_CLOUD_API_KEY',
        'HOSTNODE_CLOUD_API_KEY_FILE',
        'HOSTNODE_NODE_ID',
        'HOSTNODE_ADB_HOST',
        'HOSTNODE_ADB_PORT',
        'HOSTNODE_STATE_DIR',
        'HOSTNODE_REPORT_SCHEDULE',
        'HOSTNODE_LOG_LEVEL',
      ]),
    );
  });
});
