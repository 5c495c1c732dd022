import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { firstFile, mustBe } from '../../src/config/first-file.ts';
import { settings } from '../../src/config/schema.ts';

const account = { baseUrl: 'https://cloud.example.com/v1', username: 'lab@example.com' };

describe('the first configuration', () => {
  it('has ten commented lines, which the schema accepts', async () => {
    const text = await firstFile({ ...account, nodeId: 'rack-2', apiKeyFile: '/keys/cloud' });
    expect(text.trimEnd().split('\n')).toHaveLength(10);
    expect(settings.parse(parse(text))).toEqual(
      settings.parse({ nodeId: 'rack-2', cloud: { ...account, apiKeyFile: '/keys/cloud' } }),
    );
  });

  it('says of each key what the README says', async () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const lines = (await firstFile({ ...account, nodeId: 'rack-2' })).split('\n');
    const wordsOf = (text: string, key: string) => new RegExp(`\\b${key}: .* # (.*)`).exec(text)?.[1];
    for (const key of ['baseUrl', 'schedule', 'forgetAfterDays'])
      expect(wordsOf(lines.join('\n'), key)).toBe(wordsOf(readme, key));
  });

  it('leaves out what is not given', async () => {
    const text = await firstFile(account);
    expect(settings.parse(parse(text))).toEqual(settings.parse({ cloud: account }));
    expect(text).toContain('# nodeId: rack-2');
    expect(text).toContain('/etc/credstore/hostnode.cloud-api-key');
  });

  it('quotes what YAML would read as something else', async () => {
    const odd = { baseUrl: 'https://cloud.example.com/a#b', username: 'no #1', nodeId: '1e3' };
    const { nodeId, cloud } = parse(await firstFile({ ...odd, apiKeyFile: "/a 'b' #c" }));
    expect({ nodeId, ...cloud }).toEqual({ ...odd, apiKeyFile: "/a 'b' #c" });
  });
});

describe('what a person may give', () => {
  it.each([
    ['cloud.baseUrl', 'https://cloud.example.com/v1'],
    ['cloud.baseUrl', 'http://127.0.0.1:8080/v1'],
    ['cloud.username', 'lab@example.com'],
    ['cloud.apiKey', 'k3y with blanks'],
    ['nodeId', 'rack-2'],
  ] as const)('%s may be %s', (name, value) => {
    expect(mustBe(name, value)).toBeUndefined();
  });

  it.each([
    ['cloud.baseUrl', '', 'an https:// address without user, query or fragment'],
    ['cloud.baseUrl', 'cloud.example.com', 'an https:// address'],
    ['cloud.baseUrl', 'ftp://cloud.example.com', 'an https:// address'],
    ['cloud.baseUrl', 'https://', 'an https:// address'],
    ['cloud.baseUrl', 'https://lab:k3y@cloud.example.com', 'an address without user and password'],
    ['cloud.baseUrl', 'http://cloud.example.com', 'https://, or cloud.allowInsecure true'],
    ['cloud.username', 'lab:k3y', 'text without ":"'],
    ['cloud.apiKey', 'two\nlines', 'one line of text'],
    ['cloud.apiKey', '', 'one line of text'],
    ['nodeId', 'rack 2', 'up to 128 letters'],
  ] as const)('%s may not be %j', (name, value, needed) => {
    expect(mustBe(name, value)?.slice(0, needed.length)).toBe(needed);
    expect(mustBe(name, value)).not.toContain('k3y');
  });
});
