/**
 * Lines of the kernel about USB that show a fault, each with its port. Source: Linux drivers/usb/core/hub.c, message.c, hcd.c,
 * drivers/usb/host/xhci.c, xhci-ring.c. Kernels on which no Node of ours runs (before 3.14) named a port otherwise.
 */
import { devpathOf } from './usb-devices.ts';

/**
 * `descriptor`: what is plugged in does not answer. `enumerate`: the kernel gave up. `cable`: the port cannot be enabled.
 * `emi`: the hub switched the port off. `resources`: the controller takes no further device. `died`: the controller stopped.
 */
export const kernelFaults = [
  'descriptor',
  'enumerate',
  'overCurrent',
  'cable',
  'emi',
  'bandwidth',
  'resources',
  'config',
  'reset',
  'died',
] as const;
export type KernelFault = (typeof kernelFaults)[number];

export interface KernelLine {
  fault: KernelFault;
  /** As adb has it, `1-4.2`; of a fault of the controller absent. */
  port?: string;
  /** `0000:00:14.0`, of a fault of the controller. */
  controller?: string;
}

/** Longer lines are none about USB. */
const LONGEST_LINE = 300;

/** Each begins at the begin of what follows the name of the device, and has no two repetitions in a row. */
const faults: readonly (readonly [RegExp, KernelFault])[] = [
  [/^device descriptor read\/\w{1,3}, error -\d/, 'descriptor'],
  [/^unable to read config index \d+ descriptor/, 'descriptor'],
  [/^device not accepting address \d+, error -\d/, 'descriptor'],
  [/^Device not responding to setup address/, 'descriptor'],
  [/^unable to enumerate USB device/i, 'enumerate'],
  [/^Cannot enable\b/i, 'cable'],
  [/^over-current (?:change|condition)/, 'overCurrent'],
  [/^disabled by hub \(EMI\?\)/, 'emi'],
  [/^Not enough bandwidth for/, 'bandwidth'],
  [/^Not enough host controller resources for/, 'resources'],
  [/^couldn't allocate usb_device/, 'resources'],
  [/^can't set config #\d+, error -\d/, 'config'],
  [/^reset [\w+-]{1,30} USB device number/, 'reset'],
];

/** @param line the kernel's message, without its time */
export function parseKernelLine(line: string): KernelLine | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  const end = line.indexOf(': ');
  const [driver = '', device = '', ...more] = line.slice(0, Math.max(0, end)).split(' ');
  if (more.length > 0) return undefined;
  const text = line.slice(end + 2);
  if (/^[\w-]{0,20}hci[_-][\w-]{1,20}$/.test(driver)) {
    const hasDied = /^(?:HC died|xHCI host controller not responding, assume dead)/.test(text);
    return hasDied && /^[\w:.-]{1,60}$/.test(device) ? { fault: 'died', controller: device } : undefined;
  }
  const port = driver === 'usb' ? portOf(device) : undefined;
  const fault = faults.find(([pattern]) => pattern.test(text))?.[1];
  return port !== undefined && fault !== undefined ? { fault, port } : undefined;
}

/** `1-4.2` of `1-4.2`, `1-4-port2` and `usb1-port4`. */
function portOf(device: string): string | undefined {
  if (/^\d{1,4}-\d{1,3}(?:\.\d{1,3}){0,6}$/.test(device)) return device;
  return /^(?:usb\d{1,4}|\d{1,4}-[\d.]{1,30})-port\d{1,3}$/.test(device) ? devpathOf(device) : undefined;
}
