/**
 * Decides when the host is judged: soon after something happened and twice more when it had time to settle, after a round
 * that found something new, and every five minutes: the thread that judges ends while it has nothing to do. One judgement
 * at a time; what happens meanwhile is judged next, as it is then.
 */
import type { AgentObserver } from '../agent/observer.ts';
import type { Logger } from '../base/log.ts';
import { OutageLog } from '../base/outage-log.ts';
import type { Judgement } from '../diagnosis/evaluation.ts';
import type { Finding } from '../diagnosis/finding.ts';
import { pressingIn } from '../diagnosis/fingerprint.ts';
import type { RuleInput } from '../diagnosis/rule-input.ts';

/** Phones that are lost together come in one after the other: they are judged together, ms. */
const DEBOUNCE_MS = 4_000;
/** Judges wait up to 10 s whether a lost phone is back: after the last change it is looked at again, ms. */
const SETTLED_MS = 12_000;
/** Most judges wait for a minute before they speak: then once more, ms. */
const LATE_MS = 75_000;
/** After a judgement we rest so many times as long as it took: on a large host the thread has other work too. */
const REST = 5;
/** Time alone begins and ends findings, ms. */
const EVERY_MS = 5 * 60_000;
/** As often while there was no judgement: the history may answer again, ms. */
const RETRY_MS = 60_000;

export interface JudgingOptions {
  /** Undefined while the present is not known, as while adb cannot be reached: then all findings stay. */
  picture(): RuleInput | undefined;
  /** Rejects or returns undefined where the history cannot answer. */
  judge(picture: RuleInput): Promise<Judgement | undefined>;
  /** Of what the picture lacks: another text is judged with the next round. */
  alsoPressing?(): string;
  take(findings: readonly Finding[], picture: RuleInput): void;
  log: Logger;
}

export class Judging implements AgentObserver {
  readonly #options: JudgingOptions;
  readonly #failing = new OutageLog();
  readonly #broken = new OutageLog();
  #debounce: NodeJS.Timeout | undefined;
  #settled: NodeJS.Timeout | undefined;
  #late: NodeJS.Timeout | undefined;
  #next: NodeJS.Timeout | undefined;
  /** What was pressing in the last judgement; undefined: it failed, or there was none. */
  #judged: string | undefined;
  #hasSamples = false;
  #running: Promise<void> | undefined;
  /** What happened while a judgement runs is to be judged too. */
  #isDue = false;
  #isStopped = false;
  #endRest: () => void = () => {};

  constructor(options: JudgingOptions) {
    this.#options = options;
    this.#nextIn(RETRY_MS);
  }

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

  sampled(): void {
    this.#hasSamples = true;
  }

  round(): void {
    if (this.#isStopped) return;
    if (!this.#hasSamples) {
      const picture = this.#options.picture();
      if (picture === undefined || this.#pressingIn(picture) === this.#judged) return;
      if (this.#judged !== undefined) this.#onceMore();
    }
    this.#now();
  }

  #pressingIn(picture: RuleInput): string {
    return pressingIn(picture) + (this.#options.alsoPressing?.() ?? '');
  }

  #onceMore(): void {
    clearTimeout(this.#late);
    this.#late = setTimeout(() => this.#now(), LATE_MS).unref();
  }

  #nextIn(ms: number): void {
    clearTimeout(this.#next);
    this.#next = setTimeout(() => this.#now(), ms).unref();
  }

  /** Nothing is judged any more. Resolves when a judgement that runs has ended. */
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
      await this.#judge();
      if (!this.#isStopped) this.#nextIn(this.#judged === undefined ? RETRY_MS : EVERY_MS);
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

  async #judge(): Promise<void> {
    const { picture, judge, take, log } = this.#options;
    let judged: string | undefined;
    try {
      const now = picture();
      const judgement = now && (await judge(now));
      if (now === undefined || judgement === undefined || this.#isStopped) return;
      judged = this.#pressingIn(now);
      this.#failing.end();
      this.#logBroken(judgement.broken);
      take(judgement.findings, now);
    } catch (error) {
      if (this.#failing.begin('failed'))
        log.error({ err: error }, 'cannot judge this host: its findings stay as they are');
    } finally {
      this.#judged = judged;
    }
  }

  #logBroken(broken: Judgement['broken']): void {
    if (broken.length === 0) this.#broken.end();
    for (const { judge, error } of broken)
      if (this.#broken.begin(judge))
        this.#options.log.error({ judge, err: error }, 'a judge broke: its findings are missing');
  }
}
