/**
 * The name that the phone's owner gave it.
 *
 * Source: the settings `global device_name`, before that `secure bluetooth_name`. The system fills both with the model
 * (AOSP SettingsProvider, DatabaseHelper: getDefaultDeviceName): that is no name that somebody gave. The command `settings`
 * exists since 4.2 and prints `null` for what is not set.
 */
import { ParseError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { phoneText } from './phone-text.ts';
import { plainText } from './plain-text.ts';
import { KIB, type Section } from './section.ts';

/** The name that its owner gave the phone. */
export interface NameFacts {
  givenName?: string;
}

/**
 * Reads lines `name=…`, the better source first, and a line `model=…`; what `settings` prints on its error stream has no
 * such line.
 *
 * @throws {ParseError} when settings did not answer at all: it says `null` where a name is not set
 */
export function parseName(text: string): NameFacts {
  const plain = plainText(text);
  const model = /^model=(.*)$/m.exec(plain)?.[1]?.trim() ?? '';
  const answers = [...plain.matchAll(/^name=(.*)$/gm)]
    .map(([, value = '']) => value.trim())
    .filter((value) => value !== '');
  if (answers.length === 0 && plain.split('\n').some(isNotFound)) return {}; // before 4.2
  if (answers.length === 0) throw new ParseError('settings get device_name', text);
  return omitUndefined({
    givenName: phoneText(
      answers.find((value) => value !== 'null' && value !== model),
      'name',
    ),
  });
}

/** `/system/bin/sh: settings: not found`, in whatever words the shell has before and between. */
function isNotFound(line: string): boolean {
  const named = line.indexOf('settings: ');
  return named >= 0 && line.includes('not found', named);
}

export const name = {
  name: 'name',
  cadence: { everySeconds: 600 },
  limitSeconds: 6,
  limitBytes: 4 * KIB,
  commands: () => ({
    settings:
      'for k in "global device_name" "secure bluetooth_name";do print -r -- "name=$(settings get $k)";done;print -r -- "model=$(getprop ro.product.model)"',
  }),
  parse: ({ settings }) => parseName(settings ?? ''),
} as const satisfies Section<NameFacts>;
