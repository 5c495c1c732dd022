import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/base/errors.ts';
import { failed, ok, perform, performAll } from '../../src/doctor/check.ts';

describe('a check', () => {
  it('that throws is a failed check, and not the end', async () => {
    const look = () => {
      throw Object.assign(new Error('secret detail'), { code: 'EIO' });
    };
    expect(await perform({ name: 'disk', limitMs: 1000, look })).toEqual([
      { name: 'disk', status: 'failed', seen: 'the check itself broke: EIO' },
    ]);
  });

  it('that never ends is given up at its limit', async () => {
    const signals: AbortSignal[] = [];
    const look = (signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<never>(() => {});
    };
    expect(await perform({ name: 'disk', limitMs: 20, look })).toEqual([
      { name: 'disk', status: 'failed', seen: 'the check itself broke: no result within 0.02 s' },
    ]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('says what its lateness means, where it knows', async () => {
    const look = () => new Promise<never>(() => {});
    const late = failed('TCP', 'no connection', 'Check the firewall');
    expect(await perform({ name: 'TCP', limitMs: 20, late, look })).toEqual([late]);
  });

  it('that meets a wrong configuration says each problem', async () => {
    const look = () => Promise.reject(new ConfigError(['HTTPS_PROXY: must be an address', 'two']));
    expect(await perform({ name: 'proxy', limitMs: 1000, look })).toMatchObject([
      { seen: 'the check itself broke: HTTPS_PROXY: must be an address; two' },
    ]);
  });

  it('whose condition has failed is not made: one fault is one failure', async () => {
    const made: string[] = [];
    const check = (name: string, needs?: string, isFine = true) => ({
      ...{ name, limitMs: 1000, ...(needs !== undefined && { needs }) },
      look: () => {
        made.push(name);
        return isFine ? ok(name, 'fine') : failed(name, 'broken');
      },
    });
    const findings = await performAll([
      check('proxy'),
      check('DNS', 'proxy', false),
      check('TCP', 'DNS'),
      check('TLS', 'TCP'),
      check('disk'),
    ]);
    expect(findings.map(({ name, status, seen }) => `${name} ${status}: ${seen}`)).toEqual([
      'proxy ok: fine',
      'DNS failed: broken',
      'TCP skipped: not checked: DNS failed',
      'TLS skipped: not checked: DNS failed',
      'disk ok: fine',
    ]);
    expect(made.toSorted()).toEqual(['DNS', 'disk', 'proxy']);
  });

  it('takes terminal escapes out of what it has seen', () => {
    expect(ok('phone', 'ready: \x1b[31mred\x1b[0m')).toEqual({
      name: 'phone',
      status: 'ok',
      seen: 'ready:  [31mred [0m',
    });
  });
});
