/**
 * The name that the phone's owner gave it.
 *
 * Source: the settings `global device_name` (filled by the system from 7.1), before that `secure bluetooth_name`. The
 * command `settings` exists since 4.2 and prints `null` for what is not set.
 */
import { ParseError } from '../errors.ts';
import { present } from '../present.ts';
import { plainText } from './plain-text.ts';
import type { Section } from './section.ts';

/** The name that its owner gave the phone. */
export interface NameFacts {
  givenName?: string;
}

/**
 * Reads lines `name=…`, the better source first; what `settings` prints on its error stream has no such line.
 *
 * @throws {ParseError} when settings did not answer at all: it says `null` where a name is not set
 */
export function parseName(text: string): NameFacts {
  const answers = [...plainText(text).matchAll(/^name=(.*)$/gm)]
    .map(([, value = '']) => value.trim())
    .filter((value) => value !== '');
  if (answers.length === 0 && /\bsettings: .*not found/.test(text)) return {}; // before 4.2
  if (answers.length === 0) throw new ParseError('settings get device_name', text);
  return present({ givenName: answers.find((value) => value !== 'null') });
}

export const name = {
  name: 'name',
  cadence: { everySeconds: 600 },
  limitSeconds: 6,
  commands: () => ({
    settings:
      'for k in "global device_name" "secure bluetooth_name";do print -r -- "name=$(settings get $k)";done',
  }),
  parse: ({ settings }) => parseName(settings ?? ''),
} satisfies Section<NameFacts>;
