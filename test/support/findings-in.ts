import { evaluate } from '../../src/diagnosis/evaluate.ts';
import type { Finding } from '../../src/diagnosis/finding.ts';
import type { RuleContext } from '../../src/diagnosis/rule.ts';
import { historyRules } from '../../src/diagnosis/rules/index.ts';

/** What all rules about the past find. */
export const findingsIn = (context: RuleContext): Finding[] => evaluate(historyRules, context);
