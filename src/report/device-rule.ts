import * as z from 'zod';
import { LONGEST_GLOB } from '../base/glob.ts';
import { wants } from '../facts/preparation.ts';

const glob = z
  .string()
  .min(1)
  .max(LONGEST_GLOB)
  .exactOptional()
  .meta({ allowed: `a glob of 1 to ${LONGEST_GLOB} characters` });
const flag = z.boolean().exactOptional();

/** How phones are to be prepared: `[automation, chargeLimit]`. */
export const wantsList = z.array(z.enum(wants)).meta({
  allowed: 'a list of manual, automation, battery, or single settings (in the environment: as JSON)',
});

/** A rule for the phones that it matches. Later rules override earlier ones, key by key. */
export const deviceRule = z.strictObject({
  match: z
    .strictObject({ udid: glob, serial: glob, model: glob, brand: glob, slot: glob })
    .refine((match) => Object.keys(match).length > 0)
    .meta({
      description: 'Globs (*, ?); a phone must match all that are given.',
      allowed: 'at least one of udid, serial, model, brand and slot',
    }),
  deviceName: z.string().min(1).exactOptional(),
  addedToCloud: flag,
  isHidden: flag,
  ignore: flag.meta({ description: 'Neither collect nor report it.' }),
  prepare: wantsList.exactOptional().meta({ description: 'How to prepare it, in place of prepare.wants.' }),
  support: z
    .strictObject({
      appiumDisabled: flag,
      networkTrafficCapturingDisabled: flag,
      unlockPasscodeDisabled: flag,
      setTimeZoneDisabled: flag,
      networkPayloadCaptureDisabled: flag,
    })
    .exactOptional(),
});
