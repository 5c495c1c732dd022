import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cacheDirectory } from '../../src/base/cache-directory.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hostnode-cache-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const cache = () => cacheDirectory({ XDG_CACHE_HOME: join(home, 'cache') });

describe('the directory of what Node compiles', () => {
  it('is systemd’s, else below the user’s', () => {
    expect(cacheDirectory({ CACHE_DIRECTORY: '/var/cache/hostnode', XDG_CACHE_HOME: home }, false)).toBe(
      '/var/cache/hostnode',
    );
    expect(cache()).toBe(join(home, 'cache', 'hostnode'));
    mkdirSync(join(home, 'cache', 'hostnode'), { recursive: true });
    expect(cache()).toBe(join(home, 'cache', 'hostnode'));
  });

  it.skipIf(process.getuid?.() !== 0)('is none for root where another user could put something', () => {
    mkdirSync(join(home, 'real'));
    symlinkSync(join(home, 'real'), join(home, 'cache'));
    expect(cache()).toBe(join(home, 'real', 'hostnode')); // without the link, which might be another one later
    chmodSync(join(home, 'real'), 0o777);
    expect(cache()).toBeUndefined();
    chmodSync(join(home, 'real'), 0o755);
    chownSync(home, 65_534, 65_534);
    expect(cache()).toBeUndefined();
    expect(cacheDirectory({ XDG_CACHE_HOME: join(home, 'cache') }, false)).toBe(
      join(home, 'cache', 'hostnode'),
    );
  });
});
