import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(`${root}docs/security.md`, 'utf8');
const claims = readFileSync(`${root}test/claims.md`, 'utf8').split('\n## ').at(1);
const named = [...new Set(claims?.match(/test\/[\w/.-]+\.test\.ts/g))];

describe('docs/security.md', () => {
  it('is shown by tests that are there, and each test of the security folder but this one', () => {
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((path) => !existsSync(root + path))).toEqual([]);
    const own = globSync('test/security/*.test.ts', { cwd: root });
    expect(own.filter((path) => !named.includes(path))).toEqual(['test/security/document.test.ts']);
  });

  it('is read in one go: at most 1,600 words, and no address but this host’s', () => {
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(1600);
    expect(text.match(/https?:\/\/\S+|\S+@\S+\.\S+/g)).toBeNull();
  });
});
