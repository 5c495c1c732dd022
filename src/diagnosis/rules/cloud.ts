/** What reading back found: where the cloud's picture of a phone is not that of this host. */
import { eachPhone } from '../context.ts';
import type { Rule } from '../rule.ts';
import { pluggedElsewhere } from '../words.ts';

const DIFFERENCE = {
  unplugged: 'is plugged in, and the cloud has it as unplugged',
  here: 'is not plugged in, and the cloud has it as plugged in at this host',
};

export const cloudDisagrees: Rule = {
  code: 'CLOUD_DISAGREES',
  severity: 'major',
  sign: 'cloud disagrees',
  plural: 'are otherwise in the cloud than here',
  evaluate: eachPhone(({ inCloud }) => {
    if (inCloud === undefined || inCloud.there === 'elsewhere' || !inCloud.isConfirmed) return undefined;
    return {
      is: DIFFERENCE[inCloud.there],
      remedy:
        'It was reported anew; if this stays, look for another agent that reports it, or has the same nodeId',
      since: inCloud.since,
    };
  }),
};

/** Unplugged here, and another host has it: somebody moved it. */
export const elsewhere: Rule = {
  code: 'elsewhere',
  severity: 'minor',
  sign: 'elsewhere',
  plural: 'are plugged in at other hosts',
  evaluate: eachPhone(({ attached, inCloud }, { now }) => {
    if (attached || inCloud?.there !== 'elsewhere') return undefined;
    return {
      is: `is ${pluggedElsewhere(inCloud, now.at)}`,
      remedy: 'Nothing, if it was moved: hostnode forget removes it from this host',
      since: inCloud.since,
    };
  }),
};
