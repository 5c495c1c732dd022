/**
 * Learning the slots of a lab: somebody plugs a phone into bay after bay and names each. What to say and to ask, and
 * the list that comes of it; who listens to adb and to the person is elsewhere.
 */
import { slotName } from '../config/slot.ts';
import { printable } from '../printable.ts';
import { nextName } from './name.ts';
import { lastingPaths, pathsOf, type Seat, type Slot, Slots } from './slots.ts';
import type { UsbTopology } from './usb-buses.ts';

export interface LessonOptions {
  /** The slots that have a name already. */
  slots: readonly Slot[];
  topology: UsbTopology;
  /** Shows a line. */
  say(line: string): void;
  /** Shows a question; `answered` takes what the person types. */
  ask(question: string): void;
}

/** A phone that was plugged in. */
export interface Plugged extends Seat {
  readonly model?: string;
}

interface Question {
  readonly devpath: string;
  /** What to write down for the port, as it was found while the phone was there. */
  readonly paths: readonly string[];
  /** What Enter stands for. */
  readonly proposal?: string;
}

const PORT = /^\d+-\d+(?:\.\d+)*$/;

export class Lesson {
  readonly #options: LessonOptions;
  readonly #waiting: Plugged[] = [];
  #slots: readonly Slot[];
  #question: Question | undefined;
  /** The port that was asked for last: a phone that flaps there is not asked for anew. */
  #lastPort: string | undefined;
  #lastName: string | undefined;
  #named = 0;

  constructor(options: LessonOptions) {
    this.#options = options;
    this.#slots = options.slots;
  }

  get slots(): readonly Slot[] {
    return this.#slots;
  }

  /** How many ports were named. */
  get named(): number {
    return this.#named;
  }

  get isAsking(): boolean {
    return this.#question !== undefined;
  }

  /** adb lists a phone at a port at which it listed none before. */
  plugged(phone: Plugged): void {
    const isKnown = [this.#question, ...this.#waiting].some((known) => known?.devpath === phone.devpath);
    if (isKnown && phone.devpath !== undefined) return;
    this.#waiting.push(phone);
    if (!this.isAsking) this.#askNext();
  }

  /**
   * What the person typed: a name, nothing for the proposal, `-` for no name.
   *
   * @returns false when the person wants to end
   */
  answered(line: string): boolean {
    const answer = line.trim();
    if (answer === 'done') return false;
    if (this.#question === undefined) return true;
    const { proposal } = this.#question;
    const name = answer === '' ? proposal : answer;
    if (name === undefined) return false;
    if (name !== '-' && !slotName.safeParse(name).success) {
      this.#options.say('That is no name: it may have up to 100 characters.');
      this.#ask(this.#question);
      return true;
    }
    if (name !== '-') this.#name(this.#question, name);
    this.#question = undefined;
    this.#options.say('Now the next bay, or done.');
    this.#askNext();
    return true;
  }

  #askNext(): void {
    while (!this.isAsking) {
      const phone = this.#waiting.shift();
      if (phone === undefined) return;
      const who = printable([phone.serial, phone.model && `(${phone.model})`].filter(Boolean).join(' '), 80);
      const { devpath } = phone;
      if (devpath === undefined || !PORT.test(devpath))
        this.#options.say(`adb does not say at which USB port ${who} is: it is passed over.`);
      else if (devpath !== this.#lastPort) this.#askFor(who, phone.serial, devpath);
    }
  }

  #askFor(who: string, serial: string, devpath: string): void {
    const { topology, say } = this.#options;
    topology.refresh();
    const known = new Slots(this.#slots, topology).slotOf({ serial, devpath });
    const taken = new Set(this.#slots.map(({ name }) => name));
    const next = this.#lastName === undefined ? undefined : nextName(this.#lastName, taken);
    const proposal = known ?? next;
    const paths = lastingPaths(devpath, topology);
    const port = [...new Set([devpath, ...paths])].join(' = ');
    say(`${who === '' ? 'A phone' : who} is at ${port}${known === undefined ? '' : `: ${known}`}`);
    this.#lastPort = devpath;
    this.#ask({ devpath, paths, ...(proposal !== undefined && { proposal }) });
  }

  #ask(question: Question): void {
    this.#question = question;
    const { proposal } = question;
    this.#options.ask(`Name of this bay${proposal === undefined ? '' : ` [${proposal}]`}: `);
  }

  /** The port is this slot's from now on, and no other's. */
  #name({ devpath, paths }: Question, name: string): void {
    const { topology, say } = this.#options;
    const spellings = new Set([...paths, ...pathsOf({ serial: '', devpath }, (bus) => topology.bus(bus))]);
    const others = this.#slots.map((slot) => ({
      name: slot.name,
      paths: slot.paths.filter((path) => !spellings.has(path)),
    }));
    const had = others.find((slot) => slot.name === name);
    const all = had === undefined ? [...others, { name, paths: [] }] : others;
    this.#slots = all
      .map((slot) => (slot.name === name ? { name, paths: [...slot.paths, ...paths] } : slot))
      .filter((slot) => slot.paths.length > 0);
    this.#lastName = name;
    this.#named += 1;
    if (had !== undefined && had.paths.length > 0) say(`${name} has ${had.paths.length + 1} ports now.`);
  }
}
