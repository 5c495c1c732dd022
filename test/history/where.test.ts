import { describe, expect, it } from 'vitest';
import { hubOf, whereOf } from '../../src/history/where.ts';

describe('whereOf', () => {
  it('has the path that a reboot does not change, and its hub', () => {
    const portPaths = ['pci-0000:00:14.0-usbv2-0:4.2', 'pci-0000:00:14.0-usb-0:4.2', '1-4.2'];
    expect(whereOf({ devpath: '1-4.2', portPaths }, 'bay 4')).toEqual({
      slot: 'bay 4',
      devpath: '1-4.2',
      usbPath: 'pci-0000:00:14.0-usb-0:4.2',
      hub: 'pci-0000:00:14.0-usb-0:4',
    });
  });

  it('has the devpath where no controller is known, and nothing of a phone on the network', () => {
    expect(whereOf({ devpath: '1-4.2.1' }, undefined)).toEqual({
      devpath: '1-4.2.1',
      usbPath: '1-4.2.1',
      hub: '1-4.2',
    });
    expect(whereOf({}, 'bay 4')).toEqual({ slot: 'bay 4' });
  });
});

describe('hubOf', () => {
  it('is undefined for a port of the host itself, and for what is no port', () => {
    for (const path of ['1-4', 'pci-0000:00:14.0-usb-0:4', '', '192.168.1.7:5555'])
      expect([path, hubOf(path)]).toEqual([path, undefined]);
    expect(hubOf('pci-0000:00:14.0-usb-0:4.2')).toBe('pci-0000:00:14.0-usb-0:4');
  });
});
