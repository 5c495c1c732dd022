import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../src/status/http/client-address.ts';

describe('clientOf', () => {
  it.each([
    ['192.168.1.7', '192.168.1.7'],
    ['::ffff:192.168.1.7', '192.168.1.7'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['2001:db8:0:1:ffff:1:2:3', '2001:db8:0:1::/64'],
    ['1::2:3:4:5:6', '1:0:0:2::/64'],
    ['2001:db8:0:2::1', '2001:db8:0:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
    [undefined, ''],
  ])('counts %s as %s', (address, client) => {
    expect(clientOf(address)).toBe(client);
  });
});
