/** `hostnode drain`: hides phones from bookings, and waits until nobody has one of them booked. */
import { localTime, zoneName } from '../base/calendar.ts';
import { exitCode } from '../base/exit-code.ts';
import { escaped } from '../base/printable.ts';
import { sleep } from '../base/time.ts';
import { firstOf, quoted } from '../base/words.ts';
import type { BookingsAnswer, MaintainedPhone, MaintenanceEntry } from '../status/commands.ts';
import { NoAgentError } from '../status/http/client.ts';
import { type AgentOption, AgentRefusedError, callAgent } from './agent.ts';
import { spanOf } from './moment.ts';
import { ANSWER_MS, type Phones, sayList, sayPhones, whoWrites } from './phone-commands.ts';
import { CommandError, ProgressLine, say, sayError, sayJson, UsageError } from './terminal.ts';
import { failureOf, troubleLines } from './trouble.ts';

export interface DrainOptions extends AgentOption {
  for?: string;
  reason?: string;
  wait?: boolean;
  timeout?: string;
  terminate?: boolean;
  yes?: boolean;
  end?: boolean;
  json?: boolean;
}

/** The agent asks the cloud about one phone after the other, ms. */
const CLOUD_MS = 120_000;
/** Between two looks, ms: a booking lasts minutes or hours. */
const POLL = { firstMs: 1_000, longestMs: 15_000, growth: 1.5 };
/** Phones named in one line. */
const MOST_NAMED = 4;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Drains phones, ends that, or lists them without a name.
 *
 * @param name any name of one phone or of a place, or a glob of slots
 */
export async function drain(name: string | undefined, options: DrainOptions): Promise<void> {
  const { end, wait, timeout, terminate, yes, json, reason } = options;
  if (name === undefined) {
    if ((options.for ?? reason) !== undefined || end || wait)
      throw new UsageError('name the phone or the place: udid, serial, slot, shelf, USB port, hub or host');
    return await sayList('drain', options);
  }
  const path = `/phones/${encodeURIComponent(name)}`;
  const told = async (answer: Phones, sentence: (is: string) => string) => {
    if (json) sayJson(answer);
    else await sayPhones(answer, sentence, true);
  };
  if (end) {
    const body = { ...whoWrites(), ...(yes && { isForAll: true }) };
    const request = { method: 'DELETE', path: `${path}/drain`, body, timeoutMs: ANSWER_MS } as const;
    return await told(await callAgent<Phones>(options, request), (is) => `${is} no longer drained`);
  }
  const until = options.for && Date.now() + spanOf('--for', options.for);
  const timeoutMs = wait && timeout !== undefined ? spanOf('--timeout', timeout) : undefined;
  if (terminate && !yes && !(await import('./questions.ts')).hasPerson())
    throw new UsageError('--terminate asks on a terminal; without one, add --yes');
  const body = { ...(until && { until }), ...(reason && { reason }), ...whoWrites() };
  const request = { method: 'POST', path: `${path}/drain`, body, timeoutMs: ANSWER_MS } as const;
  const answer = await callAgent<Phones<MaintenanceEntry>>(options, request);
  if (!json || !wait) await told(answer, (is) => `${is} drained${untilWhen(answer.phones)}`);
  if (wait) await new Wait(name, options).run(timeoutMs);
  else if (!json) say(`  → Wait until none is booked: hostnode drain --wait -- ${quoted(name)}`);
}

function untilWhen(phones: readonly MaintenanceEntry[]): string {
  const [first] = phones;
  if (first === undefined || phones.some(({ until }) => until !== first.until)) return '';
  const others = phones.length === 1 && first.by?.includes(', ') ? ` by ${first.by}` : '';
  return `${others} until ${localTime(first.until)} ${zoneName(first.until)}`;
}

type Seen = BookingsAnswer['phones'][number];

/** Waits until the cloud says of each phone that it is not booked. */
class Wait {
  readonly #name: string;
  readonly #options: DrainOptions;
  readonly #ending = new AbortController();
  readonly #progress = new ProgressLine();
  readonly #stays: string;
  #said = '';
  /** Of a wait that is stopped now. */
  #code: number = exitCode.failed;

  constructor(name: string, options: DrainOptions) {
    this.#name = name;
    this.#options = options;
    const shown = quoted(name);
    this.#stays = `They stay drained. Wait again: hostnode drain --wait -- ${shown}. End it: hostnode drain --end -- ${shown}`;
  }

  /** @throws {CommandError} it ended in another way */
  async run(timeoutMs: number | undefined): Promise<void> {
    const end = () => this.#ending.abort('stopped waiting');
    for (const signal of SIGNALS) process.once(signal, end);
    const timeUp = () => this.#ending.abort('the time is up');
    const timer = timeoutMs === undefined ? undefined : setTimeout(timeUp, timeoutMs);
    try {
      await this.#untilFree();
    } finally {
      clearTimeout(timer);
      this.#progress.clear();
      for (const signal of SIGNALS) process.off(signal, end);
    }
  }

  /** All are asked about first and last, in between those that are not free: a cloud may be asked for hours. */
  async #untilFree(): Promise<void> {
    const { signal } = this.#ending;
    let { terminate } = this.#options;
    let left: readonly string[] = [];
    let delayMs = POLL.firstMs;
    for (;;) {
      const isWhole = left.length === 0;
      const seen = await this.#look(isWhole ? [this.#name] : left);
      if (signal.aborted) this.#stopped(seen);
      const busy = seen?.filter(({ booking }) => booking !== 'free');
      if (busy) left = busy.map(({ udid }) => udid);
      if (busy?.length === 0 && isWhole) return this.#free(seen ?? []);
      if (busy?.length === 0) continue;
      if (busy && terminate && busy.some(({ booking }) => booking === 'booked')) {
        terminate = false;
        await this.#terminate(busy);
        continue;
      }
      await sleep(delayMs, signal);
      delayMs = Math.min(delayMs * POLL.growth, POLL.longestMs);
    }
  }

  /**
   * @returns undefined: the agent or the cloud does not say
   * @throws {CommandError} there is nothing to wait for
   */
  async #look(names: readonly string[]): Promise<Seen[] | undefined> {
    const found: Seen[] = [];
    for (const name of names) {
      const answer = await this.#ask(name);
      if (answer === undefined) return undefined;
      const { phones, notReporting, trouble } = answer;
      const over = phones.find(({ drainedUntil }) => drainedUntil === undefined);
      if (over)
        throw new CommandError(
          exitCode.failed,
          `the drain of ${nameOf(over)} has ended: it may be booked again`,
        );
      if (notReporting !== undefined)
        throw new CommandError(
          exitCode.config,
          `no cloud to ask: ${notReporting || 'none is configured'}`,
          this.#stays,
        );
      if (trouble?.isRejected) {
        const lines = troubleLines('the cloud does not say who has booked them', trouble);
        throw new CommandError(exitCode.cloud, ...lines, this.#stays);
      }
      if (trouble) {
        this.#show(`the cloud does not answer: ${trouble.failure}`);
        this.#code = exitCode.cloud; // unless it answers later
        return undefined;
      }
      found.push(...phones);
    }
    this.#code = exitCode.failed;
    this.#show(waitingFor(found));
    return found;
  }

  async #ask(name: string): Promise<BookingsAnswer | undefined> {
    const { signal } = this.#ending;
    const path = `/phones/${encodeURIComponent(name)}/bookings`;
    try {
      return await callAgent<BookingsAnswer>(this.#options, { path, timeoutMs: CLOUD_MS, signal });
    } catch (error) {
      if (signal.aborted) return undefined;
      const mayPass = error instanceof NoAgentError; // it may be restarting
      if (mayPass || (error instanceof AgentRefusedError && error.status === 503)) this.#show(error.message);
      else throw error;
      return undefined;
    }
  }

  async #terminate(busy: readonly Seen[]): Promise<void> {
    const booked = busy.filter(({ booking }) => booking === 'booked');
    this.#progress.clear();
    this.#said = '';
    const question = `End the reservations of ${namesOf(booked)}? Whoever uses them loses them now`;
    if (!this.#options.yes && !(await (await import('./questions.ts')).isConfirmed(question))) return;
    const path = `/phones/${encodeURIComponent(this.#name)}/reservation`;
    const request = { method: 'DELETE', path, body: whoWrites(), timeoutMs: CLOUD_MS } as const;
    const { phones } = await callAgent<Phones>(this.#options, request).catch((error: unknown) => {
      const failure = failureOf(error);
      throw failure ? new CommandError(failure.exitCode, failure.message, this.#stays) : error;
    });
    sayError(`asked the cloud to end the reservations of ${namesOf(phones)}`);
  }

  #show(text: string): void {
    if (text === this.#said) return;
    this.#said = text;
    const line = `Waiting (Ctrl-C stops). ${escaped(text)}`;
    if (process.stderr.isTTY) this.#progress.show(line.slice(0, (process.stderr.columns || 80) - 1));
    else if (text !== '') sayError(text);
  }

  #free(phones: readonly Seen[]): void {
    this.#progress.clear();
    if (this.#options.json) return void sayJson({ phones });
    const [first] = phones;
    const none =
      phones.length === 1 && first
        ? `${nameOf(first)} is not booked`
        : `None of these ${phones.length} phones is booked`;
    const until = Math.min(...phones.map(({ drainedUntil = 0 }) => drainedUntil));
    const name = quoted(this.#name);
    say(
      `${none}. Until ${localTime(until)} ${zoneName(until)} you can unplug them, cut the power of their hub or reboot the host`,
      `  → No alerts meanwhile: hostnode maintenance --until 2h --reason 'REASON' -- ${name}`,
      `  → When you are done:   hostnode drain --end -- ${name}`,
    );
  }

  #stopped(seen: Seen[] | undefined): never {
    this.#progress.clear();
    if (this.#options.json && seen) sayJson({ phones: seen });
    const last = this.#said === '' ? '' : `; last: ${this.#said}`;
    throw new CommandError(this.#code, `${this.#ending.signal.reason}${last}`, this.#stays);
  }
}

/** `booked: Pixel 5 (R58M1, bay 1)`; '' where none is. */
function waitingFor(phones: readonly Seen[]): string {
  const of = (wanted: Seen['booking']) => phones.filter(({ booking }) => booking === wanted);
  const [booked, shown] = [of('booked'), of('shown')];
  return [
    ...(booked.length === 0 ? [] : [`booked: ${namesOf(booked)}`]),
    ...(shown.length === 0 ? [] : [`not stored as hidden yet: ${namesOf(shown)}`]),
  ].join('; ');
}

const nameOf = ({ udid, name, slot }: MaintainedPhone): string => {
  const place = slot === undefined ? udid : `${udid}, ${slot}`;
  return name === undefined || name === udid ? place : `${name} (${place})`;
};

const namesOf = (phones: readonly MaintainedPhone[]): string =>
  firstOf(phones.map(nameOf), MOST_NAMED, '; ') || 'no phone';
