/** Whether the adb server can be asked: said when that ends and when it is mended, and a server started where none is. */
import { adbFailureKindOf } from '../adb/mend.ts';
import type { AdbFailureKind } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import type { AgentContext } from './context.ts';
import { OutageLog } from './outage-log.ts';
import { pause } from './timing.ts';

type AdbHealthContext = Pick<AgentContext, 'adb' | 'startAdb' | 'timing' | 'observer' | 'stopping' | 'log'>;

/** Of a reason that is shown, characters. */
const LONGEST_FAILURE = 300;

/** adb for those who look on from the side. */
export interface AdbView {
  /** Whether its list can be read; `unasked` until the first try has ended. */
  state: 'unasked' | 'listed' | 'lost';
  /** What the last try failed of, while it is lost. */
  failure?: string;
  failureKind?: AdbFailureKind;
  /** Its protocol version, e.g. 41. */
  version?: number;
}

export class AdbHealth {
  readonly #context: AdbHealthContext;
  readonly #trouble = new OutageLog();
  readonly #namelessTrouble = new OutageLog();
  /** Not ended: a phone that takes its lines back and writes them anew is said once. */
  readonly #forgedTrouble = new OutageLog();
  #doubted: readonly string[] = [];
  readonly #firstListing = Promise.withResolvers<void>();
  #hasListed = false;
  /** What the last try failed of, while it is lost. */
  #failure: Pick<AdbView, 'failure' | 'failureKind'> = {};
  #version: number | undefined;
  #starting: Promise<void> | undefined;

  constructor(context: AdbHealthContext) {
    this.#context = context;
  }

  /** adb has listed its phones since this agent began: what is not attached is gone. */
  get hasListed(): boolean {
    return this.#hasListed;
  }

  /** Resolves when adb has listed its phones for the first time. */
  get firstListing(): Promise<void> {
    return this.#firstListing.promise;
  }

  /** Whether adb's list can be read; `unasked` until the first try has ended. */
  get state(): AdbView['state'] {
    if (this.#trouble.isThere) return 'lost';
    return this.#hasListed ? 'listed' : 'unasked';
  }

  get view(): AdbView {
    return omitUndefined({ state: this.state, ...this.#failure, version: this.#version });
  }

  /**
   * adb's list was read.
   *
   * @param nameless how many devices in it have neither serial nor USB path
   * @returns whether it could not be read until now
   */
  listed(nameless: number): boolean {
    const { log } = this.#context;
    const isNew = this.state !== 'listed';
    this.#failure = {};
    if (this.#trouble.end()) log.info('the adb server answers again');
    if (nameless === 0) this.#namelessTrouble.end();
    else if (this.#namelessTrouble.begin(String(nameless))) {
      log.warn(
        { devices: nameless },
        'adb lists devices without serial number and USB path: they cannot be reported',
      );
    }
    this.#hasListed = true;
    this.#firstListing.resolve();
    return isNew;
  }

  /**
   * These lines of adb's list are not confirmed by its other one: their phones are not known by them. Those that stay
   * are said; in one listing alone it may be a phone that comes and goes.
   */
  doubted(lines: readonly string[]): void {
    const lasting = lines.filter((line) => this.#doubted.includes(line));
    this.#doubted = lines;
    for (const line of lasting)
      if (this.#forgedTrouble.begin(line))
        this.#context.log.warn(
          { line },
          'ignored a line of adb’s list: adb does not confirm it, a phone may have written it',
        );
  }

  /**
   * adb's list could not be read.
   *
   * @returns whether it is the first thing that is known of adb
   */
  lost(error: unknown): boolean {
    const isFirst = this.state === 'unasked';
    const failure = printable(error instanceof Error ? error.message : String(error), LONGEST_FAILURE);
    const isNews = failure !== this.#failure.failure;
    this.#failure = { failure, failureKind: adbFailureKindOf(error) };
    this.#version = undefined;
    if (this.#trouble.begin(failure))
      this.#context.log.error({ err: error }, 'cannot reach adb');
    if (isNews) this.#context.observer.changed();
    this.#start();
    return isFirst;
  }

  /** A host that is retired has no phones, whatever adb would say. */
  retire(): void {
    this.#failure = {};
    this.#trouble.end();
    this.#hasListed = true;
  }

  /** Another server may listen there than before. Never throws. */
  async meet(): Promise<void> {
    const { adb, stopping, observer } = this.#context;
    this.#version = await adb.version(stopping).catch(() => undefined);
    observer.changed();
  }

  #start(): void {
    const { startAdb, timing, stopping, log } = this.#context;
    this.#starting ??= startAdb?.(stopping)
      .then((pid) => pid !== undefined && log.warn({ pid }, 'started an adb server'))
      .catch((error) => stopping.aborted || log.error({ err: error }, 'cannot start an adb server'))
      .then(() => pause(timing.startAdbEveryMs))
      .then(() => {
        this.#starting = undefined;
      });
  }
}
