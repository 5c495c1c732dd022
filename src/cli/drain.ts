/** `hostnode drain`: hides phones from bookings, and waits until nobody has one of them booked. */
import { localTime, zoneName } from '../base/calendar.ts';
import { parseJson } from '../base/errors.ts';
import { exitCode } from '../base/exit-code.ts';
import { escaped } from '../base/printable.ts';
import { sleep } from '../base/time.ts';
import { quantity, quoted } from '../base/words.ts';
import type { BookingsAnswer, MaintainedPhone, MaintenanceEntry } from '../status/commands.ts';
import { NoAgentError, refusalIn, requestAgent } from '../status/http/client.ts';
import { type AgentOption, agentSocket, callAgent } from './agent.ts';
import { isSpan, momentProblem, parseMoment } from './moment.ts';
import { table, whoWrites } from './phone-commands.ts';
import { fail, ProgressLine, say, sayError } from './terminal.ts';
import { troubleLines } from './trouble.ts';

export interface DrainOptions extends AgentOption {
  for?: string;
  until?: string;
  reason?: string;
  wait?: boolean;
  timeout?: string;
  terminate?: boolean;
  yes?: boolean;
  end?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

type Phones<P = MaintainedPhone> = { phones: P[] };

/** The agent answers from memory, ms. */
const ANSWER_MS = 10_000;
/** The agent asks the cloud about one phone after the other, ms. */
const CLOUD_MS = 120_000;
/** Between two looks, ms: a booking lasts minutes or hours. */
const POLL = { firstMs: 1_000, longestMs: 15_000, growth: 1.5 };
/** Phones named in one line. */
const MOST_NAMED = 4;

/**
 * Drains phones, ends that, or lists them without a name.
 *
 * @param name any name of one phone or of a place, or a glob of slots
 */
export async function drain(name: string | undefined, options: DrainOptions): Promise<void> {
  const { end, dryRun, wait, terminate, yes, json } = options;
  if (name === undefined) {
    if (momentOf(options) || options.reason !== undefined || end || dryRun || wait)
      fail(exitCode.usage, 'name the phone or the place: udid, serial, slot, shelf, USB port, hub or host');
    else await list(options);
    return;
  }
  const path = `/phones/${encodeURIComponent(name)}`;
  if (dryRun) {
    const answer = await callAgent<Phones>(options, { path: `${path}/maintenance`, timeoutMs: ANSWER_MS });
    if (answer) await told(answer, 'would be drained', json);
  } else if (end) {
    const body = { ...whoWrites(), ...(yes && { isForAll: true }) };
    const request = { method: 'DELETE', path: `${path}/drain`, body, timeoutMs: ANSWER_MS } as const;
    const answer = await callAgent<Phones>(options, request);
    if (answer) await told(answer, 'no longer drained', json);
  } else {
    const until = untilOf(options);
    if (until === false) return;
    const timeoutMs = wait ? spanOf('--timeout', options.timeout) : undefined;
    if (timeoutMs === false) return;
    if (terminate && !yes && !(await hasPerson()))
      return fail(exitCode.usage, '--terminate asks on a terminal; without one, add --yes');
    const { reason } = options;
    const body = { ...(until && { until }), ...(reason && { reason }), ...whoWrites() };
    const request = { method: 'POST', path: `${path}/drain`, body, timeoutMs: ANSWER_MS } as const;
    const answer = await callAgent<Phones<MaintenanceEntry>>(options, request);
    if (answer === undefined) return;
    if (!json || !wait) await told(answer, `drained${untilWhen(answer.phones)}`, json);
    if (wait) await new Wait(name, options, timeoutMs).run();
    else if (!json) say(`  → Wait until none is booked: hostnode drain --wait -- ${quoted(name)}`);
  }
}

const hasPerson = async () => (await import('./questions.ts')).hasPerson();

const momentOf = (options: DrainOptions): string | undefined => options.until ?? options.for;

/** ms since the epoch; undefined: not said; false: wrong, which is printed. */
function untilOf({ until: text, for: span }: DrainOptions): number | undefined | false {
  const forMs = spanOf('--for', span);
  if (text === undefined) return forMs && Date.now() + forMs;
  const until = parseMoment('--until', text);
  if (until !== undefined && until > Date.now()) return until;
  const past =
    until === undefined ? momentProblem('--until', text) : `--until ${text}: must be in the future`;
  return fail(exitCode.usage, past) ?? false;
}

/** ms; undefined: not said; false: wrong, which is printed. */
function spanOf(option: string, text: string | undefined): number | undefined | false {
  if (text === undefined) return undefined;
  const ms = isSpan(text) ? (parseMoment('--until', text, 0) ?? 0) : 0;
  return ms > 0 ? ms : (fail(exitCode.usage, `${option} ${text}: must be 30m, 2h, 3d or 1w`) ?? false);
}

async function list({ json, ...option }: DrainOptions): Promise<void> {
  const entries = await callAgent<MaintenanceEntry[]>(option, { path: '/drain', timeoutMs: ANSWER_MS });
  if (entries === undefined) return;
  if (json) say(JSON.stringify(entries, null, 2));
  else if (entries.length === 0) say('No phone is drained');
  else await table(entries, true);
}

/** `R58M1 is drained until …`, or how many are, and which. */
async function told(answer: Phones<MaintainedPhone | MaintenanceEntry>, what: string, json = false) {
  const { phones } = answer;
  const [first] = phones;
  if (json) return say(JSON.stringify(answer, null, 2));
  if (first !== undefined && phones.length === 1) return say(`${first.udid} is ${what}`);
  say(`${quantity(phones.length, 'phone')} are ${what}`);
  await table(phones, true);
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
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #progress = new ProgressLine();
  #isTimeUp = false;
  #isTerminating: boolean;
  #said = '';

  constructor(name: string, options: DrainOptions, timeoutMs: number | undefined) {
    this.#name = name;
    this.#options = options;
    this.#isTerminating = options.terminate === true;
    const timeUp = () => {
      this.#isTimeUp = true;
      this.#ending.abort();
    };
    if (timeoutMs !== undefined) this.#timer = setTimeout(timeUp, timeoutMs);
  }

  async run(): Promise<void> {
    const end = () => this.#ending.abort();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end);
    try {
      await this.#untilFree();
    } finally {
      clearTimeout(this.#timer);
      this.#progress.clear();
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, end);
    }
  }

  /** All are asked about first and last, in between those that are not free: a cloud may be asked for hours. */
  async #untilFree(): Promise<void> {
    const { signal } = this.#ending;
    let left: readonly string[] = [];
    let delayMs = POLL.firstMs;
    for (;;) {
      const isWhole = left.length === 0;
      const seen = await this.#look(isWhole ? [this.#name] : left);
      if (seen === 'ended') return;
      if (signal.aborted) return this.#stopped(seen);
      const busy = seen?.filter(({ booking }) => booking !== 'free');
      if (busy) left = busy.map(({ udid }) => udid);
      if (busy?.length === 0 && isWhole) return this.#free(seen ?? []);
      if (busy?.length === 0) continue;
      if (busy && this.#isTerminating && busy.some(({ booking }) => booking === 'booked')) {
        this.#isTerminating = false;
        if (!(await this.#terminate(busy))) return;
        continue;
      }
      await sleep(delayMs, signal);
      delayMs = Math.min(delayMs * POLL.growth, POLL.longestMs);
    }
  }

  /** @returns undefined: the agent or the cloud does not say; `ended`: there is nothing to wait for, which is printed */
  async #look(names: readonly string[]): Promise<Seen[] | 'ended' | undefined> {
    const phones: Seen[] = [];
    for (const name of names) {
      const answer = await this.#ask(name);
      if (answer === undefined || answer === 'ended') return answer;
      const over = answer.phones.find(({ drainedUntil }) => drainedUntil === undefined);
      if (over)
        return this.#ended(exitCode.failed, `the drain of ${nameOf(over)} has ended: it may be booked again`);
      if (answer.notReporting !== undefined)
        return this.#ended(
          exitCode.config,
          `no cloud to ask: ${answer.notReporting || 'none is configured'}`,
        );
      const { trouble } = answer;
      if (trouble?.isRejected)
        return this.#ended(
          exitCode.cloud,
          ...troubleLines('the cloud does not say who has booked them', trouble),
        );
      if (trouble) {
        this.#show(`the cloud does not answer: ${trouble.failure}`);
        process.exitCode = exitCode.cloud; // unless it answers later
        return undefined;
      }
      phones.push(...answer.phones);
    }
    process.exitCode = exitCode.ok;
    this.#show(waitingFor(phones));
    return phones;
  }

  async #ask(name: string): Promise<BookingsAnswer | 'ended' | undefined> {
    const { signal } = this.#ending;
    const path = `/phones/${encodeURIComponent(name)}/bookings`;
    try {
      const answer = await requestAgent(await agentSocket(this.#options), {
        path,
        timeoutMs: CLOUD_MS,
        signal,
      });
      if (answer.status === 200) return parseJson(answer.text) as BookingsAnswer;
      if (answer.status !== 503) return this.#ended(exitCode.failed, refusalIn(answer));
      this.#show(refusalIn(answer));
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof NoAgentError)) throw error;
      this.#show(error.message); // it may be restarting
    }
    return undefined;
  }

  /** @returns false: it failed, which is printed */
  async #terminate(busy: readonly Seen[]): Promise<boolean> {
    const booked = busy.filter(({ booking }) => booking === 'booked');
    this.#progress.clear();
    this.#said = '';
    const { yes } = this.#options;
    const question = `End the reservations of ${namesOf(booked)}? Whoever uses them loses them now`;
    if (!yes && !(await (await import('./questions.ts')).isConfirmed(question))) return true;
    const path = `/phones/${encodeURIComponent(this.#name)}/reservation`;
    const request = { method: 'DELETE', path, body: whoWrites(), timeoutMs: CLOUD_MS } as const;
    const answer = await callAgent<Phones>(this.#options, request);
    if (answer) sayError(`asked the cloud to end the reservations of ${namesOf(answer.phones)}`);
    else sayError(this.#stays);
    return answer !== undefined;
  }

  #show(text: string): void {
    if (text === this.#said) return;
    this.#said = text;
    const line = `Waiting (Ctrl-C stops). ${escaped(text)}`;
    if (process.stderr.isTTY) this.#progress.show(line.slice(0, (process.stderr.columns || 80) - 1));
    else if (text !== '') sayError(text);
  }

  #free(phones: readonly Seen[]): void {
    const { json } = this.#options;
    this.#progress.clear();
    if (json) {
      say(JSON.stringify({ phones }, null, 2));
      return;
    }
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

  get #stays(): string {
    const name = quoted(this.#name);
    return `They stay drained. Wait again: hostnode drain --wait -- ${name}. End it: hostnode drain --end -- ${name}`;
  }

  #stopped(seen: Seen[] | undefined): void {
    const { json } = this.#options;
    this.#progress.clear();
    if (json && seen) say(JSON.stringify({ phones: seen }, null, 2));
    const what = this.#isTimeUp ? 'the time is up' : 'stopped waiting';
    const said = this.#said === '' ? '' : `; last: ${this.#said}`;
    fail(Number(process.exitCode) || exitCode.failed, `${what}${said}`, this.#stays);
  }

  #ended(code: number, first: string, ...lines: string[]): 'ended' {
    this.#progress.clear();
    fail(code, first, ...lines, ...(code === exitCode.failed ? [] : [this.#stays]));
    return 'ended';
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

function namesOf(phones: readonly MaintainedPhone[]): string {
  const left = phones.length - MOST_NAMED;
  const named = phones.slice(0, MOST_NAMED).map(nameOf).join('; ');
  return left > 0 ? `${named} and ${left} more` : named || 'no phone';
}
