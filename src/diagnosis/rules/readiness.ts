/** Why a test cannot begin on a phone. Each is looked for where the lab wants it only (`findings.readiness`). */
import type { Dialog, ReadinessFacts } from '../../facts/readiness.ts';
import type { ReadinessPart } from '../../facts/section.ts';
import { eachPhone } from '../context.ts';
import type { Rule } from '../rule.ts';
import type { PhoneInput } from '../rule-input.ts';

/** What stands in the way: `is` completes `Pixel 5 …`. */
interface Obstacle {
  is: string;
  remedy: string;
}

/** What has to hold so that a phone can be asked. */
const isReady = ({ attached, state, bootCompleted }: PhoneInput): boolean =>
  attached && state === 'device' && bootCompleted !== false;

/** A rule about one part of the readiness. `find`: undefined if nothing stands in the way, or if it is not known. */
const readinessRule = (
  part: ReadinessPart,
  literal: Omit<Rule, 'severity' | 'evaluate'>,
  find: (facts: ReadinessFacts) => Obstacle | false,
): Rule => ({
  ...literal,
  severity: 'minor',
  evaluate: eachPhone((phone, { now: { setting } }) => {
    const isWanted = setting?.readiness?.includes(part) && isReady(phone);
    return isWanted && find(phone.readiness ?? {});
  }),
});

export const screenLocked = readinessRule(
  'screenLocked',
  { code: 'SCREEN_LOCKED', sign: 'screen locked', plural: 'are locked', explains: ['locked'] },
  ({ isLocked }) =>
    isLocked === true && {
      is: 'shows its lock screen',
      remedy: 'Unlock the phone, and set its screen lock to None',
    },
);

export const screenOff = readinessRule(
  'screenOff',
  { code: 'SCREEN_OFF', sign: 'asleep', plural: 'are asleep with the screen off' },
  ({ isAwake }) =>
    isAwake === false && {
      is: 'is asleep with the screen off',
      remedy: 'Wake the phone, and switch on "Stay awake" in its developer options',
    },
);

export const developerOptionsOff = readinessRule(
  'developerOptions',
  {
    code: 'DEVELOPER_OPTIONS_OFF',
    sign: 'no developer options',
    plural: 'have their developer options off',
  },
  ({ hasDeveloperOptions }) =>
    hasDeveloperOptions === false && {
      is: 'has its developer options switched off',
      remedy: 'Switch the developer options on: tap the build number seven times',
    },
);

export const stayAwakeOff = readinessRule(
  'stayAwake',
  { code: 'STAY_AWAKE_OFF', sign: 'may sleep', plural: 'do not stay awake' },
  ({ staysAwake }) =>
    staysAwake === false && {
      is: 'does not stay awake while it is plugged in',
      remedy: 'Switch on "Stay awake" in the developer options of the phone',
    },
);

const dialogs: Readonly<Record<Dialog, Obstacle>> = {
  CRASHED: {
    is: 'shows that an app has crashed',
    remedy: 'Close the dialog on the phone, and look into the app that crashed',
  },
  NOT_RESPONDING: {
    is: 'shows that an app does not respond',
    remedy: 'Close the app from the dialog on the phone; if the dialog comes back, restart the phone',
  },
  PERMISSION: {
    is: 'asks whether an app may have a permission',
    remedy: 'Answer the dialog on the phone, or grant the permission when you install the app',
  },
  CHOOSER: {
    is: 'asks which app to use',
    remedy: 'Choose an app on the phone, and make it the default',
  },
  USB: {
    is: 'asks about its USB connection',
    remedy: 'Answer the dialog on the phone',
  },
};

export const dialogInFront = readinessRule(
  'dialog',
  { code: 'DIALOG_IN_FRONT', sign: 'dialog in front', plural: 'show a dialog of the system' },
  ({ dialog = 'NONE' }) => dialog !== 'NONE' && dialogs[dialog],
);
