/** The phones of the agent in force, with the names and places by which a person finds them. Pure. */
import type { AgentView } from '../agent/view.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Where } from '../diagnosis/events/event.ts';
import { whereOf } from '../diagnosis/events/where.ts';
import type { PlacedPhone } from './named-subject.ts';

export interface LocatedPhone extends PlacedPhone {
  attached: boolean;
  where: Where;
}

export const placedPhones = ({ phones }: Pick<AgentView, 'phones'>): LocatedPhone[] =>
  phones.map(({ device, info, slot }) => {
    const { udid, serial, attached } = device;
    const { deviceName, modelName: model } = info;
    const where = whereOf(device, slot);
    const { devpath, usbPath, hub } = where;
    const name = deviceName ?? model;
    return omitUndefined({ udid, serial, attached, slot, devpath, usbPath, hub, name, model, where });
  });
