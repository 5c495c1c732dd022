import { describe, expect, it } from 'vitest';
import { AdbUnavailableError } from '../../src/base/errors.ts';
import { adbFailure, troubleLines, whyNoPhones } from '../../src/cli/trouble.ts';

describe('trouble', () => {
  it('with the cloud has what happened, its words and what to do on lines of their own', () => {
    const trouble = {
      failure: 'PUT https://c.d/v1: 401 Unauthorized',
      said: 'who?',
      remedy: 'Check the key',
    };
    expect(troubleLines('not stored', trouble)).toEqual([
      'not stored: PUT https://c.d/v1: 401 Unauthorized',
      '  the cloud says: who?',
      '  → Check the key',
    ]);
    expect(troubleLines(undefined, { failure: 'internal error' })).toEqual(['internal error']);
  });

  it('with adb has the remedy of its kind, or its own', () => {
    const config = { adb: { host: 'adb.example', port: 5037, bin: 'adb', requestTimeoutSeconds: 5 } };
    const absent = new AdbUnavailableError('absent', 'no adb server');
    expect(() => adbFailure(config)(absent)).toThrow(
      expect.objectContaining({
        exitCode: 4,
        message: 'no adb server',
        more: ['  → Start the adb server on adb.example, or check adb.host and adb.port'],
      }),
    );
    const programless = new AdbUnavailableError('absent', 'no program', { remedy: 'Install adb' });
    expect(() => adbFailure(config)(programless)).toThrow(
      expect.objectContaining({ message: 'no program', more: ['  → Install adb'] }),
    );
  });
});

describe('why there are no phones', () => {
  it.each([
    ['adb lists none', { entries: 0, ignored: 0 }, /^No phones: adb lists none\. /],
    ['all are gone', { entries: 1, ignored: 0 }, /^No phones: all that adb lists .* offline for long/],
    ['the lab ignores all', { entries: 2, ignored: 2 }, /^No phones: the configuration ignores 2 phones$/],
  ])('is that %s', (_, listing, why) => {
    expect(whyNoPhones(listing)).toMatch(why);
  });
});
