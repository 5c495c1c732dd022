import { describe, expect, it } from 'vitest';
import { hostnode } from '../e2e/program.ts';

const account = {
  HOSTNODE_CLOUD_BASE_URL: 'https://cloud.example.com/v1',
  HOSTNODE_CLOUD_USERNAME: 'lab',
};

describe('hostnode config check', () => {
  it('lists every problem and ends with 78, quietly or not', async () => {
    const env = { HOSTNODE_LOG_LEVEL: 'loud', HOSTNODE_ADB_PORT: '0' };
    for (const options of [[], ['--quiet']]) {
      const { code, stdout, stderr } = await hostnode(['config', 'check', ...options], env);
      expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
      expect(stderr).toMatch(
        /^hostnode: the configuration is wrong:\n( {2}(log\.level|adb\.port) = .*\n){2}$/,
      );
    }
  });

  it('says where a right one comes from and which cloud it names; nothing when it is to be quiet', async () => {
    const env = { ...account, HOSTNODE_CLOUD_API_KEY: 'k3y' };
    expect(await hostnode(['config', 'check'], env)).toEqual({
      code: 0,
      stdout: 'the configuration is right (file: none; cloud: https://cloud.example.com/v1)\n',
      stderr: '',
    });
    expect(await hostnode(['config', 'check', '--quiet'], env)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('warns a service of a missing key, which is no reason not to start', async () => {
    const { code, stdout, stderr } = await hostnode(['config', 'check'], {
      ...account,
      INVOCATION_ID: 'c0ffee',
    });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'the configuration is right (file: none; cloud: the API key is missing)\n',
    });
    expect(stderr).toMatch(/^hostnode: cloud\.apiKey: missing, so nothing is reported; set .*\n$/);
  });
});
