/** Why a test cannot begin on a phone. Each is looked for where the lab wants it only (`findings.readiness`). */
import type { Dialog, ReadinessFacts } from '../../facts/readiness.ts';
import type { ReadinessPart } from '../../facts/section.ts';
import { eachPhone } from '../context.ts';
import type { Rule } from '../rule.ts';
import type { PhoneInput } from '../rule-input.ts';

/** What stands in the way: `says` completes `Pixel 5 …`. */
interface Obstacle {
  says: string;
  remedy: string;
}

/** What has to hold so that a phone can be asked. */
const isReady = ({ attached, state, bootCompleted }: PhoneInput): boolean =>
  attached && state === 'device' && bootCompleted !== false;

/** A rule about one part of the readiness. `find`: undefined if nothing stands in the way, or if it is not known. */
const readinessRule = (
  part: ReadinessPart,
  literal: Omit<Rule, 'severity' | 'evaluate'>,
  find: (facts: ReadinessFacts) => Obstacle | undefined,
): Rule => ({
  ...literal,
  severity: 'minor',
  evaluate: eachPhone((phone, { now: { setting } }) => {
    const isWanted = setting?.readiness?.includes(part) && isReady(phone);
    const obstacle = isWanted ? find(phone.readiness ?? {}) : undefined;
    return obstacle && { title: `${phone.name} ${obstacle.says}`, remedy: obstacle.remedy };
  }),
});

export const screenLocked = readinessRule(
  'screenLocked',
  { code: 'SCREEN_LOCKED', sign: 'screen locked', plural: 'are locked', explains: ['locked'] },
  ({ isLocked }) =>
    isLocked === true
      ? { says: 'shows its lock screen', remedy: 'Unlock the phone, and set its screen lock to None' }
      : undefined,
);

export const screenOff = readinessRule(
  'screenOff',
  { code: 'SCREEN_OFF', sign: 'asleep', plural: 'are asleep with the screen off' },
  ({ isAwake }) =>
    isAwake === false
      ? {
          says: 'is asleep with the screen off',
          remedy: 'Wake the phone, and switch on "Stay awake" in its developer options',
        }
      : undefined,
);

export const developerOptionsOff = readinessRule(
  'developerOptions',
  {
    code: 'DEVELOPER_OPTIONS_OFF',
    sign: 'no developer options',
    plural: 'have their developer options off',
  },
  ({ hasDeveloperOptions }) =>
    hasDeveloperOptions === false
      ? {
          says: 'has its developer options switched off',
          remedy: 'Switch the developer options on: tap the build number seven times',
        }
      : undefined,
);

export const stayAwakeOff = readinessRule(
  'stayAwake',
  { code: 'STAY_AWAKE_OFF', sign: 'may sleep', plural: 'do not stay awake' },
  ({ staysAwake }) =>
    staysAwake === false
      ? {
          says: 'does not stay awake while it is plugged in',
          remedy: 'Switch on "Stay awake" in the developer options of the phone',
        }
      : undefined,
);

const dialogs: Readonly<Record<Dialog, Obstacle>> = {
  CRASHED: {
    says: 'shows that an app has crashed',
    remedy: 'Close the dialog on the phone, and look into the app that crashed',
  },
  NOT_RESPONDING: {
    says: 'shows that an app does not respond',
    remedy: 'Close the app from the dialog on the phone; if the dialog comes back, restart the phone',
  },
  PERMISSION: {
    says: 'asks whether an app may have a permission',
    remedy: 'Answer the dialog on the phone, or grant the permission when you install the app',
  },
  CHOOSER: {
    says: 'asks which app to use',
    remedy: 'Choose an app on the phone, and make it the default',
  },
  USB: {
    says: 'asks about its USB connection',
    remedy: 'Answer the dialog on the phone',
  },
};

export const dialogInFront = readinessRule(
  'dialog',
  { code: 'DIALOG_IN_FRONT', sign: 'dialog in front', plural: 'show a dialog of the system' },
  ({ dialog = 'NONE' }) => (dialog === 'NONE' ? undefined : dialogs[dialog]),
);
