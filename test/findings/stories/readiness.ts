/** Phones on which no test can begin, in labs that ask for it and in others. */

import type { FindingCode } from '../../../src/diagnosis/finding.ts';
import type { ReadinessFacts } from '../../../src/facts/readiness.ts';
import type { ReadinessPart } from '../../../src/facts/section.ts';
import { ordinaryLife } from '../ordinary-life.ts';
import type { SceneLab } from '../scene.ts';
import type { Story } from '../story.ts';

const all: ReadinessPart[] = ['screenLocked', 'screenOff', 'developerOptions', 'stayAwake', 'dialog'];
const ready: ReadinessFacts = {
  isLocked: false,
  isAwake: true,
  hasDeveloperOptions: true,
  staysAwake: true,
  dialog: 'NONE',
};
const notReady: [FindingCode, ReadinessPart, ReadinessFacts][] = [
  ['SCREEN_LOCKED', 'screenLocked', { isLocked: true }],
  ['SCREEN_OFF', 'screenOff', { isAwake: false }],
  ['DEVELOPER_OPTIONS_OFF', 'developerOptions', { hasDeveloperOptions: false }],
  ['STAY_AWAKE_OFF', 'stayAwake', { staysAwake: false }],
  ['DIALOG_IN_FRONT', 'dialog', { dialog: 'NOT_RESPONDING' }],
];

function wants(lab: SceneLab, readiness: ReadinessPart[]): void {
  lab.picture.setting = { expected: [], slots: [], readiness };
}

export const stories: Story[] = [
  ...notReady.map(
    ([code, part, facts]): Story => ({
      name: `phones of which some are not ready: ${code}`,
      tell(lab) {
        wants(lab, lab.random.chance(0.5) ? all : [part]);
        ordinaryLife(lab, { taken: 0, glitches: 0 });
        for (const phone of lab.phones) {
          const isNot = lab.random.chance(0.2);
          phone.picture.readiness = { ...ready, ...(isNot && facts) };
          if (isNot) lab.expect(code, phone.udid);
        }
      },
    }),
  ),
  {
    name: 'phones that are not ready in a lab that does not ask',
    tell(lab) {
      const [wanted] = lab.random.shuffled(all);
      wants(lab, wanted ? [wanted] : []);
      for (const phone of lab.phones)
        phone.picture.readiness = Object.assign(
          { ...ready },
          ...notReady.filter(([, part]) => part !== wanted).map(([, , facts]) => facts),
        );
      ordinaryLife(lab);
    },
  },
  {
    name: 'phones that say nothing of their readiness',
    tell(lab) {
      wants(lab, all);
      for (const phone of lab.phones) if (lab.random.chance(0.5)) phone.picture.readiness = {};
      ordinaryLife(lab);
    },
  },
  {
    name: 'phones that are away or in maintenance, and locked',
    tell(lab) {
      wants(lab, all);
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
