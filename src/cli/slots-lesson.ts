/**
 * Learns the slots of a lab: a person plugs a phone into bay after bay and names each. Holds the dialogue and the
 * resulting list; the caller follows adb and reads the person's input.
 */
import { printable } from '../base/printable.ts';
import { textOf } from '../base/styled-text.ts';
import { naturalOrder } from '../base/words.ts';
import { slotName } from '../config/lists.ts';
import type { UsbTopology } from '../host/usb-buses.ts';
import { nextName } from '../roster/slot-name.ts';
import { lastingPaths, pathsOf, type Seat, type Slot, Slots } from '../roster/slots.ts';
import { layOut } from './columns.ts';

export interface LessonOptions {
  /** The slots that already have a name. */
  slots: readonly Slot[];
  topology: UsbTopology;
  say(line: string): void;
  /** Shows a question; `answered` takes what the person types. */
  ask(question: string): void;
}

export interface Plugged extends Seat {
  readonly model?: string;
}

interface BayQuestion {
  readonly devpath: string;
  /** The paths to store for the port, found while the phone was in it. */
  readonly paths: readonly string[];
  /** The name that Enter accepts. */
  readonly proposal?: string;
}

const OFFER = 'Name these bays now, without replugging? [Y/n] ';
const REPLUG = 'Unplug a phone and plug it back in to name its bay, or type done.';

const PORT = /^\d+-\d+(?:\.\d+)*$/;

export class Lesson {
  readonly #options: LessonOptions;
  readonly #waiting: Plugged[] = [];
  /** The list as it is now. */
  slots: readonly Slot[];
  /** Bays that the person has named. */
  named = 0;
  #question: BayQuestion | undefined;
  /** The phones to name if the person says yes. */
  #offered: readonly Plugged[] | undefined;
  /** The port of the last question: a phone that flaps there raises no new question. */
  #lastPort: string | undefined;
  #lastName: string | undefined;

  constructor(options: LessonOptions) {
    this.#options = options;
    this.slots = options.slots;
  }

  get isAsking(): boolean {
    return this.#question !== undefined || this.#offered !== undefined;
  }

  /** Offers to name the bays of the phones that are plugged in already, except those with a name. */
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
    for (const line of layOut(['PORT', 'SERIAL', 'MODEL'], rows)) say(`  ${textOf(line)}`);
    this.#offered = nameless;
    this.#options.ask(OFFER);
  }

  /** adb newly lists a phone at a port. */
  plugged(phone: Plugged): void {
    const isKnown = [this.#question, ...this.#waiting].some((known) => known?.devpath === phone.devpath);
    if (isKnown && phone.devpath !== undefined) return;
    this.#waiting.push(phone);
    if (!this.isAsking) this.#askNext();
  }

  /**
   * Takes the person's line: a name, '' for the proposal, `-` to skip; yes or no to the offer.
   *
   * @returns false if the person wants to end
   */
  answered(line: string): boolean {
    const answer = line.trim();
    if (answer === 'done') return false;
    if (this.#offered !== undefined) {
      this.#answeredOffer(this.#offered, answer.toLowerCase());
      return true;
    }
    if (this.#question === undefined) return true;
    const { proposal } = this.#question;
    const name = answer === '' ? proposal : answer;
    if (name === undefined) return false;
    if (name !== '-' && !slotName.safeParse(name).success) {
      this.#options.say('That is not a valid name: use 1 to 100 characters.');
      this.#ask(this.#question);
      return true;
    }
    if (name !== '-') this.#name(this.#question, name);
    this.#question = undefined;
    this.#askNext();
    if (!this.isAsking) this.#options.say('Plug the phone into the next bay, or type done.');
    return true;
  }

  #answeredOffer(offered: readonly Plugged[], answer: string): void {
    if (!['', 'y', 'yes', 'n', 'no'].includes(answer)) return void this.#options.ask(OFFER);
    this.#offered = undefined;
    const isYes = !answer.startsWith('n');
    const replugged = this.#waiting.splice(0);
    for (const phone of isYes ? [...offered, ...replugged] : replugged) this.plugged(phone);
    if (!this.isAsking) this.#options.say(REPLUG);
  }

  #askNext(): void {
    while (!this.isAsking) {
      const phone = this.#waiting.shift();
      if (phone === undefined) return;
      const who = printable([phone.serial, phone.model && `(${phone.model})`].filter(Boolean).join(' '), 80);
      const { devpath } = phone;
      if (devpath === undefined || !PORT.test(devpath))
        this.#options.say(`Skipping ${who}: adb does not give its USB port.`);
      else if (devpath !== this.#lastPort) this.#askFor(who, phone.serial, devpath);
    }
  }

  #askFor(who: string, serial: string, devpath: string): void {
    const { topology, say } = this.#options;
    topology.refresh();
    const known = new Slots(this.slots, topology).slotOf({ serial, devpath });
    const taken = new Set(this.slots.map(({ name }) => name));
    const next = this.#lastName === undefined ? undefined : nextName(this.#lastName, taken);
    const proposal = known ?? next;
    const paths = lastingPaths(devpath, topology);
    const port = [...new Set([devpath, ...paths])].join(' = ');
    say(`${who === '' ? 'A phone' : who} is at ${port}${known === undefined ? '' : `: ${known}`}`);
    this.#lastPort = devpath;
    this.#ask({ devpath, paths, ...(proposal !== undefined && { proposal }) });
  }

  #ask(question: BayQuestion): void {
    this.#question = question;
    const { proposal } = question;
    this.#options.ask(`Name of this bay${proposal === undefined ? '' : ` [${proposal}]`}: `);
  }

  /** Moves the port to this slot. */
  #name({ devpath, paths }: BayQuestion, name: string): void {
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
