/** All incidents and months: one line for each file of them. */
import { months as calm } from './months/calm.ts';
import { months as lively } from './months/lively.ts';
import type { Incident, QuietMonth } from './story.ts';
import { incidents as desks } from './told/desks.ts';
import { incidents as deviceLabs } from './told/device-labs.ts';
import { incidents as farms } from './told/farms.ts';
import { incidents as power } from './told/power.ts';

export const incidents: readonly Incident[] = [...deviceLabs, ...farms, ...desks, ...power];
export const months: readonly QuietMonth[] = [...calm, ...lively];
