/** `hostnode drain`: hides phones from bookings, and waits until nobody has one of them booked. */
import { localTime, zoneName } from '../base/calendar.ts';
import { exitCode } from '../base/exit-code.ts';
import { escaped } from '../base/printable.ts';
import { LONGEST_TIMER_MS, sleep } from '../base/time.ts';
import { firstOf, quoted } from '../base/words.ts';
import type { BookingsAnswer, MaintainedPhone, MaintenanceEntry } from '../status/commands.ts';
import { NoAgentError } from '../status/http/client.ts';
import { isHost } from '../status/names.ts';
import { type AgentOptions, AgentRefusedError, callAgent, NAMES } from './agent.ts';
import { spanOf } from './moment.ts';
import { type Phones, sayList, sayPhones, whoWrites } from './phone-commands.ts';
import { CommandError, FailedError, ProgressLine, say, sayError, sayJson, UsageError } from './terminal.ts';
import { failureOf, troubleLines } from './trouble.ts';

export type DrainOptions = AgentOptions<
  'wait' | 'terminate' | 'yes' | 'end' | 'json',
  'for' | 'reason' | 'timeout'
>;

/** The agent asks the cloud for a minute and a half at most, ms. */
const CLOUD_MS = 120_000;
/** Between two looks, ms: a booking lasts minutes or hours. */
const POLL = { firstMs: 1_000, longestMs: 15_000, growth: 1.5 };
const MOST_NAMED = 4;

export async function drain(name: string | undefined, options: DrainOptions): Promise<void> {
  const { end, wait, timeout, terminate, yes, json, reason } = options;
  if (name === undefined) {
    if ((options.for ?? reason) !== undefined || end || wait)
      throw new UsageError(`name the phone or the place: ${NAMES}`);
    return await sayList('drain', options);
  }
  const path = `/phones/${encodeURIComponent(name)}`;
  const told = async (answer: Phones, sentence: (is: string) => string) => {
    if (json) sayJson(answer);
    else await sayPhones(answer, sentence, true);
  };
  if (end) {
    const body = { ...whoWrites(), ...(yes && { isForAll: true }) };
    const request = { method: 'DELETE', path: `${path}/drain`, body } as const;
    return await told(await callAgent<Phones>(options, request), (is) => `${is} no longer drained`);
  }
  const until = options.for && Date.now() + spanOf('--for', options.for);
  const timeoutMs = wait && timeout !== undefined ? spanOf('--timeout', timeout) : undefined;
  if (terminate && !yes && !(await import('./questions.ts')).hasPerson())
    throw new UsageError('--terminate asks on a terminal; without one, add --yes');
  const body = { ...(until && { until }), ...(reason && { reason }), ...whoWrites() };
  const request = { method: 'POST', path: `${path}/drain`, body } as const;
  const answer = await callAgent<Phones<MaintenanceEntry>>(options, request);
  if (!json || !wait) await told(answer, (is) => `${is} drained${untilWhen(answer.phones)}`);
  if (wait) await untilFree(name, options, timeoutMs);
  else if (!json) say(`  → Wait until none is booked: hostnode drain --wait -- ${quoted(name)}`);
}

function untilWhen(phones: readonly MaintenanceEntry[]): string {
  const [first] = phones;
  if (first === undefined || phones.some(({ until }) => until !== first.until)) return '';
  const others = phones.length === 1 && first.by?.includes(', ') ? ` by ${first.by}` : '';
  return `${others} until ${localTime(first.until)} ${zoneName(first.until)}`;
}

type Seen = BookingsAnswer['phones'][number];

/** @throws {CommandError} it ended before the cloud said of each phone that it is not booked */
async function untilFree(name: string, options: DrainOptions, timeoutMs: number | undefined): Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  for (const each of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(each, () => ending.abort('stopped waiting'));
  const limitMs = timeoutMs && Math.min(timeoutMs, LONGEST_TIMER_MS);
  if (limitMs !== undefined) setTimeout(() => ending.abort('the time is up'), limitMs).unref();
  const progress = new ProgressLine();
  const shown = quoted(name);
  const stays = `They stay drained. Wait again: hostnode drain --wait -- ${shown}. End it: hostnode drain --end -- ${shown}`;
  /** Of a wait that is stopped now. */
  let code: number = exitCode.failed;
  let said = '';
  /** Why the cloud takes no report. */
  let notHidden: string | undefined;

  const show = (text: string) => {
    if (text === said) return;
    said = text;
    const line = `Waiting (Ctrl-C stops). ${escaped(text)}`;
    if (process.stderr.isTTY) progress.show(line.slice(0, (process.stderr.columns || 80) - 1));
    else if (text !== '') sayError(text);
  };

  /** @returns undefined: the agent or the cloud does not say */
  const bookingsOf = async (of: string): Promise<Seen[] | undefined> => {
    const path = `/phones/${encodeURIComponent(of)}/bookings`;
    const asked = callAgent<BookingsAnswer>(options, { path, timeoutMs: CLOUD_MS, signal });
    const answer = await asked.catch((error: unknown) => {
      const mayPass = error instanceof NoAgentError; // it may be restarting
      const isBusy = error instanceof AgentRefusedError && error.status === 503;
      if (signal.aborted) return;
      if (!mayPass && !isBusy) throw error;
      show(error.message);
    });
    if (answer === undefined) return undefined;
    const { phones, notReporting, trouble } = answer;
    const over = phones.find(({ drainedUntil }) => drainedUntil === undefined);
    const ended = over && `the drain of ${nameOf(over)} has ended: it may be booked again`;
    if (ended) throw new FailedError(ended);
    const why = `no cloud to ask: ${notReporting || 'none is configured'}`;
    if (notReporting !== undefined) throw new CommandError(exitCode.config, why, stays);
    notHidden ??= answer.notHidden?.failure;
    if (trouble === undefined) return phones;
    const lines = troubleLines('the cloud does not say who has booked them', trouble);
    if (trouble.isRejected) throw new CommandError(exitCode.cloud, ...lines, stays);
    show(`the cloud does not answer: ${trouble.failure}`);
    code = exitCode.cloud; // unless it answers later
    return undefined;
  };

  const look = async (names: readonly string[]): Promise<Seen[] | undefined> => {
    const found: Seen[] = [];
    notHidden = undefined;
    for (const of of names) {
      const phones = await bookingsOf(of);
      if (phones === undefined) return undefined;
      found.push(...phones);
    }
    code = notHidden === undefined ? exitCode.failed : exitCode.cloud;
    const why = notHidden === undefined ? '' : ` (the cloud takes no report: ${notHidden})`;
    show(waitingFor(found) + why);
    return found;
  };

  const terminate = async (booked: readonly Seen[]): Promise<void> => {
    progress.clear();
    said = '';
    const question = `End the reservations of ${namesOf(booked)}? Whoever uses them loses them now`;
    if (!options.yes && !(await (await import('./questions.ts')).isConfirmed(question))) return;
    const path = `/phones/${encodeURIComponent(name)}/reservation`;
    const request = { method: 'DELETE', path, body: whoWrites(), timeoutMs: CLOUD_MS } as const;
    const { phones } = await callAgent<Phones>(options, request).catch((error: unknown) => {
      const failure = failureOf(error);
      throw failure ? new CommandError(failure.exitCode, failure.message, stays) : error;
    });
    sayError(`asked the cloud to end the reservations of ${namesOf(phones)}`);
  };

  try {
    let mayTerminate = options.terminate;
    // all are asked about first and last, in between those that are not free: a cloud may be asked for hours
    let left: readonly string[] = [];
    for (let delayMs = POLL.firstMs; ; ) {
      const isWhole = left.length === 0;
      const seen = await look(isWhole ? [name] : left);
      if (signal.aborted) {
        progress.clear();
        if (options.json && seen) sayJson({ phones: seen });
        const last = said === '' ? '' : `; last: ${said}`;
        throw new CommandError(code, `${signal.reason}${last}`, stays);
      }
      const busy = seen?.filter(({ booking }) => booking !== 'free');
      if (busy) left = busy.map(({ udid }) => udid);
      if (seen && busy?.length === 0) {
        if (!isWhole) continue;
        progress.clear();
        return options.json ? sayJson({ phones: seen }) : sayFree(name, seen);
      }
      const booked = busy?.filter(({ booking }) => booking === 'booked') ?? [];
      if (mayTerminate && booked.length > 0) {
        mayTerminate = false;
        await terminate(booked);
        continue;
      }
      await sleep(delayMs, signal);
      delayMs = Math.min(delayMs * POLL.growth, POLL.longestMs);
    }
  } finally {
    progress.clear();
  }
}

function sayFree(name: string, phones: readonly Seen[]): void {
  const [first] = phones;
  const isOne = phones.length === 1 && first;
  const none = isOne ? `${nameOf(first)} is not booked` : `None of these ${phones.length} phones is booked`;
  const until = Math.min(...phones.map(({ drainedUntil = 0 }) => drainedUntil));
  say(
    `${none}. Until ${localTime(until)} ${zoneName(until)} you can unplug ${isOne ? 'it' : 'them'}${isHost(name) ? ', switch off their hubs or reboot the host' : ''}`,
    ...(isHost(name) ? [] : ['  → To switch off a hub or the host, drain that: others may be booked']),
    `  → No alerts meanwhile: hostnode maintenance --until 2h --reason 'REASON' -- ${quoted(name)}`,
    `  → When you are done:   hostnode drain --end -- ${quoted(name)}`,
  );
}

/** `booked: Pixel 5 (R58M1, bay 1)`; '' where none is. */
function waitingFor(phones: readonly Seen[]): string {
  const part = (words: string, wanted: Seen['booking']) => {
    const some = phones.filter(({ booking }) => booking === wanted);
    return some.length === 0 ? [] : [`${words}: ${namesOf(some)}`];
  };
  return [...part('booked', 'booked'), ...part('not stored as hidden yet', 'shown')].join('; ');
}

const nameOf = ({ udid, name, slot }: MaintainedPhone): string => {
  const place = slot === undefined ? udid : `${udid}, ${slot}`;
  return name === undefined || name === udid ? place : `${name} (${place})`;
};

const namesOf = (phones: readonly MaintainedPhone[]): string =>
  firstOf(phones.map(nameOf), MOST_NAMED, '; ') || 'no phone';
