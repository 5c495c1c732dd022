/**
 * Decides when the rules are evaluated: soon after something happened and twice more when it had time to settle, after a
 * round that found something new, and every five minutes. One evaluation at a time; what happens meanwhile is evaluated
 * next, as it is then.
 */
import type { Logger } from '../base/log.ts';
import { OutageLog } from '../base/outage-log.ts';
import type { Evaluation } from './evaluation.ts';
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

export class EvaluationSchedule {
  readonly #options: EvaluationScheduleOptions;
  readonly #failing = new OutageLog();
  readonly #broken = new OutageLog();
  #debounce: NodeJS.Timeout | undefined;
  #settled: NodeJS.Timeout | undefined;
  #late: NodeJS.Timeout | undefined;
  #next: NodeJS.Timeout | undefined;
  /** That of the last evaluation; undefined: it failed, or there was none. */
  #fingerprint: string | undefined;
  #hasSamples = false;
  #running: Promise<void> | undefined;
  /** What happened during an evaluation is to be evaluated too. */
  #isDue = false;
  #isStopped = false;
  #endRest: () => void = () => {};

  constructor(options: EvaluationScheduleOptions) {
    this.#options = options;
    this.#nextIn(RETRY_MS);
  }

  /** An event was recorded, or what is kept of a phone changed. */
  changed(): void {
    if (this.#isStopped) return;
    this.#debounce ??= setTimeout(() => {
      this.#debounce = undefined;
      this.#now();
    }, DEBOUNCE_MS).unref();
    clearTimeout(this.#settled);
    this.#settled = setTimeout(() => this.#now(), SETTLED_MS).unref();
    this.#onceMore();
  }

  /** A phone's readings were recorded. */
  sampled(): void {
    this.#hasSamples = true;
  }

  /** All phones were collected. */
  round(): void {
    if (this.#isStopped) return;
    if (!this.#hasSamples) {
      const input = this.#options.input();
      if (input === undefined || this.#fingerprintOf(input) === this.#fingerprint) return;
      if (this.#fingerprint !== undefined) this.#onceMore();
    }
    this.#now();
  }

  #fingerprintOf(input: RuleInput): string {
    return fingerprintOf(input) + (this.#options.fingerprint?.() ?? '');
  }

  #onceMore(): void {
    clearTimeout(this.#late);
    this.#late = setTimeout(() => this.#now(), LATE_MS).unref();
  }

  #nextIn(ms: number): void {
    clearTimeout(this.#next);
    this.#next = setTimeout(() => this.#now(), ms).unref();
  }

  /** Nothing is evaluated any more. Resolves when an evaluation that runs has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#endRest();
    for (const timer of [this.#next, this.#debounce, this.#settled, this.#late]) clearTimeout(timer);
    await this.#running;
  }

  #now(): void {
    if (this.#isStopped) return;
    if (this.#running === undefined) this.#running = this.#run();
    else this.#isDue = true;
  }

  /** Never throws. */
  async #run(): Promise<void> {
    do {
      this.#isDue = false;
      this.#hasSamples = false;
      const startedAt = performance.now();
      await this.#evaluate();
      if (!this.#isStopped) this.#nextIn(this.#fingerprint === undefined ? RETRY_MS : EVERY_MS);
      const restMs = (performance.now() - startedAt) * REST;
      if (restMs >= 1 && !this.#isStopped) await this.#rest(restMs);
    } while (this.#isDue && !this.#isStopped);
    this.#running = undefined;
  }

  #rest(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms).unref();
    this.#endRest = () => {
      clearTimeout(timer);
      resolve();
    };
    return promise;
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
