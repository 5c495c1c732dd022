/** Which findings a lab wants. */
import * as z from 'zod';
import { findingCodes } from '../diagnosis/rules/index.ts';
import type { ReadinessPart } from '../facts/section.ts';

const wanted = (description: string) => z.boolean().default(false).meta({ description });

const readiness = z
  .strictObject({
    screenLocked: wanted('Find phones whose lock screen is shown (SCREEN_LOCKED).'),
    screenOff: wanted('Find phones that are asleep with the screen off (SCREEN_OFF).'),
    developerOptions: wanted('Find phones whose developer options are off (DEVELOPER_OPTIONS_OFF).'),
    stayAwake: wanted('Find phones that do not stay awake while plugged in (STAY_AWAKE_OFF).'),
    dialog: wanted('Find phones with a dialog of the system in front (DIALOG_IN_FRONT).'),
  } satisfies Record<ReadinessPart, z.ZodType>)
  .meta({
    description:
      'What a phone needs before a test. hostnode asks the phones only for what is wanted here, every 5 minutes.',
  });

export const findings = z
  .strictObject({
    off: z.array(z.enum(findingCodes)).default([]).meta({
      description: 'Codes of findings that this lab does not want, such as USB_SLOW.',
      allowed: 'a list of codes (in the environment: as JSON)',
    }),
    readiness: readiness.prefault({}),
  })
  .meta({ description: 'What hostnode finds out about phones, ports, hubs, host and room.' });

/** The parts of the readiness that are wanted. */
export const wantedReadiness = (readiness: Readonly<Record<ReadinessPart, boolean>>): ReadinessPart[] =>
  (Object.keys(readiness) as ReadinessPart[]).filter((part) => readiness[part]);
