/**
 * The owner's name for the phone.
 *
 * Source: the settings `global device_name`, before that `secure bluetooth_name`. The system fills both with the model
 * (AOSP SettingsProvider, DatabaseHelper: getDefaultDeviceName), which is not an owner's name. The command `settings`
 * exists since 4.2 and prints `null` for unset keys.
 */
import { ParseError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { phoneText, plainText } from './phone-text.ts';
import { KIB, type Section } from './section.ts';

export interface NameFacts {
  givenName?: string;
}

/** What stands on stdout in place of a value while the system restarts (AOSP cmd.cpp). */
const FAILURE = 'cmd: Failure calling service ';

/**
 * Parses lines `name=…`, the better source first, and a line `model=…`; errors of `settings` have no such lines.
 *
 * @throws {ParseError} when `settings` did not answer at all: for an unset name it prints `null`
 */
export function parseName(text: string): NameFacts {
  const plain = plainText(text);
  const model = /^model=(.*)$/m.exec(plain)?.[1]?.trim() ?? '';
  const answers = [...plain.matchAll(/^name=(.*)$/gm)]
    .map(([, value = '']) => value.trim())
    .filter((value) => value !== '' && !value.startsWith(FAILURE));
  if (answers.length === 0 && plain.split('\n').some(isNotFound)) return {}; // before 4.2
  if (answers.length === 0) throw new ParseError('settings get device_name', text);
  return omitUndefined({
    givenName: phoneText(
      answers.find((value) => value !== 'null' && value !== model),
      'name',
    ),
  });
}

/** `/system/bin/sh: settings: not found`, in the words of any shell. */
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
