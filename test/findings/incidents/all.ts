/** All incidents and months: one line for each file of them. */
import { months as calm } from './months/calm.ts';
import type { Incident, QuietMonth } from './story.ts';
import { incidents as deviceLabs } from './told/device-labs.ts';
import { incidents as farms } from './told/farms.ts';

export const incidents: readonly Incident[] = [...deviceLabs, ...farms];
export const months: readonly QuietMonth[] = [...calm];
