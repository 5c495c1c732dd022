/** The host's picture for the cloud: every known phone, with what is known of it now. */
import type { DeviceInfo } from '../cloud/contract.ts';
import { buildDeviceInfo } from '../report/device-info.ts';
import { mayBeIgnored, type Policy, type PolicyRule, resolvePolicy, subjectOf } from '../report/policy.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { Roster } from '../roster/roster.ts';
import type { Slots } from '../slots/slots.ts';
import type { Collector } from './collector.ts';

export interface PictureOptions {
  roster: Roster;
  collector: Collector;
  rules: readonly PolicyRule[];
  /** Absent where phones sit nowhere. */
  slots?: Slots;
  adbHost: string;
  adbPort: number;
}

export class Picture {
  readonly #options: PictureOptions;

  constructor(options: PictureOptions) {
    this.#options = options;
  }

  /** The name of the slot in which a phone sits, or was last. */
  slotOf(device: RosterDevice): string | undefined {
    return this.#options.slots?.slotOf(device);
  }

  /** What its USB port is called in lists of slots, while adb lists it there. */
  portPathsOf(device: RosterDevice): string[] | undefined {
    return this.#options.slots?.portPathsOf(device);
  }

  /** Phones came or went: what was looked up of their ports may be another's now. */
  refreshSlots(): void {
    this.#options.slots?.refresh();
  }

  /** Does the lab want nothing to do with this phone? */
  isIgnored(device: RosterDevice): boolean {
    return this.#policy(device).ignore;
  }

  /**
   * The phones in the cloud's shape; all of them, or those of the given udids. One that the cloud knows and the lab
   * ignores from now on is told as gone; one that the lab may turn out to ignore is left out until it has said what it is.
   */
  devices(udids?: ReadonlySet<string>): DeviceInfo[] {
    const { roster, collector, adbHost, adbPort } = this.#options;
    const known = udids ? [...udids].flatMap((udid) => roster.get(udid) ?? []) : roster.devices;
    return known
      .map((device) => ({ device, policy: this.#policy(device) }))
      .filter(({ device, policy }) => !policy.ignore || (device.reported && !device.isGoneStored))
      .filter(({ device }) => !this.#isUndecided(device))
      .map(({ device, policy }) =>
        buildDeviceInfo({
          device: policy.ignore ? withdrawn(device) : device,
          facts: collector.facts(device.udid),
          isSilent: collector.isSilent(device.udid),
          policy,
          adbHost,
          adbPort,
        }),
      );
  }

  #isUndecided(device: RosterDevice): boolean {
    const { rules, collector } = this.#options;
    const { udid, state, identity, reported } = device;
    const mayAnswer = state === 'device' && identity === undefined && !reported && !collector.isSilent(udid);
    return mayAnswer && mayBeIgnored(rules, subjectOf(device, this.slotOf(device)));
  }

  #policy(device: RosterDevice): Policy {
    return resolvePolicy(this.#options.rules, subjectOf(device, this.slotOf(device)));
  }
}

const withdrawn = ({ reason: _, ...device }: RosterDevice): RosterDevice => ({
  ...device,
  attached: false,
  state: 'disconnected',
});
