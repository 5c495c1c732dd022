import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cacheDirectory, SMALL } from '../../src/base/v8.ts';
import { builtModule } from '../support/built-module.ts';

describe('a bundle', () => {
  const program = `
  import { runBundle } from ${JSON.stringify(builtModule(new URL('../../src/base/v8.ts', import.meta.url)).href)};
  const [, bundle, kept] = process.argv;
  runBundle(bundle, kept);
`;

  let folder: string;
  let bundle: string;
  let kept: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hostnode-code-'));
    bundle = join(folder, 'bundle.cjs');
    kept = join(folder, 'cache', 'bundle.code');
    writeBundle('one');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A bundle that has a function called, and asks for a module. */
  const writeBundle = (word: string) =>
    writeFileSync(
      bundle,
      `const { basename } = require('node:path'); function say() { console.log('${word}', basename(__filename), exports === module.exports) } say(); process.exitCode = Number(process.env.EXIT)`,
    );

  function run(exit = 0): string {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', program, bundle, kept],
      { encoding: 'utf8', env: { EXIT: String(exit) } },
    );
    expect({ stderr, status }).toEqual({ stderr: '', status: exit });
    return stdout;
  }

  const said = (word: string) => `${word} bundle.cjs true\n`;
  const fileOf = () => statSync(kept).ino;

  describe('the code of a bundle', () => {
    it('is kept with the functions that were called, for the next run', () => {
      expect(run()).toBe(said('one'));
      const first = fileOf();
      expect(statSync(kept).mode & 0o777).toBe(0o600);
      expect(readdirSync(join(folder, 'cache'))).toEqual(['bundle.code']);
      expect(run()).toBe(said('one'));
      expect(fileOf(), 'V8 took it').toBe(first);
    });

    it('is not that of another bundle, though its text is as long', () => {
      run();
      const first = fileOf();
      writeBundle('two');
      expect(run()).toBe(said('two'));
      expect(fileOf()).not.toBe(first);
    });

    it('of a run that failed gives way to that of one that ended well', () => {
      run(4);
      const failed = fileOf();
      run(3);
      expect(fileOf()).toBe(failed);
      run();
      const well = fileOf();
      expect(well).not.toBe(failed);
      run(4);
      expect(fileOf()).toBe(well);
    });

    it.each<[string, (code: Buffer) => Buffer]>([
      ['changed in one bit', (code) => code.fill((code[400] ?? 0) ^ 1, 400, 401)],
      ['cut off', (code) => code.subarray(0, 300)],
      ['half zero', (code) => code.fill(0, code.length / 2)],
      ['empty', () => Buffer.alloc(0)],
    ])('is made anew where the file is %s', (_, damage) => {
      run();
      const good = readFileSync(kept);
      writeFileSync(kept, damage(Buffer.from(good)));
      expect(run()).toBe(said('one'));
      expect(readFileSync(kept).length).toBe(good.length);
      const repaired = fileOf();
      run();
      expect(fileOf()).toBe(repaired);
    });

    it('is not missed where none can be kept', () => {
      writeFileSync(join(folder, 'cache'), 'no directory');
      expect(run()).toBe(said('one'));
      rmSync(join(folder, 'cache'));
      mkdirSync(kept, { recursive: true });
      expect(run()).toBe(said('one'));
      expect(readdirSync(join(folder, 'cache'))).toEqual(['bundle.code']);
    });
  });

  const startedWith = (flags: readonly string[]) => {
    const { status, stderr } = spawnSync(process.execPath, [...flags, '-e', '0'], {
      encoding: 'utf8',
      env: {},
    });
    return { status, stderr };
  };

  describe('the flags of V8', () => {
    it('are all ones that this Node knows', () => {
      expect(startedWith(SMALL)).toEqual({ status: 0, stderr: '' });
    });

    it('would be refused where Node did not know them', () => {
      expect(startedWith([...SMALL, '--no-such-flag'])).toEqual({
        status: 9,
        stderr: expect.stringContaining('bad option'),
      });
    });
  });
});

describe('where its code is kept', () => {
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
});
