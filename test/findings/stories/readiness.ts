/** Phones on which no test can begin, in labs that ask for it and in others. */

import type { SettingName, Want } from '../../../src/facts/preparation.ts';
import type { ReadinessFacts } from '../../../src/facts/readiness.ts';
import { ordinaryLife } from '../ordinary-life.ts';
import type { SceneLab } from '../scene.ts';
import type { Story } from '../story.ts';

const ready: ReadinessFacts = {
  isLocked: false,
  isAwake: true,
  staysAwake: true,
  dialog: 'NONE',
  settings: { 'global adb_enabled': 1, 'global adb_allowed_connection_time': 0 },
};
const developerOptions = { ...ready.settings, 'global development_settings_enabled': 0 };
const notReady: [SettingName, ReadinessFacts][] = [
  ['screenLock', { isLocked: true }],
  ['screenOn', { isAwake: false }],
  ['developerOptions', { settings: developerOptions }],
  ['stayAwake', { staysAwake: false }],
  ['dialog', { dialog: 'NOT_RESPONDING' }],
];

function wants(lab: SceneLab, wanted: Want[]): void {
  for (const { picture } of lab.phones) Object.assign(picture, { wants: wanted, sdk: 30 });
}

export const stories: Story[] = [
  ...notReady.map(
    ([setting, facts]): Story => ({
      name: `phones of which some are not prepared: ${setting}`,
      tell(lab) {
        wants(lab, lab.random.chance(0.5) ? ['automation'] : [setting]);
        ordinaryLife(lab, { taken: 0, glitches: 0 });
        for (const phone of lab.phones) {
          const isNot = lab.random.chance(0.2);
          phone.picture.readiness = { ...ready, ...(isNot && facts) };
          if (isNot) lab.expect('NOT_PREPARED', phone.udid);
        }
      },
    }),
  ),
  {
    name: 'phones that are not ready in a lab that does not ask',
    tell(lab) {
      const [wanted] = lab.random.shuffled(notReady.map(([setting]) => setting));
      wants(lab, wanted ? [wanted] : []);
      for (const phone of lab.phones)
        phone.picture.readiness = Object.assign(
          { ...ready },
          ...notReady.filter(([setting]) => setting !== wanted).map(([, facts]) => facts),
        );
      ordinaryLife(lab);
    },
  },
  {
    name: 'phones that say nothing of their readiness',
    tell(lab) {
      wants(lab, ['automation']);
      for (const phone of lab.phones) if (lab.random.chance(0.5)) phone.picture.readiness = {};
      ordinaryLife(lab);
    },
  },
  {
    name: 'phones that are away or in maintenance, and locked',
    tell(lab) {
      wants(lab, ['automation']);
      const [away, maintained] = lab.random.shuffled(lab.usbPhones);
      for (const phone of [away, maintained])
        if (phone) {
          phone.isPinned = true;
          phone.picture.readiness = { ...ready, isLocked: true, isAwake: false };
        }
      if (away) away.picture = { ...away.picture, attached: false, state: 'disconnected' };
      if (maintained) maintained.picture.isInMaintenance = true;
      ordinaryLife(lab, { glitches: 0 });
    },
  },
];
