/** Names and paths: slots, ports, globs of the rules, and the text that is shown. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { escaped, printable } from '../../../src/base/printable.ts';
import { slot } from '../../../src/config/lists.ts';
import { UsbBuses } from '../../../src/host/usb-devices.ts';
import { matches } from '../../../src/report/policy.ts';
import { nextName, placeInRoom, plainPath } from '../../../src/roster/slot-name.ts';
import { lastingPaths, pathsOf, Slots } from '../../../src/roster/slots.ts';
import { checkTexts, nothingInherited, printableLine } from '../invariants.ts';
import { vocabularyOf } from '../literals.ts';
import { type Target, target } from '../target.ts';
import { hostile, type Text, texts } from '../texts.ts';

const text = texts({
  samples: [
    'rack 2, shelf 3, bay 4',
    'pci-0000:00:14.0-usb-0:4.2',
    '1-4.2',
    '192.168.1.7:5555',
    '[fe80::1%eth0]:5555',
    'adb-R58M1-abcdef (2)._adb-tls-connect._tcp.',
  ],
  vocabulary: vocabularyOf('config/lists.ts', 'host/usb-buses.ts', 'roster/slot-name.ts'),
});

const slotNames = target<{ name: Text; path: Text }>({
  name: 'slots',
  inputs: fc.record({ name: text, path: text }),
  check({ name: named, path: port }) {
    checkTexts([named, port], ([name = '', path = '']) => {
      const { success } = slot.safeParse({ name, paths: [path] });
      const { band, bay } = placeInRoom(name);
      assert.ok(name.includes(band) && name.includes(bay));
      const next = nextName(name, new Set([name]));
      assert.ok(next !== name);
      if (!success) return;
      printableLine('the name', name.toWellFormed().replace(/[\p{Cf}\u2028\u2029]/gu, ''), 200);
      const slots = new Slots([{ name, paths: [path] }], new UsbBuses('/nonexistent'));
      const plain = plainPath(path);
      assert.equal(slots.slotOf({ serial: plain }), name);
    });
    nothingInherited();
  },
});

const ports = target<Text>({
  name: 'sysfs-names',
  inputs: text,
  check(input) {
    const buses = new UsbBuses('/nonexistent');
    checkTexts([input], ([devpath = '']) => {
      const paths = pathsOf({ serial: 'R58M1', devpath }, () => ({
        controller: 'pci-0000:00:14.0',
        revision: 2,
      }));
      assert.equal(paths.at(-1), devpath);
      assert.equal(buses.companionOf(devpath), undefined);
      assert.deepEqual(lastingPaths(devpath, buses), [devpath]);
    });
  },
});

/** Does it fit, letter by letter? The same as the rules' patterns say, worked out in another way. */
function fits(glob: readonly string[], letters: readonly string[]): boolean {
  let row = [true, ...letters.map(() => false)];
  for (const wanted of glob) {
    const next = [wanted === '*' && row[0] === true];
    for (const [at, letter] of letters.entries()) {
      const isHere =
        wanted === '*'
          ? row[at + 1] === true || next[at] === true
          : row[at] === true && (wanted === '?' || wanted === letter);
      next.push(isHere);
    }
    row = next;
  }
  return row.at(-1) === true;
}

const letters = fc.array(fc.constantFrom('a', 'b', '.', '[', '😀', '\n', '-', '\\', '$'), { maxLength: 12 });
const globs = target<{ glob: string[]; letters: string[] }>({
  name: 'globs',
  inputs: fc.record({
    glob: fc.array(fc.constantFrom('*', '?', 'a', 'b', '.', '[', '😀', '\\', '$'), {
      minLength: 1,
      maxLength: 10,
    }),
    letters,
  }),
  check({ glob, letters: wanted }) {
    const subject = { udid: wanted.join(''), serial: '' };
    assert.equal(
      matches({ udid: glob.join('') }, subject),
      fits(glob, wanted),
      `${glob.join('')} and ${wanted.join('')}`,
    );
  },
});

/** A rule's glob is a person's, its text a phone's: neither may cost more than its length. */
const hardGlobs = target<{ glob: string; piece: string }>({
  name: 'globs-hard',
  inputs: fc.record({
    glob: fc
      .array(fc.constantFrom('*', '*a', 'a*', '?', '*?', 'ab', '*.*', '**', 'é'), {
        minLength: 1,
        maxLength: 8,
      })
      .map((parts) => parts.join('')),
    piece: fc.constantFrom('a', 'ab', 'aé', '.', 'a.', '😀', ' '),
  }),
  check({ glob, piece }) {
    // a slot's name, a serial and a model have some hundred characters at most
    const udid = `${piece.repeat(300)}!`;
    for (let times = 0; times < 3; times += 1)
      matches({ udid, model: glob }, { udid, serial: '', model: udid });
  },
});

const shown = target<Text>({
  name: 'printable',
  inputs: texts({ samples: ['Annas Telefon ☎ Küche'], vocabulary: { words: hostile, phrases: [] } }),
  check(input) {
    checkTexts([input], ([said = '']) => {
      printableLine('it', printable(said, 256), 256);
      for (const line of escaped(said.toWellFormed()).split('\n'))
        printableLine('it', line, 10 * said.length);
    });
  },
});

export const nameTargets: readonly Target[] = [slotNames, ports, globs, hardGlobs, shown];
