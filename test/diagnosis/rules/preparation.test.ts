import { expect, it } from 'vitest';
import { evaluate } from '../../../src/diagnosis/evaluate.ts';
import { notPrepared } from '../../../src/diagnosis/rules/preparation.ts';
import type { Want } from '../../../src/facts/preparation.ts';
import type { Dialog, ReadinessFacts } from '../../../src/facts/readiness.ts';
import { contextOf, NOW, phoneOf } from '../../findings/phones.ts';

const notReady: ReadinessFacts = {
  isLocked: true,
  isAwake: false,
  staysAwake: false,
  dialog: 'CRASHED',
  settings: { 'global adb_enabled': 1, 'global development_settings_enabled': 0 },
};

const found = (
  readiness: ReadinessFacts | undefined,
  wants: Want[] = ['automation'],
  phone: Parameters<typeof phoneOf>[1] = {},
) =>
  evaluate(
    [notPrepared],
    contextOf([phoneOf('Pixel', { wants, ...phone, ...(readiness && { readiness }) })]),
  );

it('lists in one finding what differs', () => {
  expect(found(notReady)).toEqual([
    {
      code: 'NOT_PREPARED',
      severity: 'minor',
      subject: { kind: 'phone', key: 'Pixel' },
      certainty: 'certain',
      title:
        'Pixel shows its lock screen, is asleep with the screen off, does not stay awake while it is plugged in, has its developer options switched off, shows that an app has crashed',
      remedy: 'Set each as the list of hostnode prepare says (docs/preparing.md)',
      since: NOW,
      udids: ['Pixel'],
      evidence: [],
    },
  ]);
});

it('says what to do where one thing differs', () => {
  expect(found(notReady, ['screenLock'])).toMatchObject([
    { title: 'Pixel shows its lock screen', remedy: 'Unlock the phone, and set its screen lock to None' },
  ]);
});

it.each<Dialog>(['CRASHED', 'NOT_RESPONDING', 'PERMISSION', 'CHOOSER', 'USB'])(
  'has a remedy for the dialog %s',
  (dialog) => {
    expect(found({ dialog })).toMatchObject([{ remedy: expect.stringMatching(/^[A-Z]/) }]);
  },
);

it('finds nothing that the lab does not want', () => {
  expect(found(notReady, [])).toEqual([]);
  expect(found({ ...notReady, isAwake: true }, ['screenOn'])).toEqual([]);
  expect(evaluate([notPrepared], contextOf([phoneOf('A', { readiness: notReady })]))).toEqual([]);
});

it('knows nothing of what a phone does not say, nor of one that is away, starting or worked on', () => {
  expect(found(undefined)).toEqual([]);
  expect(found({})).toEqual([]);
  expect(found({ dialog: 'NONE', isLocked: false, isAwake: true })).toEqual([]);
  expect(found(notReady, undefined, { attached: false, state: 'disconnected' })).toEqual([]);
  expect(found(notReady, undefined, { state: 'unauthorized' })).toEqual([]);
  expect(found(notReady, undefined, { bootCompleted: false })).toEqual([]);
  expect(found(notReady, undefined, { isInMaintenance: true })).toEqual([]);
});

it('leaves the lock screen out of a phone that was not unlocked since it started: that is told apart', () => {
  expect(found({ isLocked: true }, ['screenLock'], { isDataLocked: true })).toEqual([]);
});

it('has one printable line, whatever the phone is called', () => {
  const [{ title = '' } = {}] = found(notReady, ['screenLock'], { name: `\u001b[2J\n${'x'.repeat(500)}` });
  expect(title).toMatch(/^[ -~]{1,120}$/);
});
