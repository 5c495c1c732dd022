import type { DeviceInfo, DevicesBody, Machine } from '../cloud/contract.ts';
import { present } from '../present.ts';

export interface HostReport {
  /** The host's name in the cloud. */
  nodeId: string;
  machine: Machine;
  /** Every known device; left out when adb cannot be asked, since an empty list is a claim. */
  devices?: readonly DeviceInfo[] | undefined;
}

/** The body of `PUT /devices`. */
export const buildBody = ({ nodeId, machine, devices }: HostReport): DevicesBody =>
  present({ nodeId, machine, devices: devices && [...devices] });
