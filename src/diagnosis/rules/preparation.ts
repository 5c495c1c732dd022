/** How phones differ from what the lab wants of them (`prepare.wants`, and `prepare` of a rule for devices). */
import { judged } from '../../facts/preparation.ts';
import { eachPhone } from '../context.ts';
import type { Rule } from '../rule.ts';

export const notPrepared: Rule = {
  code: 'NOT_PREPARED',
  severity: 'minor',
  sign: 'not prepared',
  plural: 'are not prepared',
  evaluate: eachPhone((phone) => {
    const { attached, state, bootCompleted, wants = [], readiness = {}, sdk, isDataLocked } = phone;
    if (!attached || state !== 'device' || bootCompleted === false) return false;
    const differences = judged(wants, readiness, sdk).flatMap(({ row, judgement }) => {
      const isTold = row.name === 'screenLock' && isDataLocked; // not unlocked since it started
      return typeof judgement === 'object' && !isTold ? [judgement] : [];
    });
    const [first, ...others] = differences;
    if (first === undefined) return false;
    return {
      is: differences.map(({ is }) => is).join(', '),
      remedy:
        others.length === 0
          ? first.remedy
          : 'Set each as the list of hostnode prepare says (docs/preparing.md)',
    };
  }),
};
