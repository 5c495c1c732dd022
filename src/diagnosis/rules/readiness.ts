/** SCREEN_LOCKED, SCREEN_OFF, DEVELOPER_OPTIONS_OFF, STAY_AWAKE_OFF, DIALOG_IN_FRONT: why a test cannot begin. */
import type { Dialog, ReadinessFacts } from '../../facts/readiness.ts';
import type { ReadinessPart } from '../../facts/section.ts';
import type { FindingCode } from '../finding.ts';
import type { Judge } from '../rule.ts';
import { namesOf } from '../words.ts';

interface Obstacle {
  code: FindingCode;
  /** What completes `Pixel 5 …`. */
  says: string;
  remedy: string;
}

const dialogs: Readonly<Record<Dialog, { says: string; remedy: string }>> = {
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

/** What of a part stands in the way; undefined if nothing does, or if it is not known. */
const obstacles: Readonly<Record<ReadinessPart, (facts: ReadinessFacts) => Obstacle | undefined>> = {
  screenLocked: ({ isLocked }) =>
    isLocked === true
      ? {
          code: 'SCREEN_LOCKED',
          says: 'shows its lock screen',
          remedy: 'Unlock the phone, and set its screen lock to None',
        }
      : undefined,
  screenOff: ({ isAwake }) =>
    isAwake === false
      ? {
          code: 'SCREEN_OFF',
          says: 'is asleep with the screen off',
          remedy: 'Wake the phone, and switch on "Stay awake" in its developer options',
        }
      : undefined,
  developerOptions: ({ hasDeveloperOptions }) =>
    hasDeveloperOptions === false
      ? {
          code: 'DEVELOPER_OPTIONS_OFF',
          says: 'has its developer options switched off',
          remedy: 'Switch the developer options on: tap the build number seven times',
        }
      : undefined,
  stayAwake: ({ staysAwake }) =>
    staysAwake === false
      ? {
          code: 'STAY_AWAKE_OFF',
          says: 'does not stay awake while it is plugged in',
          remedy: 'Switch on "Stay awake" in the developer options of the phone',
        }
      : undefined,
  dialog: ({ dialog }) =>
    dialog === undefined || dialog === 'NONE' ? undefined : { code: 'DIALOG_IN_FRONT', ...dialogs[dialog] },
};

export const judgeReadiness: Judge = ({ now }) => {
  const nameOf = namesOf(now);
  return now.phones
    .filter(({ attached, state, isInMaintenance }) => attached && state === 'device' && !isInMaintenance)
    .filter(({ bootCompleted }) => bootCompleted !== false)
    .flatMap(({ udid, readiness = {} }) =>
      (now.setting?.readiness ?? []).flatMap((part) => {
        const obstacle = obstacles[part](readiness);
        if (obstacle === undefined) return [];
        const { code, says, remedy } = obstacle;
        return [
          {
            code,
            severity: 'minor' as const,
            subject: { kind: 'phone' as const, key: udid },
            certainty: 'certain' as const,
            title: `${nameOf(udid)} ${says}`,
            remedy,
            since: now.at,
            udids: [udid],
            evidence: [],
          },
        ];
      }),
    );
};
