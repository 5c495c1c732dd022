import { describe, expect, it } from 'vitest';
import { isKnownHost } from '../../../src/status/http/host-header.ts';

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
