import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isKnownHost, knowsPassword, passwordCheck } from '../../../src/status/http/access.ts';

const names = ['lab-07', 'Status.Example.com'];

describe('isKnownHost', () => {
  it.each([
    '127.0.0.1',
    '127.0.0.1:9477',
    '192.168.1.7:80',
    '[::1]:9477',
    '[fe80::1]',
    'localhost',
    'LOCALHOST:9477',
    'lab-07:9477',
    'status.example.com',
    'status.example.com.:80',
  ])('knows %s', (host) => {
    expect(isKnownHost(host, names)).toBe(true);
  });

  it.each([
    '',
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'lab-07.evil.example',
    'evil.example:9477',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '[evil]',
    '::1',
    'localhost:80:80',
    'localhost@evil.example',
    '127.0.0.1/evil',
  ])('does not know %s', (host) => {
    expect(isKnownHost(host, names)).toBe(false);
  });
});

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('knowsPassword', () => {
  it('takes the password with any user name', () => {
    expect(knowsPassword(basic('lab:Käse: 12'), 'Käse: 12')).toBe(true);
    expect(knowsPassword(basic(':x').replace('Basic', 'basic'), 'x')).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['another', basic('lab:y')],
    ['its beginning', basic('lab:')],
    ['no user name', basic('x')],
    ['another scheme', `Bearer ${Buffer.from(':x').toString('base64')}`],
    ['no base64', 'Basic :x'],
  ])('refuses %s', (_, header) => {
    expect(knowsPassword(header, 'x')).toBe(false);
  });
});

describe('passwordCheck', () => {
  let check: ReturnType<typeof passwordCheck>;
  beforeEach(() => {
    vi.useFakeTimers();
    check = passwordCheck('open sesame');
  });
  afterEach(() => void vi.useRealTimers());

  /** The status that it answers; 200 for the right password. */
  const said = async (password: string, remoteAddress: string): Promise<number> => {
    const headers = { authorization: basic(`lab:${password}`) };
    return (await check({ headers, socket: { remoteAddress } }))?.status ?? 200;
  };
  const guess = (address: string) => said('guess', address);
  const right = (address: string) => said('open sesame', address);
  /** One wrong one from each of so many addresses. */
  const flood = (addresses: number) =>
    Promise.all(Array.from({ length: addresses }, (_, index) => guess(`10.1.${index >> 8}.${index & 255}`)));

  it('sends a client away after ten wrong ones a minute, also where it then is right', async () => {
    const guesses = await Promise.all(Array.from({ length: 100 }, () => guess('10.0.0.1')));
    expect(guesses.filter((status) => status === 401)).toHaveLength(10);
    expect(await Promise.all([right('10.0.0.1'), right('10.0.0.2')])).toEqual([429, 200]);
    vi.advanceTimersByTime(60_000);
    expect(await right('10.0.0.1')).toBe(200);
  });

  it('counts one address as one however it is written, and an IPv6 network as one', async () => {
    const written = ['10.0.0.1', '::ffff:10.0.0.1'];
    for (let number = 0; number < 10; number += 1) {
      await guess(written[number % 2] ?? '');
      await guess(`2001:db8::${number}`);
    }
    const clients = ['10.0.0.1', '::ffff:10.0.0.1', '2001:db8::9999', '2001:db8:0:1::1'];
    expect(await Promise.all(clients.map(right))).toEqual([429, 429, 429, 200]);
  });

  it('checks in a minute only some of many addresses, and the first of each', async () => {
    expect(new Set(await flood(200))).toEqual(new Set([401]));
    expect(new Set(await flood(200))).toEqual(new Set([429]));
    expect(await right('10.9.9.9')).toBe(200);
    vi.advanceTimersByTime(60_000);
    expect(await guess('10.1.0.1')).toBe(401);
  });

  it('counts a bounded number of clients', async () => {
    await flood(10_000);
    expect([await guess('10.9.9.9'), await right('10.9.9.8')]).toEqual([429, 429]);
    vi.advanceTimersByTime(60_000);
    expect(await right('10.9.9.8')).toBe(200);
    expect(vi.getTimerCount()).toBe(0);
  });
});
