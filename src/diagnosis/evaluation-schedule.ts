/**
 * Decides when the rules are evaluated: soon after something happened and twice more when it had time to settle, after a
 * round that found something new, and every five minutes. One evaluation at a time; what happens meanwhile is evaluated
 * next, as it is then.
 */
import type { Logger } from '../base/log.ts';
import { OutageLog } from '../base/outage-log.ts';
import type { Evaluation } from './evaluate.ts';
import type { Finding } from './finding.ts';
import type { PhoneInput, RuleInput } from './rule-input.ts';
import { COOLED_DECICELSIUS } from './rules/battery.ts';

/** Phones that are lost together come in one after the other: they are evaluated together, ms. */
const DEBOUNCE_MS = 4_000;
/** Rules wait up to 10 s whether a lost phone is back: after the last change they look again, ms. */
const SETTLED_MS = 12_000;
/** Most rules wait for a minute before they speak: then once more, ms. */
const LATE_MS = 75_000;
/** After an evaluation we rest so many times as long as it took: on a large host the thread has other work too. */
const REST = 5;
/** Time alone begins and ends findings, ms. */
const EVERY_MS = 5 * 60_000;
/** As often while there was no evaluation: the history may answer again, ms. */
const RETRY_MS = 60_000;

export interface EvaluationScheduleOptions {
  /** Undefined while the present is not known, as while adb cannot be reached: then all findings stay. */
  input(): RuleInput | undefined;
  /** Rejects or returns undefined where the history cannot answer. */
  evaluate(input: RuleInput): Promise<Evaluation | undefined>;
  /** Of what the input lacks: another text is evaluated with the next round. */
  fingerprint?(): string;
  take(findings: readonly Finding[], input: RuleInput): void;
  log: Logger;
}

const NEVER = Number.POSITIVE_INFINITY;

export class EvaluationSchedule {
  readonly #options: EvaluationScheduleOptions;
  readonly #failing = new OutageLog();
  readonly #broken = new OutageLog();
  /** When to evaluate next, by the monotonic clock, ms: the earliest counts. */
  readonly #due = { soon: NEVER, settled: NEVER, late: NEVER, regular: performance.now() + RETRY_MS };
  #restUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;
  /** That of the last evaluation; undefined: it failed, or there was none. */
  #fingerprint: string | undefined;
  #hasSamples = false;

  constructor(options: EvaluationScheduleOptions) {
    this.#options = options;
    this.#plan();
  }

  /** An event was recorded, or what is kept of a phone changed. */
  changed(): void {
    const now = performance.now();
    this.#due.soon = Math.min(this.#due.soon, now + DEBOUNCE_MS);
    this.#due.settled = now + SETTLED_MS;
    this.#due.late = now + LATE_MS;
    this.#plan();
  }

  sampled(): void {
    this.#hasSamples = true;
  }

  round(): void {
    if (!this.#hasSamples) {
      const input = this.#options.input();
      if (input === undefined || this.#fingerprintOf(input) === this.#fingerprint) return;
      if (this.#fingerprint !== undefined) this.#due.late = performance.now() + LATE_MS;
    }
    this.#due.soon = performance.now();
    this.#plan();
  }

  #fingerprintOf(input: RuleInput): string {
    return fingerprintOf(input) + (this.#options.fingerprint?.() ?? '');
  }

  /** Nothing is evaluated any more. Resolves when an evaluation that runs has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #plan(): void {
    clearTimeout(this.#timer);
    if (this.#isStopped || this.#running !== undefined) return;
    const { soon, settled, late, regular } = this.#due;
    const at = Math.max(this.#restUntil, Math.min(soon, settled, late, regular));
    const run = () => {
      this.#running = this.#run(at);
    };
    const delayMs = at - performance.now();
    if (delayMs > 0) this.#timer = setTimeout(run, delayMs).unref();
    else run();
  }

  /** @param until what was due up to then is done by this. Never throws */
  async #run(until: number): Promise<void> {
    const startedAt = performance.now();
    for (const key of ['soon', 'settled', 'late'] as const)
      if (this.#due[key] <= Math.max(until, startedAt)) this.#due[key] = NEVER;
    this.#hasSamples = false;
    await this.#evaluate();
    const endedAt = performance.now();
    this.#due.regular = endedAt + (this.#fingerprint === undefined ? RETRY_MS : EVERY_MS);
    this.#restUntil = endedAt + REST * (endedAt - startedAt);
    this.#running = undefined;
    this.#plan();
  }

  async #evaluate(): Promise<void> {
    const { input, evaluate, take, log } = this.#options;
    let fingerprint: string | undefined;
    try {
      const now = input();
      const evaluation = now && (await evaluate(now));
      if (now === undefined || evaluation === undefined || this.#isStopped) return;
      fingerprint = this.#fingerprintOf(now);
      this.#failing.end();
      this.#logBroken(evaluation.broken);
      take(evaluation.findings, now);
    } catch (error) {
      if (this.#failing.begin('failed'))
        log.error({ err: error }, 'cannot judge this host: its findings stay as they are');
    } finally {
      this.#fingerprint = fingerprint;
    }
  }

  #logBroken(broken: Evaluation['broken']): void {
    if (broken.length === 0) this.#broken.end();
    for (const { code, error } of broken)
      if (this.#broken.begin(code))
        this.#options.log.error({ judge: code, err: error }, 'a judge broke: its findings are missing');
  }
}

/**
 * What of the present is evaluated with the next round: the same text for two inputs that can wait for an event, for new
 * samples, or for some minutes. While a battery is hot none can: how long it is so decides.
 */
const fingerprintOf = ({ at, isAdbListed, adbPorts, setting, phones }: RuleInput): string =>
  JSON.stringify([isAdbListed, adbPorts, setting, phones.some(isHot) && at, phones.map(withoutReadings)]);

const isHot = ({ attached, battery }: PhoneInput): boolean =>
  attached && (battery?.temperatureDecicelsius ?? 0) >= COOLED_DECICELSIUS;

/** What changes all the time. */
const withoutReadings = ({ battery, wear, storage, uptimeSeconds, ...rest }: PhoneInput) => rest;
