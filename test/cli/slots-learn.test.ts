import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Lesson } from '../../src/cli/slots-learn.ts';
import { UsbBuses, unknownTopology } from '../../src/host/usb-devices.ts';
import type { Slot } from '../../src/roster/slots.ts';
import { lab, peers, sysfsTree } from '../support/sysfs-tree.ts';

type Dialogue = ReturnType<Lesson['begin']>;

/** A lesson, and all that it has said and asked. */
function begin(slots: readonly Slot[] = [], topology = unknownTopology) {
  const said: string[] = [];
  const lesson = new Lesson({ slots, topology, say: (line) => said.push(line) });
  let question: string | undefined;
  let dialogue: Dialogue;
  const goOn = (answer: string) => {
    const { value, done } = dialogue.next(answer);
    question = value;
    if (value !== undefined) said.push(value);
    return !done;
  };
  const offer = (there: Parameters<Lesson['begin']>[0]) => {
    dialogue = lesson.begin(there);
    goOn('');
  };
  offer([]);
  const plugged = (phone: Lesson['waiting'][number]) => {
    lesson.waiting.push(phone);
    if (question === undefined) goOn('');
  };
  return {
    lesson,
    offer,
    plugged,
    /** False where it ends. */
    answered: (line: string) => goOn(line.trim()),
    isAsking: () => question !== undefined,
    plug: (devpath: string, serial = 'POCO') => plugged({ serial, devpath }),
    /** What was said since the last time. */
    rawAnswers: () => said.splice(0),
    paths: () => Object.fromEntries(lesson.slots.map(({ name, paths }) => [name, paths])),
  };
}

describe('learning the slots', () => {
  it('names one bay after the other, and counts up', () => {
    const { lesson, answered, plug, rawAnswers, paths } = begin();
    plug('1-4.2');
    expect(rawAnswers()).toEqual(['POCO is at 1-4.2', 'Name of this bay: ']);
    answered(' rack 2, shelf 3, bay 4 ');
    expect(rawAnswers()).toEqual(['Plug the phone into the next bay, or type done.']);
    plug('1-4.3');
    expect(rawAnswers()).toEqual(['POCO is at 1-4.3', 'Name of this bay [rack 2, shelf 3, bay 5]: ']);
    answered('');
    plug('1-4.4');
    answered('window');
    plug('1-4.5');
    expect(rawAnswers().at(-1)).toBe('Name of this bay: ');
    expect(paths()).toEqual({
      'rack 2, shelf 3, bay 4': ['1-4.2'],
      'rack 2, shelf 3, bay 5': ['1-4.3'],
      window: ['1-4.4'],
    });
    expect(lesson.named).toBe(3);
  });

  it('ends at no name where none is proposed', () => {
    const { lesson, answered, plug } = begin();
    plug('1-1');
    expect(answered('')).toBe(false);
    expect(lesson.slots).toEqual([]);
  });

  it('leaves a port without name, and asks again for what is no name', () => {
    const { answered, plug, rawAnswers, paths } = begin();
    plug('1-1');
    answered('x'.repeat(101));
    expect(rawAnswers().at(-1)).toBe('Name of this bay: ');
    answered('-');
    plug('1-2');
    answered('bay 2');
    expect(paths()).toEqual({ 'bay 2': ['1-2'] });
  });

  it('asks for phones that came together one after the other, and for a phone that flaps once', () => {
    const { answered, isAsking, plug, rawAnswers } = begin();
    for (const port of ['1-1', '1-2', '1-2', '1-1']) plug(port);
    answered('bay 1');
    plug('1-2');
    answered('bay 2');
    plug('1-2');
    expect(rawAnswers().filter((line) => line.startsWith('Name'))).toEqual([
      'Name of this bay: ',
      'Name of this bay [bay 2]: ',
    ]);
    expect(isAsking()).toBe(false);
  });

  it('goes on from the slots that are configured, and proposes the name that a port has', () => {
    const { answered, plug, rawAnswers, paths } = begin([
      { name: 'bay 1', paths: ['1-1', '1-9'] },
      { name: 'bay 2', paths: ['1-2'] },
    ]);
    plug('1-2');
    expect(rawAnswers()).toEqual(['POCO is at 1-2: bay 2', 'Name of this bay [bay 2]: ']);
    answered('');
    plug('1-1');
    answered('bay 7');
    plug('1-9');
    answered('bay 7');
    expect(rawAnswers()).toContain('bay 7 has 2 ports now.');
    expect(paths()).toEqual({ 'bay 2': ['1-2'], 'bay 7': ['1-1', '1-9'] });
  });

  it('takes a port away from the slot that it was in', () => {
    const { answered, plug, paths } = begin([{ name: 'old', paths: ['1-1'] }]);
    plug('1-1');
    answered('new');
    expect(paths()).toEqual({ new: ['1-1'] });
  });

  it('writes down what lasts, for both halves of a socket', async () => {
    const { answered, plug, rawAnswers, paths } = begin(
      [{ name: 'bay 1', paths: ['1-4.2'] }],
      new UsbBuses(await sysfsTree(lab, peers)),
    );
    plug('1-4.2');
    expect(rawAnswers()[0]).toBe('POCO is at 1-4.2 = pci-0000:02:00.0-usb-0:4.2: bay 1');
    answered('');
    plug('7-6');
    answered('');
    plug('8-2');
    expect(rawAnswers().at(-1)).toBe('Name of this bay [bay 2]: ');
    answered('');
    expect(paths()).toEqual({
      'bay 1': ['pci-0000:02:00.0-usb-0:4.2'],
      'bay 2': ['pci-0000:00:14.0-usbv3-0:2', 'pci-0000:00:14.0-usbv2-0:6'],
    });
  });

  it('knows both halves of a socket also when the phone is gone before the bay is named', async () => {
    const tree = await sysfsTree(lab, peers);
    const { answered, plug, paths } = begin([], new UsbBuses(tree));
    plug('7-6');
    rmSync(`${tree}bus/usb/devices/7-6`);
    answered('bay 1');
    expect(paths()).toEqual({ 'bay 1': ['pci-0000:00:14.0-usbv2-0:6', 'pci-0000:00:14.0-usbv3-0:2'] });
  });

  it('adds the other half of a socket that the kernel does not know, when it gets the same name', async () => {
    const { answered, plug, paths } = begin([], new UsbBuses(await sysfsTree(lab)));
    plug('1-4.2');
    answered('bay 1');
    plug('2-4.2');
    answered('bay 1');
    expect(paths()).toEqual({ 'bay 1': ['pci-0000:02:00.0-usbv2-0:4.2', 'pci-0000:02:00.0-usbv3-0:4.2'] });
  });

  it('offers the phones that are plugged in already, by their ports, and asks for one after the other', () => {
    const { offer, answered, rawAnswers, paths } = begin([{ name: 'bay 1', paths: ['1-2.1'] }]);
    offer([
      { serial: 'C', devpath: '1-2.10', model: 'Pixel_5' },
      { serial: 'A', devpath: '1-2.2' },
      { serial: 'KNOWN', devpath: '1-2.1' },
      { serial: 'NOWHERE' },
    ]);
    expect(rawAnswers()).toEqual([
      'Already plugged in at ports without a name: 2',
      '  PORT    SERIAL  MODEL',
      '  1-2.2   A',
      '  1-2.10  C       Pixel_5',
      'Name these bays now, without replugging? [Y/n] ',
    ]);
    answered('perhaps');
    expect(rawAnswers()).toEqual(['Name these bays now, without replugging? [Y/n] ']);
    answered('');
    expect(rawAnswers()).toEqual(['A is at 1-2.2', 'Name of this bay: ']);
    answered('bay 2');
    expect(rawAnswers()).toEqual(['C (Pixel_5) is at 1-2.10', 'Name of this bay [bay 3]: ']);
    answered('');
    expect(rawAnswers()).toEqual(['Plug the phone into the next bay, or type done.']);
    expect(paths()).toEqual({ 'bay 1': ['1-2.1'], 'bay 2': ['1-2.2'], 'bay 3': ['1-2.10'] });
  });

  it('waits for a phone to be replugged at no, and asks first for one that was', () => {
    const replug = 'Unplug a phone and plug it back in to name its bay, or type done.';
    const refused = begin();
    refused.offer([{ serial: 'A', devpath: '1-2' }]);
    refused.answered('n');
    expect(refused.rawAnswers().at(-1)).toBe(replug);
    expect(refused.isAsking()).toBe(false);
    const replugged = begin();
    replugged.offer([{ serial: 'A', devpath: '1-2' }]);
    replugged.plug('1-3', 'B');
    expect(replugged.rawAnswers().at(-1)).toMatch(/^Name these bays/);
    replugged.answered('No');
    expect(replugged.rawAnswers()).toEqual(['B is at 1-3', 'Name of this bay: ']);
  });

  it('offers nothing where each port has a name', () => {
    const { offer, isAsking, rawAnswers } = begin([{ name: 'bay 1', paths: ['1-1'] }]);
    offer([{ serial: 'A', devpath: '1-1' }]);
    expect(rawAnswers()).toEqual([
      'Already plugged in: 1. Unplug a phone and plug it back in to name its bay, or type done.',
    ]);
    offer([]);
    expect(rawAnswers()).toEqual([]);
    expect(isAsking()).toBe(false);
  });

  it('passes over a phone of which adb does not say where it is', () => {
    const { plugged, isAsking, rawAnswers } = begin();
    plugged({ serial: 'A\x1b[31m', model: 'Pixel_8' });
    expect(rawAnswers()).toEqual(['Skipping A [31m (Pixel_8): adb does not give its USB port.']);
    expect(isAsking()).toBe(false);
  });
});
