/** All findings that follow from who was lost: the losses are gone through once. */

import { accuse } from '../losses/attribution.ts';
import type { Judge } from '../rule.ts';
import { adbRestarting } from './adb-restarting.ts';
import { flapping } from './flapping.ts';
import { hubs } from './hubs.ts';
import { network } from './network.ts';
import { outages } from './outages.ts';
import { unauthorized } from './unauthorized.ts';
import { unstable } from './unstable.ts';

export const judgeLosses: Judge = (context) => {
  const accusation = accuse(context);
  return [
    ...unstable(accusation, context.now),
    ...hubs(accusation, context.now),
    ...network(accusation, context.now),
    ...outages(accusation, context),
    ...adbRestarting(accusation, context.now),
    ...flapping(accusation, context.now),
    ...unauthorized(accusation, context),
  ];
};
