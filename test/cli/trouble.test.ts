import { describe, expect, it } from 'vitest';
import { AdbUnavailableError } from '../../src/base/errors.ts';
import { adbTroubleLines, troubleLines } from '../../src/cli/trouble.ts';

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

  it('with adb has the remedy of its kind, or its own', async () => {
    const config = { adb: { host: 'adb.example', port: 5037, bin: 'adb', requestTimeoutSeconds: 5 } };
    const absent = new AdbUnavailableError('absent', 'no adb server');
    expect(await adbTroubleLines(absent, config)).toEqual([
      'no adb server',
      '  → Start the adb server on adb.example, or check adb.host and adb.port',
    ]);
    const programless = new AdbUnavailableError('absent', 'no program', { remedy: 'Install adb' });
    expect(await adbTroubleLines(programless, config)).toEqual(['no program', '  → Install adb']);
  });
});
