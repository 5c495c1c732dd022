/** `hostnode slots learn`: makes the list of slots while a person plugs a phone into bay after bay, and names each. */
import { basename, dirname, resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Adb, ListedDevice } from '../adb/adb.ts';
import { standardTiming } from '../agent/options.ts';
import { DeviceTracker } from '../agent/tracker.ts';
import { OutageLog } from '../base/outage-log.ts';
import { escaped, printable } from '../base/printable.ts';
import { textOf } from '../base/styled-text.ts';
import { inNaturalOrder, quantity } from '../base/words.ts';
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
  const slots = config.slots.map(({ name, paths }) => ({ name, paths: paths.map(plainPath) }));
  const lesson = new Lesson({ slots, topology: topologyBehind(config.adb.host), say });
  say(INTRODUCTION);
  const isAsking = await teach(lesson, lines, adb, listed);
  if (isAsking) say('');
  await printSlots(lesson, options);
}

const say = (line: string) => write(process.stderr, escaped(`${line}\n`));

/**
 * Runs until the person ends it; never throws. A line from a pipe waits until the lesson asks; one that a person types
 * before that is a slip.
 *
 * @returns whether a question is left without an answer
 */
async function teach(
  lesson: Lesson,
  lines: Interface,
  adb: Adb,
  listed: readonly ListedDevice[],
): Promise<boolean> {
  const ended = new AbortController();
  const end = () => ended.abort();
  let before = portsOf(listed);
  let next = Promise.withResolvers<void>();
  const dialogue = lesson.begin([...before.values()]);
  let question: string | undefined;
  const goOn = (answer: string) => {
    const { value, done } = dialogue.next(answer);
    question = value ?? undefined;
    if (done) end();
    if (question === undefined) return;
    if (!process.stdin.isTTY) return write(process.stderr, escaped(question)); // a pipe may have closed
    lines.setPrompt(escaped(question));
    lines.prompt();
  };
  goOn('');
  const outage = new OutageLog();
  const following = new DeviceTracker(adb, standardTiming).run(ended.signal, {
    onListing(devices) {
      if (outage.end()) say('The adb server answers again.');
      const ports = portsOf(devices);
      for (const [port, device] of ports) if (!before.has(port)) lesson.waiting.push(device);
      before = ports;
      if (question === undefined) goOn('');
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
    const answer = line.trim();
    if (process.stdin.isTTY && question === undefined && answer !== 'done') continue;
    while (question === undefined && answer !== 'done' && !ended.signal.aborted) await next.promise;
    if (ended.signal.aborted || answer === 'done') break;
    goOn(answer);
  }
  end();
  await following;
  return question !== undefined;
}

const portsOf = (devices: readonly ListedDevice[]): Map<string, ListedDevice> =>
  new Map(
    devices
      .filter((device) => connectionOf(device) === 'usb')
      .map((device) => [device.devpath ?? device.serial, device]),
  );

async function printSlots(
  { slots, named }: Lesson,
  { output, force = false }: SlotsLearnOptions,
): Promise<void> {
  if (named === 0) return say('No bay was named.');
  const text = await listYaml({ slots });
  const byBus = slots.flatMap(({ paths }) => paths).find((path) => /^\d+-\d/.test(path));
  if (byBus !== undefined)
    say(
      `Paths such as ${byBus} begin with the number of a bus, which may change when the host boots. Run this on the host that has the phones: there it finds paths that stay (pci-…).`,
    );
  if (output === undefined) return write(process.stdout, text);
  await writeOrPrint(output, text, force);
  const isDropIn = basename(dirname(resolve(output))) === 'conf.d';
  const next = isDropIn ? 'reload the agent to use it' : 'copy the list into the configuration file';
  say(`${output} has ${quantity(slots.length, 'slot')}: ${next}.`);
}

type LessonOptions = { slots: readonly Slot[]; topology: UsbTopology; say(line: string): void };
type Plugged = Pick<ListedDevice, 'serial' | 'devpath' | 'model'>;

const OFFER = 'Name these bays now, without replugging? [Y/n] ';
const REPLUG = 'Unplug a phone and plug it back in to name its bay, or type done.';

const PORT = /^\d+-\d+(?:\.\d+)*$/;

export class Lesson {
  readonly #options: LessonOptions;
  /** Phones that were plugged in, of which nobody was asked yet. */
  readonly waiting: Plugged[] = [];
  slots: readonly Slot[];
  named = 0;

  constructor(options: LessonOptions) {
    this.#options = options;
    this.slots = options.slots;
  }

  /**
   * Yields each question, and undefined where it waits for a phone; ends at no name where none is proposed.
   *
   * @param there the phones that are plugged in already
   */
  *begin(there: readonly Plugged[]): Generator<string | undefined, undefined, string> {
    const { topology, say } = this.#options;
    let last = yield* this.#offer(there);
    /** A phone that flaps there raises no new question. */
    let lastPort: string | undefined;
    let lastName: string | undefined;
    for (;;) {
      const phone = this.waiting.shift();
      if (phone === undefined) {
        if (last !== undefined) say(last);
        last = undefined;
        yield;
        continue;
      }
      const { serial, model, devpath } = phone;
      const who = printable([serial, model && `(${model})`].filter(Boolean).join(' '), 80);
      if (devpath === undefined || !PORT.test(devpath)) {
        say(`Skipping ${who}: adb does not give its USB port.`);
        continue;
      }
      if (devpath === lastPort) continue;
      lastPort = devpath;
      topology.refresh();
      const known = new Slots(this.slots, topology).slotOf({ serial, devpath });
      const taken = new Set(this.slots.map(({ name }) => name));
      const proposal = known ?? (lastName && nextName(lastName, taken));
      const paths = lastingPaths(devpath, topology); // found while the phone is there
      const port = [...new Set([devpath, ...paths])].join(' = ');
      say(`${who || 'A phone'} is at ${port}${known === undefined ? '' : `: ${known}`}`);
      const question = `Name of this bay${proposal === undefined ? '' : ` [${proposal}]`}: `;
      let name = (yield question) || proposal;
      while (name !== undefined && name !== '-' && !slotName.safeParse(name).success) {
        say('That is not a valid name: use 1 to 100 characters.');
        name = (yield question) || proposal;
      }
      if (name === undefined) return;
      if (name !== '-') {
        this.#name(name, devpath, paths);
        lastName = name;
      }
      const others = this.waiting.filter((other) => other.devpath !== devpath);
      this.waiting.splice(0, this.waiting.length, ...others);
      last = 'Plug the phone into the next bay, or type done.';
    }
  }

  /** @returns what to say once no phone waits */
  *#offer(there: readonly Plugged[]): Generator<string, string | undefined, string> {
    const { topology, say } = this.#options;
    topology.refresh();
    const slots = new Slots(this.slots, topology);
    const nameless = inNaturalOrder(
      there.filter((phone) => PORT.test(phone.devpath ?? '') && slots.slotOf(phone) === undefined),
      ({ devpath = '' }) => devpath,
    );
    if (there.length === 0) return undefined;
    if (nameless.length === 0) return `Already plugged in: ${there.length}. ${REPLUG}`;
    say(`Already plugged in at ports without a name: ${nameless.length}`);
    const rows = nameless.map(({ devpath = '', serial, model = '' }) => [devpath, serial, model]);
    for (const line of fitted([layOut(['PORT', 'SERIAL', 'MODEL'], rows)])) say(`  ${textOf(line)}`);
    let word: string;
    do word = (yield OFFER).toLowerCase();
    while (!['', 'y', 'yes', 'n', 'no'].includes(word));
    if (!word.startsWith('n')) this.waiting.unshift(...nameless);
    return REPLUG;
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
    this.named += 1;
    if (had.length > 0) say(`${name} has ${had.length + 1} ports now.`);
  }
}
