/** The rules of the configuration: how single devices appear in the cloud, or whether they are reported at all. */

import type * as z from 'zod';
import { globMatches } from '../base/glob.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Support } from '../cloud/contract/report.ts';
import type { Want } from '../facts/preparation.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { deviceRule } from './device-rule.ts';

/** One rule of the configuration. What it leaves out it does not touch. */
export type PolicyRule = Omit<z.infer<typeof deviceRule>, 'prepare'> & { prepare?: readonly Want[] };

export interface Policy {
  deviceName?: string;
  addedToCloud: boolean;
  isHidden: boolean;
  ignore: boolean;
  support: Support;
  prepare: readonly Want[];
}

/** What holds of all devices where no rule says otherwise. */
export interface Preparing {
  wants: readonly Want[];
  /** Phones for manual use alone take no Appium, where no rule says otherwise. */
  supportFromPreparation: boolean;
}

/** Who a device is, as far as it is known. */
export interface PolicySubject {
  udid: string;
  serial: string;
  model?: string | undefined;
  brand?: string | undefined;
  slot?: string | undefined;
}

export const subjectOf = (
  { udid, serial, identity }: RosterDevice,
  slot: string | undefined,
): PolicySubject => ({ udid, serial, model: identity?.model, brand: identity?.brand, slot });

export const standardPolicy: Policy = {
  addedToCloud: true,
  isHidden: false,
  ignore: false,
  support: {
    appiumDisabled: false,
    networkTrafficCapturingDisabled: false,
    unlockPasscodeDisabled: false,
    setTimeZoneDisabled: false,
    networkPayloadCaptureDisabled: false,
  },
  prepare: [],
};

/** The policy of one device: the rules that match, in order, the later one winning key by key. */
export function resolvePolicy(
  rules: readonly PolicyRule[],
  subject: PolicySubject,
  { wants, supportFromPreparation }: Preparing = { wants: [], supportFromPreparation: false },
): Policy {
  const policy: Policy = { ...standardPolicy, prepare: wants };
  const ofRules: Partial<Support> = {};
  for (const { match, support, ...settings } of rules) {
    if (!matches(match, subject)) continue;
    Object.assign(policy, omitUndefined(settings));
    Object.assign(ofRules, omitUndefined(support ?? {}));
  }
  const isManual = policy.prepare.includes('manual') && !policy.prepare.includes('automation');
  const appiumDisabled = supportFromPreparation && isManual;
  return { ...policy, support: { ...standardPolicy.support, appiumDisabled, ...ofRules } };
}

/** May a rule by model or brand ignore this device, of which neither is known yet? */
export const mayBeIgnored = (rules: readonly PolicyRule[], subject: PolicySubject): boolean =>
  rules.some(
    ({ ignore, match: { model, brand, ...rest } }) =>
      ignore === true && (model ?? brand) !== undefined && matches(rest, subject),
  );

/** Does every glob of `match` fit? What is not known of the device fits none. */
export function matches(match: PolicyRule['match'], subject: PolicySubject): boolean {
  const keys = ['udid', 'serial', 'model', 'brand', 'slot'] as const;
  return keys.every((key) => {
    const glob = match[key];
    const text = subject[key];
    return glob === undefined || (text !== undefined && globMatches(glob, text));
  });
}
