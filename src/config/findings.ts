/** Which findings a lab wants. */
import * as z from 'zod';
import { findingCodes } from '../diagnosis/rules/index.ts';
import { section } from './kinds.ts';

export const findings = section('What hostnode finds out about phones, ports, hubs, host and room.', {
  off: z.array(z.enum(findingCodes)).default([]).meta({
    description: 'Codes of findings that this lab does not want, such as USB_SLOW.',
    allowed: 'a list of codes (in the environment: as JSON)',
  }),
});
