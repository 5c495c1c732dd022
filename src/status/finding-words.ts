/** How findings about phones are called where there is little room, and where several are told as one. */
import { ruleOf } from '../diagnosis/rules/index.ts';

export const signOf = (code: string): string => ruleOf(code)?.sign ?? code.toLowerCase().replaceAll('_', ' ');

export const pluralOf = (code: string): string => ruleOf(code)?.plural ?? `have ${code}`;
