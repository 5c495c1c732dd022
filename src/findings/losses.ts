/** All findings that follow from who was lost: the losses are gone through once. */
import { adbRestarting } from './adb-restarting.ts';
import { accuse } from './blame.ts';
import type { Judge } from './case.ts';
import { flapping } from './flapping.ts';
import { hubs } from './hubs.ts';
import { network } from './network.ts';
import { outages } from './outages.ts';
import { unauthorized } from './unauthorized.ts';
import { unstable } from './unstable.ts';

export const judgeLosses: Judge = (given) => {
  const accusation = accuse(given);
  return [
    ...unstable(accusation, given.now),
    ...hubs(accusation, given.now),
    ...network(accusation, given.now),
    ...outages(accusation, given),
    ...adbRestarting(accusation, given.now),
    ...flapping(accusation, given.now),
    ...unauthorized(accusation, given),
  ];
};
