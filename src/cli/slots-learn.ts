/** `hostnode slots learn`: makes the list of slots while a person plugs a phone into bay after bay, and names each. */
import { basename, dirname, resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Adb, ListedDevice } from '../adb/adb.ts';
import { standardTiming } from '../agent/options.ts';
import { DeviceTracker } from '../agent/tracker.ts';
import { OutageLog } from '../base/outage-log.ts';
import { escaped, printable } from '../base/printable.ts';
import { textOf } from '../base/styled-text.ts';
import { naturalOrder, quantity } from '../base/words.ts';
import { listYaml, slotName } from '../config/lists.ts';
import { createAdb } from '../daemon/host-parts.ts';
import { topologyBehind, type UsbTopology } from '../host/usb-devices.ts';
import { nextName, plainPath } from '../roster/slot-name.ts';
import { lastingPaths, pathsOf, type Slot, Slots } from '../roster/slots.ts';
import { connectionOf } from '../roster/udid.ts';
import { fitted, layOut } from './columns.ts';
import { type ConfigOptions, loadFor } from './configuration.ts';
import { mayWrite, writeOrPrint } from './output-files.ts';
import { write } from './terminal.ts';
import { adbFailure } from './trouble.ts';

export type SlotsLearnOptions = ConfigOptions<'force', 'output'>;

const INTRODUCTION = `Name the bays of the phones that are plugged in, or plug one phone into bay after bay.
Enter accepts the name in [brackets], - skips the port, done or Ctrl-C ends.`;

export async function slotsLearn(options: SlotsLearnOptions): Promise<void> {
  const { config } = await loadFor(options, { phonesOnly: true });
  const { output, force = false } = options;
  if (output !== undefined) mayWrite(output, force);
  const adb = createAdb(config);
  const listed = await adb.listDevices().catch(adbFailure(config));
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const lesson = new Lesson({
    slots: config.slots.map(({ name, paths }) => ({ name, paths: paths.map(plainPath) })),
    topology: topologyBehind(config.adb.host),
    say,
    ask(question) {
      if (!process.stdin.isTTY) return write(process.stderr, escaped(question)); // a pipe may have closed
      lines.setPrompt(escaped(question));
      lines.prompt();
    },
  });
  say(INTRODUCTION);
  lesson.offer([...portsOf(listed).values()]);
  await teach(lesson, lines, adb, listed);
  await printSlots(lesson, options);
}

const say = (line: string) => write(process.stderr, escaped(`${line}\n`));

/**
 * Runs until the person ends it; never throws. A line from a pipe waits until the lesson asks; one that a person types
 * before that is a slip.
 */
async function teach(
  lesson: Lesson,
  lines: Interface,
  adb: Adb,
  listed: readonly ListedDevice[],
): Promise<void> {
  const ended = new AbortController();
  const end = () => ended.abort();
  let before = portsOf(listed);
  let next = Promise.withResolvers<void>();
  const outage = new OutageLog();
  const following = new DeviceTracker(adb, standardTiming).run(ended.signal, {
    onListing(devices) {
      if (outage.end()) say('The adb server answers again.');
      const ports = portsOf(devices);
      for (const [port, device] of ports) if (!before.has(port)) lesson.plugged(device);
      before = ports;
      next.resolve();
      next = Promise.withResolvers();
    },
    onLost(error) {
      const { message } = error as Error;
      if (outage.begin(message)) say(`${message}. Waiting for it.`);
    },
  });
  ended.signal.addEventListener('abort', () => {
    next.resolve();
    lines.close();
  });
  lines.once('SIGINT', end); // readline in a terminal raises no signal of the process
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  process.on('SIGHUP', end); // a closing terminal may send it several times
  for await (const line of lines) {
    const isAnswer = () => lesson.isAsking || line.trim() === 'done';
    if (process.stdin.isTTY && !isAnswer()) continue;
    while (!isAnswer() && !ended.signal.aborted) await next.promise;
    if (ended.signal.aborted || !lesson.answered(line)) break;
  }
  end();
  await following;
}

const portsOf = (devices: readonly ListedDevice[]): Map<string, ListedDevice> =>
  new Map(
    devices
      .filter((device) => connectionOf(device) === 'usb')
      .map((device) => [device.devpath ?? device.serial, device]),
  );

const isDropIn = (path: string): boolean => basename(dirname(resolve(path))) === 'conf.d';

async function printSlots(lesson: Lesson, { output, force = false }: SlotsLearnOptions): Promise<void> {
  const { slots, named } = lesson;
  if (lesson.isAsking) say('');
  if (named === 0) return say('No bay was named.');
  const text = await listYaml({ slots });
  for (const line of numberedByBus(slots)) say(line);
  if (output === undefined) return write(process.stdout, text);
  await writeOrPrint(output, text, force);
  const next = isDropIn(output) ? 'reload the agent to use it' : 'copy the list into the configuration file';
  say(`${output} has ${quantity(slots.length, 'slot')}: ${next}.`);
}

/** A warning about paths of adb's own, where the USB controllers of the phones are not known. */
function numberedByBus(slots: readonly Slot[]): string[] {
  const path = slots.flatMap(({ paths }) => paths).find((each) => /^\d+-\d/.test(each));
  if (path === undefined) return [];
  return [
    `Paths such as ${path} begin with the number of a bus, which may change when the host boots. Run this on the host that has the phones: there it finds paths that stay (pci-…).`,
  ];
}

export interface LessonOptions {
  slots: readonly Slot[];
  topology: UsbTopology;
  say(line: string): void;
  /** Shows a question; `answered` takes what the person types. */
  ask(question: string): void;
}

type Plugged = Pick<ListedDevice, 'serial' | 'devpath' | 'model'>;

const OFFER = 'Name these bays now, without replugging? [Y/n] ';
const REPLUG = 'Unplug a phone and plug it back in to name its bay, or type done.';

const PORT = /^\d+-\d+(?:\.\d+)*$/;

export class Lesson {
  readonly #options: LessonOptions;
  readonly #waiting: Plugged[] = [];
  slots: readonly Slot[];
  named = 0;
  /** Waits for an answer. */
  #dialogue: Generator<string, boolean, string> | undefined;
  /** The port of the last question: a phone that flaps there raises no new question. */
  #lastPort: string | undefined;
  #lastName: string | undefined;

  constructor(options: LessonOptions) {
    this.#options = options;
    this.slots = options.slots;
  }

  get isAsking(): boolean {
    return this.#dialogue !== undefined;
  }

  offer(phones: readonly Plugged[]): void {
    const { topology, say } = this.#options;
    topology.refresh();
    const slots = new Slots(this.slots, topology);
    const nameless = phones
      .filter(({ devpath = '' }) => PORT.test(devpath))
      .filter((phone) => slots.slotOf(phone) === undefined)
      .toSorted((one, other) => naturalOrder(one.devpath ?? '', other.devpath ?? ''));
    if (phones.length === 0) return;
    if (nameless.length === 0) return void say(`Already plugged in: ${phones.length}. ${REPLUG}`);
    say(`Already plugged in at ports without a name: ${nameless.length}`);
    const rows = nameless.map(({ devpath = '', serial, model = '' }) => [devpath, serial, model]);
    for (const line of fitted([layOut(['PORT', 'SERIAL', 'MODEL'], rows)])) say(`  ${textOf(line)}`);
    this.#begin(nameless);
  }

  plugged(phone: Plugged): void {
    this.#wait(phone);
    if (!this.isAsking) this.#begin([]);
  }

  /** @returns false if the person wants to end */
  answered(line: string): boolean {
    const answer = line.trim();
    return answer !== 'done' && this.#goOn(answer);
  }

  #begin(offered: readonly Plugged[]): void {
    this.#dialogue = this.#teach(offered);
    this.#goOn('');
  }

  /** @returns false if the person wants to end */
  #goOn(answer: string): boolean {
    const { done, value } = this.#dialogue?.next(answer) ?? { done: true, value: true };
    if (typeof value === 'string') this.#options.ask(value);
    else if (value) this.#dialogue = undefined;
    return !done || value;
  }

  #wait(phone: Plugged): void {
    const { devpath } = phone;
    const isAsked = this.isAsking && devpath === this.#lastPort;
    if (devpath !== undefined && (isAsked || this.#waiting.some((other) => other.devpath === devpath)))
      return;
    this.#waiting.push(phone);
  }

  /** @returns false if the person wants to end */
  *#teach(offered: readonly Plugged[]): Generator<string, boolean, string> {
    const { topology, say } = this.#options;
    if (offered.length > 0) {
      let word: string;
      do word = (yield OFFER).toLowerCase();
      while (!['', 'y', 'yes', 'n', 'no'].includes(word));
      const late = this.#waiting.splice(0);
      for (const phone of [...(word.startsWith('n') ? [] : offered), ...late]) this.#wait(phone);
    }
    let last = offered.length > 0 ? REPLUG : undefined;
    for (let phone = this.#waiting.shift(); phone; phone = this.#waiting.shift()) {
      const { serial, model, devpath } = phone;
      const who = printable([serial, model && `(${model})`].filter(Boolean).join(' '), 80);
      if (devpath === undefined || !PORT.test(devpath)) {
        say(`Skipping ${who}: adb does not give its USB port.`);
        continue;
      }
      if (devpath === this.#lastPort) continue;
      this.#lastPort = devpath;
      topology.refresh();
      const known = new Slots(this.slots, topology).slotOf({ serial, devpath });
      const taken = new Set(this.slots.map(({ name }) => name));
      const proposal = known ?? (this.#lastName && nextName(this.#lastName, taken));
      const paths = lastingPaths(devpath, topology); // found while the phone is there
      const port = [...new Set([devpath, ...paths])].join(' = ');
      say(`${who || 'A phone'} is at ${port}${known === undefined ? '' : `: ${known}`}`);
      const question = `Name of this bay${proposal === undefined ? '' : ` [${proposal}]`}: `;
      let name = (yield question) || proposal;
      while (name !== undefined && name !== '-' && !slotName.safeParse(name).success) {
        say('That is not a valid name: use 1 to 100 characters.');
        name = (yield question) || proposal;
      }
      if (name === undefined) return false;
      if (name !== '-') this.#name(name, devpath, paths);
      last = 'Plug the phone into the next bay, or type done.';
    }
    if (last !== undefined) say(last);
    return true;
  }

  #name(name: string, devpath: string, paths: readonly string[]): void {
    const { topology, say } = this.#options;
    const spellings = new Set([...paths, ...pathsOf({ serial: '', devpath }, (bus) => topology.bus(bus))]);
    const ports = new Map(
      this.slots.map((slot) => [slot.name, slot.paths.filter((path) => !spellings.has(path))]),
    );
    const had = ports.get(name) ?? [];
    ports.set(name, [...had, ...paths]);
    this.slots = [...ports]
      .map((slot) => ({ name: slot[0], paths: slot[1] }))
      .filter(({ paths }) => paths.length > 0);
    this.#lastName = name;
    this.named += 1;
    if (had.length > 0) say(`${name} has ${had.length + 1} ports now.`);
  }
}
