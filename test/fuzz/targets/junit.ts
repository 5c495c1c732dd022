/** A JUnit file, of whichever runner or attacker. */
import assert from 'node:assert/strict';
import { JunitError, markedJunit, readJunit } from '../../../src/cli/junit.ts';
import { checkTexts, inRange, nothingInherited, orError } from '../invariants.ts';
import { vocabularyOf } from '../literals.ts';
import { type Target, target } from '../target.ts';
import { type Text, texts } from '../texts.ts';

const all = { from: 0, to: Number.MAX_SAFE_INTEGER };

const junit = target<Text>({
  name: 'junit',
  inputs: texts({
    samples: [
      '<?xml version="1.0"?>\n<testsuites><testsuite timestamp="2026-11-23T10:00:00"><testcase name="a" time="1,200.5"/>',
      '<testcase timestamp="2026-11-23T12:00:00+01:00"><properties/><failure><![CDATA[<a>]]></failure></testcase></testsuite></testsuites>',
      '<testsuite><properties><property name="lab" value="b"/></properties><testcase></testcase></testsuite>',
      '<!-- a --><!DOCTYPE a [<!ENTITY b "c">]>',
    ],
    vocabulary: vocabularyOf('cli/junit.ts'),
  }),
  check(input) {
    checkTexts([input], ([text = '']) => {
      const bytes = Buffer.from(text);
      const file = orError(() => readJunit(bytes, { utc: true, from: 1 }), JunitError);
      if (file === undefined) return;
      for (const { from = 0, to = 0 } of file.tests) {
        inRange('the begin', from, 0, 8.64e15);
        assert.ok(to >= from);
      }
      assert.ok(markedJunit(file, all, () => '').bytes.equals(bytes));
      const marked = markedJunit(file, all, () => 'x');
      assert.equal(marked.bytes.length > bytes.length, marked.marked > 0);
      // once marked it is read again, and not marked twice
      const again = readJunit(marked.bytes, { utc: true, from: 1 });
      assert.equal(again.tests.length, file.tests.length);
      assert.ok(markedJunit(again, all, () => 'x').bytes.equals(marked.bytes));
    });
    nothingInherited();
  },
});

export const junitTargets: readonly Target[] = [junit];
