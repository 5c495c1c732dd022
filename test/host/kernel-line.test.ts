import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kernelFaults, parseKernelLine } from '../../src/host/kernel-line.ts';
import { hostileText } from '../support/hostile-text.ts';

const lines = readFileSync(new URL('../fixtures/kernel/usb.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' | ') as [source: string, fault: string, line: string]);

const any = hostileText(lines.map(([, , line]) => line));

describe('lines of the kernel', () => {
  it.each(lines)('%s: %s of %s', (_source, fault, line) => {
    const found = parseKernelLine(line);
    expect(found === undefined ? '-' : `${found.fault} ${found.port ?? found.controller}`).toBe(fault);
  });

  it('are forty or more, of most faults, each with its source', () => {
    expect(lines.length).toBeGreaterThanOrEqual(40);
    const faults = new Set(lines.map(([, fault]) => fault.split(' ')[0]));
    // no thread has the whole line
    expect(kernelFaults.filter((fault) => !faults.has(fault))).toEqual(['resources']);
    expect(lines.filter(([source]) => !/^[\w.-]+\/[\w.-]+#\d+$/.test(source))).toEqual([]);
  });

  it('tells that a controller takes no further device', () => {
    // linux-usb, 21 May 2019; openstf/stf#966 has it without its port
    const line = "usb usb1-port2: couldn't allocate usb_device";
    expect(parseKernelLine(line)).toEqual({ fault: 'resources', port: '1-2' });
  });

  it('that a device writes by its name are none', () => {
    for (const line of [
      'usb 1-4: Product: usb 1-5: unable to enumerate USB device',
      'usb 1-4: SerialNumber: x: over-current condition',
      'usb 1-4-port2 : unable to enumerate USB device',
      `usb 1-4: ${'over-current condition'.padStart(400)}`,
      'usb ../../1-4: unable to enumerate USB device',
    ])
      expect(parseKernelLine(line)).toBeUndefined();
  });

  it('of any text have a port, or none', () => {
    fc.assert(
      fc.property(fc.oneof(any, fc.constant('usb 1-4: ')), any, (one, other) => {
        const { port = '1-1', controller = 'x' } = parseKernelLine(one + other) ?? {};
        return /^\d+-[\d.]+$/.test(port) && /^[\w:.-]+$/.test(controller);
      }),
    );
  });
});
