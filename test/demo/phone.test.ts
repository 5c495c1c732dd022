import { describe, expect, it } from 'vitest';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import type { Recording } from '../../src/demo/recording.ts';
import { outlasts } from '../support/outlasts.ts';

const recording: Recording = {
  title: 'a phone',
  origin: [],
  serial: 'S1',
  state: 'device',
  sdk: 33,
  answers: {
    'battery.dump': ['Current Battery Service state:', '  level: 87'],
    'root.su': { lines: ['su: inaccessible'], exitCode: 127 },
  },
};
const script = [
  'set -m;A=aa;B=bb',
  "trap 'kill -9 -$p -$w;exit 129' 1",
  'q(){ :; }',
  "q battery.dump 1 'dumpsys battery'",
  "q root.su 2 'su -v'",
  "q name.device 2 'settings get global device_name'",
  'echo;echo "$A$B."',
].join('\n');

const unaborted = () => new AbortController().signal;

/** All that a phone says to the script; `broke` when the connection broke first. */
async function hear(
  phone: SimulatedPhone,
  service = `exec:${script}`,
): Promise<{ text: string; broke: boolean }> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of phone.open(service, unaborted()) ?? []) chunks.push(chunk);
    return { text: Buffer.concat(chunks).toString(), broke: false };
  } catch {
    return { text: Buffer.concat(chunks).toString(), broke: true };
  }
}

const rest =
  '\naabb<root.su\nsu: inaccessible\n\naabb>root.su 127\n' +
  '\naabb<name.device\nsh: settings: not found\n\naabb>name.device 127\n\naabb.\n';

describe('a simulated phone', () => {
  it('answers the script as recorded, and a command that was not recorded as a shell does', async () => {
    expect(await hear(new SimulatedPhone(recording))).toEqual({
      text: `\naabb<battery.dump\nCurrent Battery Service state:\n  level: 87\n\naabb>battery.dump 0\n${rest}`,
      broke: false,
    });
  });

  it('knows no other command', async () => {
    expect((await hear(new SimulatedPhone(recording), 'exec:getprop ro.serialno')).text).toBe(
      'sh: getprop: not found\n',
    );
  });

  it('has the shell services of its Android', () => {
    const opens = (sdk: number) => {
      const phone = new SimulatedPhone({ ...recording, sdk });
      return ['shell:x', 'exec:x', 'shell,v2,raw:x', 'sync:'].map(
        (service) => phone.open(service, unaborted()) !== undefined,
      );
    };
    expect(opens(19)).toEqual([true, false, false, false]);
    expect(opens(21)).toEqual([true, true, false, false]);
    expect(opens(23)).toEqual([true, true, false, false]);
    expect(opens(24)).toEqual([true, true, true, false]);
  });

  it('can be made to refuse a service that its Android has', () => {
    const phone = new SimulatedPhone(recording);
    phone.refused.add('v2');
    expect(phone.open('shell,v2,raw:x', unaborted())).toBeUndefined();
    expect(phone.open('exec:x', unaborted())).toBeDefined();
  });

  it('takes packets as long as its Android does', () => {
    const limit = (sdk: number) => new SimulatedPhone({ ...recording, sdk }).maxDataBytes;
    expect([19, 23, 24, 27, 28].map(limit)).toEqual([4096, 4096, 262_144, 262_144, 1_048_576]);
  });

  it('changes an answer on its way out', async () => {
    const phone = new SimulatedPhone(recording);
    phone.alter('battery.dump', (text) => text.replace('87', '86'));
    expect((await hear(phone)).text).toContain('\n  level: 86\n');
  });
});

describe('a simulated phone in trouble', () => {
  it('kills a command that hangs at its limit, and goes on', async () => {
    const phone = new SimulatedPhone(recording);
    phone.disturb('battery.dump', { kind: 'hang' });
    let text = '';
    const listen = async () => {
      ({ text } = await hear(phone));
    };
    expect(await outlasts(990, listen)).toBe(true);
    expect(text).toBe(`\naabb<battery.dump\nCurrent Battery Servic\naabb>battery.dump 137\n${rest}`);
  });

  it('breaks off in the middle of an answer', async () => {
    const phone = new SimulatedPhone(recording);
    phone.disturb('battery', { kind: 'drop', afterBytes: 7 });
    expect(await hear(phone)).toEqual({ text: '\naabb<battery.dump\nCurrent', broke: true });
  });

  it('says nothing more once it is stuck, until the conversation is given up', async () => {
    const phone = new SimulatedPhone(recording);
    phone.disturb('root', { kind: 'stuck' });
    const given = new AbortController();
    const heard: string[] = [];
    const listening = (async () => {
      for await (const chunk of phone.open(`exec:${script}`, given.signal) ?? []) {
        heard.push(chunk.toString());
        if (heard.length === 5) given.abort();
      }
    })();
    await expect(listening).rejects.toBeDefined();
    expect(heard.at(-1)).toBe('su: inacc');
  });

  it('floods, and answers after it', async () => {
    const phone = new SimulatedPhone(recording);
    phone.disturb('root.su', { kind: 'flood', bytes: 200_000 });
    const { text } = await hear(phone);
    expect(text.length - (await hear(healed(phone))).text.length).toBe(200_000);
    expect(
      text.endsWith(
        'su: inaccessible\n\naabb>root.su 127\n\naabb<name.device\nsh: settings: not found\n\naabb>name.device 127\n\naabb.\n',
      ),
    ).toBe(true);
  });

  it('dribbles byte by byte', async () => {
    const phone = new SimulatedPhone(recording);
    phone.disturb('root.su', { kind: 'dribble', everyMs: 1 });
    const chunks: string[] = [];
    for await (const chunk of phone.open(`exec:${script}`, unaborted()) ?? []) chunks.push(chunk.toString());
    expect(chunks.filter((chunk) => chunk.length === 1).join('')).toBe('su: inaccessible\n');
  });

  it('prints rubbish instead of an answer, and well again when it is healed', async () => {
    const phone = new SimulatedPhone(recording);
    phone.disturb('*', { kind: 'rubbish' });
    expect((await hear(phone)).text).not.toContain('level');
    expect((await hear(healed(phone))).text).toContain('level: 87');
  });

  it('answers late', async () => {
    const phone = new SimulatedPhone(recording);
    phone.disturb('root.su', { kind: 'delay', ms: 60 });
    const listen = async () => expect((await hear(phone)).text.endsWith(rest)).toBe(true);
    expect(await outlasts(55, listen)).toBe(true);
  });
});

function healed(phone: SimulatedPhone): SimulatedPhone {
  phone.heal();
  return phone;
}
