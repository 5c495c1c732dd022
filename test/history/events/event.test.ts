import { expect, it } from 'vitest';
import { isLostState } from '../../../src/history/events/event.ts';

it('a phone that adb lists is lost where adb cannot reach it, and not while it waits for a person', () => {
  const states = ['offline', 'unknown', 'no device', 'device', 'unauthorized', 'authorizing', 'bootloader'];
  expect(states.filter(isLostState)).toEqual(['offline', 'unknown', 'no device']);
});
