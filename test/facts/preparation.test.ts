import { expect, it } from 'vitest';
import {
  judged,
  partsOf,
  preparations,
  profiles,
  settingNames,
  settingsOf,
} from '../../src/facts/preparation.ts';
import { parseReadiness, type ReadinessFacts } from '../../src/facts/readiness.ts';

const READ = { 'global adb_enabled': 1 };
const judgementOf = (name: (typeof settingNames)[number], facts: ReadinessFacts, sdk?: number) =>
  judged([name], facts, sdk).map(({ judgement }) => (typeof judgement === 'object' ? 'differs' : judgement));
const settings = (values: Record<string, number>): ReadinessFacts => ({ settings: { ...READ, ...values } });

it('wants nothing by default, and what a profile stands for', () => {
  expect(settingsOf([])).toEqual([]);
  expect(partsOf([])).toEqual([]);
  expect(settingsOf(['battery', 'stayAwake'])).toEqual(['stayAwake', 'chargeLimit']);
  expect(settingsOf(['automation', 'battery'])).toEqual(settingNames);
  for (const name of Object.values(profiles).flat()) expect(settingNames).toContain(name);
});

it('has a row for each setting, whose places to set are those that it reads, or the one behind a dump', () => {
  expect(new Set(preparations.map(({ name }) => name))).toEqual(new Set(settingNames));
  for (const { puts = [], reads } of preparations)
    for (const [place, value] of puts) {
      expect(value).toBeGreaterThanOrEqual(0);
      if (reads.some((part) => part.includes(' '))) expect(reads).toContain(place);
    }
});

it.each([
  ['expire never', { 'global adb_allowed_connection_time': 0 }, 'right'],
  ['expire after a day', { 'global adb_allowed_connection_time': 86_400_000 }, 'differs'],
  ['were never set: seven days', {}, 'differs'],
  ['are what no Android writes', { 'global adb_allowed_connection_time': Number.NaN }, 'unknown'],
])('knows whether authorizations %s', (_what, values: Record<string, number>, judgement) => {
  expect(judgementOf('adbExpiry', settings(values), 30)).toEqual([judgement]);
});

it('never calls a key wrong that a phone does not have', () => {
  expect(judgementOf('adbExpiry', settings({}), 29)).toEqual(['absent']); // Android 10
  expect(judgementOf('adbExpiry', settings({}))).toEqual(['unknown']); // of no known Android
  expect(judgementOf('adbExpiry', { settings: {} }, 30)).toEqual(['unknown']); // nothing was read
  expect(judgementOf('systemUpdates', settings({}), 30)).toEqual(['unset']);
  expect(judgementOf('autoBlocker', settings({}), 36)).toEqual(['absent']);
  expect(judgementOf('inputInjection', settings({}), 36)).toEqual(['absent']);
  expect(judgementOf('chargeLimit', settings({}), 36)).toEqual(['absent', 'absent', 'absent', 'absent']);
  for (const { judgement } of judged(['automation', 'battery'], {}, 36))
    expect(typeof judgement).toBe('string');
});

it('needs each of several keys to be as wanted', () => {
  const scales = { 'global window_animation_scale': 0, 'global transition_animation_scale': 0 };
  expect(judgementOf('animations', settings(scales), 30)).toEqual(['right']);
  expect(
    judgementOf('animations', settings({ ...scales, 'global animator_duration_scale': 0.5 }), 30),
  ).toEqual(['differs']);
  const blocker = { 'secure rampart_main_switch_enabled': 0 };
  expect(judgementOf('autoBlocker', settings(blocker), 36)).toEqual(['right']);
  expect(
    judgementOf('autoBlocker', settings({ ...blocker, 'secure rampart_auto_enabled_switch_enabled': 1 })),
  ).toEqual(['differs']);
});

it.each([
  ['Samsung, to 80 %', { 'global protect_battery': 1 }, 'right'],
  ['Samsung, pausing when full', { 'global protect_battery': 3 }, 'differs'],
  ['Xiaomi, to the full', { 'secure security_pc_secure_protect_mode_key': 0 }, 'differs'],
  ['Xiaomi, adapting', { 'secure security_pc_secure_protect_mode_key': 1 }, 'right'],
  ['OnePlus', { 'system regular_charge_protection_switch_state': 0 }, 'differs'],
  ['Pixel', { 'secure charge_optimization_mode': 1 }, 'right'],
])('knows the charge limit of each maker: %s', (_maker, values: Record<string, number>, judgement) => {
  expect(judgementOf('chargeLimit', settings(values), 36)).toContain(judgement);
  expect(judgementOf('chargeLimit', settings(values), 36).filter((each) => each === 'absent')).toHaveLength(
    3,
  );
});

it('reads what phones print of these', () => {
  const text =
    '[global]\nadb_enabled=1\nadb_allowed_connection_time=0\nprotect_battery=null\n[secure]\nrampart_main_switch_enabled=1\n[persist.security.adbinput]: [1]\n';
  const facts = parseReadiness({ settings: text });
  expect(judgementOf('adbExpiry', facts, 34)).toEqual(['right']);
  expect(judgementOf('autoBlocker', facts, 34)).toEqual(['differs']);
  expect(judgementOf('inputInjection', facts, 34)).toEqual(['right']);
});
