import { describe, expect, it } from 'vitest';
import { pages, readText } from './pages.ts';

const { version } = JSON.parse(readText('package.json'));

describe('the version', () => {
  it('is the newest of the changelog, and the lock agrees', () => {
    const [, newest, day] =
      /^## \[(.+?)\] - (Unreleased|\d{4}-\d{2}-\d{2})$/m.exec(readText('CHANGELOG.md')) ?? [];
    const lock = JSON.parse(readText('package-lock.json'));
    expect([newest, lock.version, lock.packages[''].version]).toEqual([version, version, version]);
    expect(day).toBeDefined();
  });

  it('is not written into any command of the documents', () => {
    const named = pages.filter((page) => /hostnode[_:@-]v?\d+\.\d+/.test(readText(page)));
    expect(named).toEqual([]);
  });
});
