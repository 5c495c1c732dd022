import { describe, expect, it } from 'vitest';
import { knowsPassword } from '../../../src/status/http/password.ts';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('knowsPassword', () => {
  it('takes the password with any user name', () => {
    expect(knowsPassword(basic('lab:Käse: 12'), 'Käse: 12')).toBe(true);
    expect(knowsPassword(basic(':x').replace('Basic', 'basic'), 'x')).toBe(true);
  });

  it.each([
    ['nothing', undefined],
    ['another', basic('lab:y')],
    ['its beginning', basic('lab:')],
    ['no user name', basic('x')],
    ['another scheme', `Bearer ${Buffer.from(':x').toString('base64')}`],
    ['no base64', 'Basic :x'],
  ])('refuses %s', (_, header) => {
    expect(knowsPassword(header, 'x')).toBe(false);
  });
});
