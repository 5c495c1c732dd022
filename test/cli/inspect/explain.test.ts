import { describe, expect, it } from 'vitest';
import { visible } from '../../../src/base/printable.ts';
import { explain, explanationLines, maskerOf, noMask } from '../../../src/cli/inspect/explain.ts';
import type { Encounter } from '../../../src/cli/survey.ts';
import { SimulatedPhone } from '../../../src/demo/phone.ts';
import { recordings } from '../../../src/demo/phones/index.ts';
import { meet } from '../../support/encounter.ts';
import { allCommands } from '../../support/manual-host.ts';

const phone = (title: string) => {
  const recording = recordings.find((each) => each.title.includes(title));
  if (recording === undefined) throw new Error(`no recording of a ${title}`);
  return new SimulatedPhone(recording);
};

const fieldOf = (encounter: Encounter, field: string, masker = maskerOf(encounter)) =>
  explain(encounter, masker).find((each) => each.field === field);

describe('an explanation', () => {
  it('shows the command, the lines that count and the value', async () => {
    expect(fieldOf(await meet(phone('12X')), 'battery.temperature')).toEqual({
      field: 'battery.temperature',
      value: 331,
      sources: [{ name: 'battery.dump', command: 'dumpsys battery', text: '  temperature: 331' }],
    });
  });

  it('masks identifiers in the value and in the text, unless they are to be shown', async () => {
    const encounter = await meet(phone('12X'));
    const imei = 'telephony.carriersInfo[].imei';
    expect(fieldOf(encounter, imei)?.value).toEqual(['00***********16', '00***********24']);
    expect(fieldOf(encounter, imei, noMask)?.value).toEqual(['001017005000016', '001017005000024']);
    const masked = JSON.stringify(explain(encounter, maskerOf(encounter)));
    const shown = JSON.stringify(explain(encounter, noMask));
    const secrets = ['001017005000016', '50dc3516', '192.168.20.35', '00370031 00300030', '1.7.0.0.5.0.0.0.'];
    expect(secrets.filter((secret) => !shown.includes(secret))).toEqual([]);
    expect(secrets.filter((secret) => masked.includes(secret))).toEqual([]);
  });

  it('says why a field is absent: its command hung', async () => {
    const hung = phone('12X');
    hung.disturb('memory', { kind: 'hang' });
    expect(fieldOf(await meet(hung), 'memory.total')).toMatchObject({
      why: 'the command exceeded its time limit',
      sources: [{ name: 'memory.meminfo', command: 'cat /proc/meminfo' }],
    });
  });

  it('says why a field is absent: what was printed cannot be read', async () => {
    const odd = phone('12X');
    odd.alter('storage.size', () => "df: can't find 50dc3516\n");
    expect(fieldOf(await meet(odd), 'storage.used')?.why).toBe(
      'cannot read df /data: "df: can\'t find ******16"',
    );
  });

  it('says why a field is absent: the lab does not want it asked', async () => {
    const encounter = await meet(phone('12X'), { ...allCommands, telephonyIdentifiers: false });
    expect(fieldOf(encounter, 'telephony.carriersInfo[].imei')?.why).toBe(
      'not collected: switched off in the configuration',
    );
  });

  it('says why a field is absent: the phone has none', async () => {
    expect(fieldOf(await meet(phone('Tab S7')), 'telephony.mobileDataState')?.why).toBe(
      'the phone gave no value',
    );
  });

  it('says why a field is absent: the phone broke off', async () => {
    const broken = phone('12X');
    broken.disturb('battery', { kind: 'drop', afterBytes: 10 });
    const encounter = await meet(broken);
    expect(fieldOf(encounter, 'battery.voltage')?.why).toMatch(/^no answer: the connection broke off$/);
  });

  it('says why a field is absent: the phone lets nobody in, or still starts', async () => {
    const locked = await meet(new SimulatedPhone({ ...phoneLike('unauthorized') }));
    expect(fieldOf(locked, 'battery.voltage')?.why).toBe('not collected: adb reports state "unauthorized"');
    const starting = phone('12X');
    starting.alter('boot.properties', (text) => text.replace('[sys.boot_completed]: [1]\n', ''));
    expect(fieldOf(await meet(starting), 'battery.voltage')?.why).toBe('the phone is still booting');
  });
});

const phoneLike = (state: string) => {
  const recording = recordings.find((each) => each.state === state);
  if (recording === undefined) throw new Error(`no phone that is ${state}`);
  return recording;
};

describe('an explanation on the terminal', () => {
  it('names each command once, above the fields that were read from it', async () => {
    const encounter = await meet(phone('12X'));
    const lines = explanationLines('Xiaomi 12X', explain(encounter, maskerOf(encounter)));
    const start = lines.indexOf('  battery.dump  $ dumpsys battery');
    expect(lines.slice(start, start + 5)).toEqual([
      '  battery.dump  $ dumpsys battery',
      '    battery.status                  CHARGING',
      '      │   status: 2',
      '    battery.health                  GOOD',
      '      │   health: 2',
    ]);
    expect(lines.filter((line) => line.includes('$ dumpsys battery'))).toHaveLength(1);
  });

  it('lets no control character of a phone through', async () => {
    const hostile = phone('12X');
    hostile.alter('battery.dump', (text) => text.replace('Li-poly', 'Li\x1b[2J\x07\u202epoly\u009b'));
    const encounter = await meet(hostile);
    const lines = explanationLines('x', explain(encounter, maskerOf(encounter)));
    expect(lines.filter((line) => /[\p{Cc}\u202e]/u.test(line))).toEqual([]);
    expect(lines).toContain('      │   technology: Li␛[2J␇\\u{202e}poly\\u{9b}');
  });

  it.each([
    ['a\tb\r', 'a␉b␍'],
    ['\x7f', '␡'],
    ['\ud800', '\ufffd'],
    ['Küche 😀', 'Küche 😀'],
  ])('shows %j as %s', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });
});
