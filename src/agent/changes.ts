import type { RosterDevice } from '../roster/device.ts';
import type { Roster } from '../roster/roster.ts';

/** Lets something happen to the roster. Returns the phones that came, went, or are connected in another way by it. */
export function changesOf(roster: Roster, happen: () => void): RosterDevice[] {
  const before = new Map(roster.devices.map((device) => [device.udid, connectionText(device)]));
  happen();
  return roster.devices.filter((device) => {
    const was = before.get(device.udid);
    return was === undefined ? device.attached : was !== connectionText(device);
  });
}

const connectionText = ({ attached, state, reason = '', serial, devpath = '' }: RosterDevice): string =>
  JSON.stringify([attached, state, reason, serial, devpath]);
