/** Phones that attack whoever shows what they say: every text that a phone chooses holds this. */
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import type { RecordedAnswer, Recording } from '../../src/demo/recording.ts';

/**
 * Clears the screen and makes a link of the rest (ECMA-48, OSC 8, also with the one-byte CSI of C1), turns the direction
 * of text, ends a tag, a string, a label, a table cell, a code span, a line, a message to systemd; and is long.
 */
export const attack = [
  '\u001b[2J\u001b]8;;http://evil.example\u0007\u009b31m',
  '\u202e\u2066\u061c\u2028\0\ud800',
  '</script><img src=x onerror="document.title=`owned`">',
  '"} 1 \\',
  '| `code` [link](javascript:x) $(touch /tmp/owned) ; ../../..',
  '\rMAINPID=1',
].join('');

const long = attack + 'A'.repeat(5_000);

/** What a terminal obeys, what turns or breaks a line, and half characters; line feeds excepted. */
export const unsafe =
  /(?!\n)[\p{Cc}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])/u;

const base = recordings.find(({ serial }) => serial === 'f12a8ec9');
if (base === undefined) throw new Error('the recording is gone');

const poisoned = (answer: RecordedAnswer = []): string[] =>
  (Array.isArray(answer) ? answer : answer.lines).map((line) =>
    line.replace(/^(\[ro\.(?:product|build|serialno)\S*\]: \[)(.*)\]$/, (_, start) => `${start}${long}\nX]`),
  );

/** It answers all that it is asked. */
const talkative: Recording = {
  ...base,
  title: 'A phone whose every word is an attack',
  origin: ['Made up: the answers of a POCO F6, with an attack for each text.'],
  serial: '\u001b[2J\u202e<b>"|`x`',
  product: `p${attack.replace(/\s/g, '')}`,
  answers: {
    ...base.answers,
    'identity.properties': poisoned(base.answers['identity.properties']),
    'name.settings': [`name=${long}`, `name=${long}`],
    'battery.dump': [
      'Current Battery Service state:',
      '  level: 50',
      '  scale: 100',
      `  technology: ${long}`,
    ],
    'browsers.apps': [`packageName=${attack.replace(/\s/g, '')}`],
  },
};

/** Its answers are attacks as a whole, so that they cannot be read. */
const unreadable: Recording = {
  ...talkative,
  serial: '<i>\u009b31m\u2066',
  devpath: '1-1.3',
  answers: Object.fromEntries(Object.keys(base.answers).map((name) => [name, [long, long]])),
};

/** The adb server has a word for it that is none of adb's. */
const stateful: Recording = {
  ...talkative,
  serial: '$(id)',
  devpath: '1-1.4',
  state: 'x\u001b[2J\u202e<img/src=x>"\\',
};

export const hostilePhones = (): SimulatedPhone[] =>
  [talkative, unreadable, stateful].map((recording) => new SimulatedPhone(recording));
