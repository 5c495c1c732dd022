/** Which findings a lab wants. */
import * as z from 'zod';
import { findingCodes } from '../diagnosis/rules/index.ts';
import type { ReadinessPart } from '../facts/section.ts';
import { flag, section } from './kinds.ts';

const readiness = section(
  'What a phone needs before a test. hostnode asks the phones only for what is wanted here, every 5 minutes.',
  {
    screenLocked: flag(false, 'Find phones whose lock screen is shown (SCREEN_LOCKED).'),
    screenOff: flag(false, 'Find phones that are asleep with the screen off (SCREEN_OFF).'),
    developerOptions: flag(false, 'Find phones whose developer options are off (DEVELOPER_OPTIONS_OFF).'),
    stayAwake: flag(false, 'Find phones that do not stay awake while plugged in (STAY_AWAKE_OFF).'),
    dialog: flag(false, 'Find phones with a dialog of the system in front (DIALOG_IN_FRONT).'),
  } satisfies Record<ReadinessPart, z.ZodType>,
);

export const findings = section('What hostnode finds out about phones, ports, hubs, host and room.', {
  off: z.array(z.enum(findingCodes)).default([]).meta({
    description: 'Codes of findings that this lab does not want, such as USB_SLOW.',
    allowed: 'a list of codes (in the environment: as JSON)',
  }),
  readiness: readiness.prefault({}),
});

/** The parts of the readiness that are wanted. */
export const wantedReadiness = (readiness: Readonly<Record<ReadinessPart, boolean>>): ReadinessPart[] =>
  (Object.keys(readiness) as ReadinessPart[]).filter((part) => readiness[part]);
