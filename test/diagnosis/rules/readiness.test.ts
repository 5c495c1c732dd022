import { expect, it } from 'vitest';
import { evaluate } from '../../../src/diagnosis/evaluate.ts';
import {
  developerOptionsOff,
  dialogInFront,
  screenLocked,
  screenOff,
  stayAwakeOff,
} from '../../../src/diagnosis/rules/readiness.ts';
import type { Dialog, ReadinessFacts } from '../../../src/facts/readiness.ts';
import type { ReadinessPart } from '../../../src/facts/section.ts';
import { contextOf, NOW, phoneOf } from '../../findings/phones.ts';

const rules = [screenLocked, screenOff, developerOptionsOff, stayAwakeOff, dialogInFront];
const parts: ReadinessPart[] = ['screenLocked', 'screenOff', 'developerOptions', 'stayAwake', 'dialog'];
const notReady: ReadinessFacts = {
  isLocked: true,
  isAwake: false,
  hasDeveloperOptions: false,
  staysAwake: false,
  dialog: 'CRASHED',
};

const judged = (
  readiness: ReadinessFacts | undefined,
  wanted: ReadinessPart[] = parts,
  phone: Parameters<typeof phoneOf>[1] = {},
) =>
  evaluate(
    rules,
    contextOf(
      [phoneOf('Pixel', { ...phone, ...(readiness && { readiness }) })],
      {},
      { setting: { expected: [], slots: [], readiness: wanted } },
    ),
  );

it('says of each part what stands in the way, and what to do', () => {
  expect(judged(notReady).map(({ code, title }) => [code, title])).toEqual([
    ['SCREEN_LOCKED', 'Pixel shows its lock screen'],
    ['SCREEN_OFF', 'Pixel is asleep with the screen off'],
    ['DEVELOPER_OPTIONS_OFF', 'Pixel has its developer options switched off'],
    ['STAY_AWAKE_OFF', 'Pixel does not stay awake while it is plugged in'],
    ['DIALOG_IN_FRONT', 'Pixel shows that an app has crashed'],
  ]);
  expect(judged(notReady)[0]).toEqual({
    code: 'SCREEN_LOCKED',
    severity: 'minor',
    subject: { kind: 'phone', key: 'Pixel' },
    certainty: 'certain',
    title: 'Pixel shows its lock screen',
    remedy: 'Unlock the phone, and set its screen lock to None',
    since: NOW,
    udids: ['Pixel'],
    evidence: [],
  });
});

it('looks for each part on its own, and none that the lab does not want', () => {
  for (const part of parts) expect(judged(notReady, [part])).toHaveLength(1);
  expect(judged(notReady, [])).toEqual([]);
  expect(evaluate(rules, contextOf([phoneOf('A', { readiness: notReady })]))).toEqual([]);
});

it.each<Dialog>(['CRASHED', 'NOT_RESPONDING', 'PERMISSION', 'CHOOSER', 'USB'])(
  'has a remedy for the dialog %s',
  (dialog) => {
    expect(judged({ dialog })).toMatchObject([
      { code: 'DIALOG_IN_FRONT', remedy: expect.stringMatching(/^[A-Z]/) },
    ]);
  },
);

it('knows nothing of what a phone does not say, nor of one that is away, starting or worked on', () => {
  expect(judged(undefined)).toEqual([]);
  expect(judged({})).toEqual([]);
  expect(judged({ dialog: 'NONE', isLocked: false, isAwake: true })).toEqual([]);
  expect(judged(notReady, parts, { attached: false, state: 'disconnected' })).toEqual([]);
  expect(judged(notReady, parts, { state: 'unauthorized' })).toEqual([]);
  expect(judged(notReady, parts, { bootCompleted: false })).toEqual([]);
  expect(judged(notReady, parts, { isInMaintenance: true })).toEqual([]);
});

it('has one printable line, whatever the phone is called', () => {
  const titles = judged(notReady, parts, { name: `\u001b[2J\n${'x'.repeat(500)}` }).map(({ title }) => title);
  for (const title of titles) expect(title).toMatch(/^[ -~]{1,120}$/);
});
