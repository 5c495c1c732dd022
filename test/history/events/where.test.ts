import { describe, expect, it } from 'vitest';
import { hubOf, whereOf } from '../../../src/history/events/where.ts';

const controller = 'pci-0000:00:14.0';

describe('whereOf', () => {
  it('names the port by its controller, and its hub in the same form', () => {
    const portPaths = [`${controller}-usbv2-0:4.2`, `${controller}-usb-0:4.2`, '1-4.2'];
    expect(whereOf({ devpath: '1-4.2', portPaths }, 'bay 4')).toEqual({
      slot: 'bay 4',
      devpath: '1-4.2',
      usbPath: `${controller}-usb-0:4.2`,
      hub: `${controller}-usb-0:4`,
    });
  });

  it('names the port by adb’s path where the controller is not known', () => {
    expect(whereOf({ devpath: '1-4.2' })).toEqual({ devpath: '1-4.2', usbPath: '1-4.2', hub: '1-4' });
  });

  it('names no hub for a port of the host itself', () => {
    expect(whereOf({ devpath: '1-4', portPaths: [`${controller}-usb-0:4`, '1-4'] })).toEqual({
      devpath: '1-4',
      usbPath: `${controller}-usb-0:4`,
    });
  });

  it('has at most a slot for a phone on the network, whose name may look like a path', () => {
    expect(whereOf({ portPaths: ['x-usb-0:4.2'] }, 'shelf')).toEqual({ slot: 'shelf' });
    expect(whereOf({})).toEqual({});
  });
});

describe('hubOf', () => {
  it.each([
    [`${controller}-usb-0:4.2.1`, `${controller}-usb-0:4.2`],
    [`${controller}-usb-0:4`, undefined],
    ['1-4.2', '1-4'],
    ['1-4', undefined],
    ['platform-xhci-hcd.0-usb-0:1', undefined],
  ])('of %s is %s', (path, hub) => {
    expect(hubOf(path)).toBe(hub);
  });
});
