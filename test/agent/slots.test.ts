import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Lab, poco } from '../support/lab.ts';

let lab: Lab;
beforeEach(async () => {
  lab = await Lab.open();
});
afterEach(() => lab[Symbol.asyncDispose]());

/** Buses that no machine has. */
const [bay4, bay5] = ['901-4', '901-5'];
const HOSTNODE_SLOTS = JSON.stringify([
  { name: 'rack 2, bay 4', paths: [bay4] },
  { name: 'rack 2, bay 5', paths: [bay5] },
]);

const told = () =>
  lab.log.filter(({ msg }) => /^phone (attached|unplugged)$/.test(msg)).map(({ msg, slot }) => [msg, slot]);

describe('a phone in a slot', () => {
  it('is logged with the slot where it sits, or was last', async () => {
    await lab.running({ env: { HOSTNODE_SLOTS } });
    lab.adb.plug(poco('POCO', bay4));
    await lab.untilState('POCO', 'device');
    lab.adb.unplug('POCO');
    await lab.untilState('POCO', 'disconnected');
    lab.adb.plug(poco('POCO', bay5));
    await lab.untilState('POCO', 'device');
    lab.adb.plug(poco('LOOSE', '901-6'));
    await lab.untilState('LOOSE', 'device');
    expect(told()).toEqual([
      ['phone attached', 'rack 2, bay 4'],
      ['phone unplugged', 'rack 2, bay 4'],
      ['phone attached', 'rack 2, bay 5'],
      ['phone attached', undefined],
    ]);
  });

  it('is reported by the rules for its slot, and differently once it is in another slot', async () => {
    const HOSTNODE_DEVICES = JSON.stringify([
      { match: { slot: 'rack 2*' }, deviceName: 'Rack phone', support: { appiumDisabled: true } },
      { match: { slot: '*bay 5' }, isHidden: true, addedToCloud: false, support: { appiumDisabled: false } },
    ]);
    const policy = () => {
      const { deviceName, isHidden, addedToCloud, support } = lab.stored('POCO') ?? {};
      return { deviceName, isHidden, addedToCloud, appiumDisabled: support?.appiumDisabled };
    };
    await lab.running({ env: { HOSTNODE_SLOTS, HOSTNODE_DEVICES } });
    lab.adb.plug(poco('POCO', bay4));
    await lab.until(() => policy().appiumDisabled === true);
    expect(policy()).toEqual({
      deviceName: 'Rack phone',
      isHidden: false,
      addedToCloud: true,
      appiumDisabled: true,
    });
    lab.adb.unplug('POCO');
    lab.adb.plug(poco('POCO', bay5));
    await lab.until(() => policy().appiumDisabled === false);
    expect(policy()).toEqual({
      deviceName: 'Rack phone',
      isHidden: true,
      addedToCloud: false,
      appiumDisabled: false,
    });
  });

  it('that is to be ignored is neither collected nor reported', async () => {
    const HOSTNODE_DEVICES = JSON.stringify([{ match: { slot: '*bay 5' }, ignore: true }]);
    lab.adb.plug(poco('IGNORED', bay5));
    lab.adb.plug(poco('POCO', bay4));
    await lab.running({ env: { HOSTNODE_SLOTS, HOSTNODE_DEVICES } });
    const reported = lab.puts.flatMap(({ devices = [] }) => devices.map(({ udid }) => udid));
    expect(new Set(reported)).toEqual(new Set(['POCO']));
    expect(lab.adb.requests.filter(({ serial }) => serial === 'IGNORED')).toEqual([]);
  });
});
