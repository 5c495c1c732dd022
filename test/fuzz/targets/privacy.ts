/** What a person gives away with a recording of a phone: nothing that names him, whatever the phone has printed. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Redactor } from '../../../src/cli/redaction/redactor.ts';
import { StandIns } from '../../../src/cli/redaction/stand-in.ts';
import type { Facts } from '../../../src/facts/index.ts';
import { sections } from '../../../src/facts/index.ts';
import { checkTexts, nothingInherited } from '../invariants.ts';
import { vocabularyOf } from '../literals.ts';
import { answersOf } from '../samples.ts';
import { type Target, target } from '../target.ts';
import { type Text, texts } from '../texts.ts';

const serial = 'R58M90ABCDE';
const said = texts({
  samples: [
    ...sections
      .flatMap(({ name }) => answersOf(name as keyof Facts).slice(0, 4))
      .map((text) => text.slice(0, 8_000)),
    `[ro.serialno]: [${serial}]\n[ro.product.model]: [SM-G991B]\n`,
    `Device ID = 490154203237518\nSSID: "Annas WLAN", ${serial}\n`,
  ],
  vocabulary: vocabularyOf('cli/redaction/personal.ts', 'cli/redaction/redactor.ts'),
});

const recordings = target<{ one: Text; other: Text; isMasked: boolean }>({
  name: 'privacy-redactor',
  inputs: fc.record({ one: said, other: said, isMasked: fc.boolean() }),
  check({ one, other, isMasked }) {
    checkTexts([one, other], (spelt) => {
      const standIns = isMasked ? {} : { standIns: new StandIns() };
      const redactor = new Redactor({ texts: spelt, known: [serial], ...standIns });
      for (const text of [...spelt, `"${serial}" (${serial})`]) {
        const redacted = redactor.text(text);
        assert.ok(!redacted.includes(serial), 'the serial is in it');
        if (isMasked) assert.equal(redacted.length, text.length);
      }
    });
    nothingInherited();
  },
});

export const privacyTargets: readonly Target[] = [recordings];
