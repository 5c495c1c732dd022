import { describe, expect, it } from 'vitest';
import { type Address, readAddress, unsorted, writeAddress } from '../../src/status/page/address.ts';

describe('the address of a view', () => {
  const addresses: [string, Address][] = [
    ['#', { view: 'rack', filter: '' }],
    ['#rack?filter=slot%3AS3', { view: 'rack', filter: 'slot:S3' }],
    ['#wall', { view: 'wall' }],
    ['#table', { view: 'table', sort: unsorted, filter: '' }],
    [
      '#table?sort=-battery&filter=hot+android%3C12',
      { view: 'table', sort: { column: 'battery', isDescending: true }, filter: 'hot android<12' },
    ],
    ['#phone/emulator-5554%40lab-07', { view: 'phone', udid: 'emulator-5554@lab-07' }],
    ['#phone/192.168.1.5%3A5555', { view: 'phone', udid: '192.168.1.5:5555' }],
    ['#phone/a%2Fb%3Fc%23d%25', { view: 'phone', udid: 'a/b?c#d%' }],
  ];

  it.each(addresses)('%s is read as it is written', (hash, address) => {
    expect(writeAddress(address)).toBe(hash);
    expect(readAddress(hash)).toEqual(address);
  });

  it.each(['', '#nothing', '#phone', '#phone/'])('%j is the rack', (hash) => {
    expect(readAddress(hash)).toEqual({ view: 'rack', filter: '' });
  });

  it('takes a udid that somebody typed with a lone percent sign as it stands', () => {
    expect(readAddress('#phone/50%')).toEqual({ view: 'phone', udid: '50%' });
  });
});
