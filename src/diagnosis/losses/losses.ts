/** All findings that follow from who was lost: the losses are gone through once. */

import type { Judge } from '../rule.ts';
import { adbRestarting } from '../rules/adb-restarting.ts';
import { flapping } from '../rules/flapping.ts';
import { hubs } from '../rules/hubs.ts';
import { network } from '../rules/network.ts';
import { outages } from '../rules/outages.ts';
import { unauthorized } from '../rules/unauthorized.ts';
import { unstable } from '../rules/unstable.ts';
import { accuse } from './attribution.ts';

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
