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
    expect(cacheDirectory({ CACHE_DIRECTORY: '/var/cache/hostnode:/b', XDG_CACHE_HOME: home })).toBe(
      '/var/cache/hostnode',
    );
    expect(cache()).toBe(join(home, 'cache', 'hostnode'));
    mkdirSync(join(home, 'cache', 'hostnode'), { recursive: true });
    expect(cache()).toBe(join(home, 'cache', 'hostnode'));
  });

  it('is none where another user could put something', () => {
    mkdirSync(join(home, 'real'));
    symlinkSync(join(home, 'real'), join(home, 'cache'));
    expect(cache()).toBe(join(home, 'real', 'hostnode')); // without the link, which might be another one later
    chmodSync(join(home, 'real'), 0o777);
    expect(cache()).toBeUndefined();
    // in a sticky one others can make what is not there yet
    chmodSync(join(home, 'real'), 0o1777);
    expect(cache()).toBeUndefined();
    mkdirSync(join(home, 'real', 'hostnode'));
    expect(cache()).toBe(join(home, 'real', 'hostnode'));
    expect(cacheDirectory({ XDG_CACHE_HOME: join(home, 'cache') }, 65_534)).toBe(
      process.getuid?.() === 0 ? join(home, 'real', 'hostnode') : undefined,
    );
  });

  it.each([
    ['a relative path', { XDG_CACHE_HOME: 'cache' }],
    ['a relative directory of systemd', { CACHE_DIRECTORY: 'cache' }],
  ])('is none for %s', (_, env) => {
    expect(cacheDirectory(env)).toBeUndefined();
  });

  it.skipIf(process.getuid?.() !== 0)('is none in the directory of another user', () => {
    chownSync(home, 65_534, 65_534);
    expect(cache()).toBeUndefined();
    expect(cacheDirectory({ XDG_CACHE_HOME: home }, 65_534)).toBe(join(home, 'hostnode'));
    expect(cacheDirectory({ XDG_CACHE_HOME: home }, 65_533)).toBeUndefined();
  });
});
