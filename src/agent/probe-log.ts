/** Failures in collecting one phone: logged when they begin and when they end, not while they last. */

import type { Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Section } from '../facts/section.ts';
import type { Snapshot } from '../probe/snapshot.ts';

export interface ProbeLogOptions {
  sections: readonly Section<unknown>[];
  log: Logger;
}

export class ProbeLog {
  readonly #options: ProbeLogOptions;
  /** Those that last, each with its section: `battery timed-out`; `lost` and `broken` have none. */
  #logged: ReadonlyMap<string, string | undefined> = new Map();
  #sectionsTakenAt: Snapshot['sectionsTakenAt'] = {};

  constructor(options: ProbeLogOptions) {
    this.#options = options;
  }

  /** The phone answered, perhaps not to the end. */
  read(udid: string, { failures, broken, takenAt, sectionsTakenAt, conversations }: Snapshot): void {
    const { log } = this.#options;
    const problems = new Map<string, string | undefined>(
      failures.map(({ section, kind }) => [`${section} ${kind}`, section]),
    );
    if (broken !== undefined) problems.set('broken', undefined);
    for (const { section, kind, error } of failures) {
      if (this.#logged.has(`${section} ${kind}`)) continue;
      const err = this.#isPersonal(section) ? undefined : error;
      log.warn(omitUndefined({ udid, section, kind, err }), 'a section could not be read');
    }
    if (broken !== undefined && !this.#logged.has('broken'))
      log.warn({ udid, reason: broken, factsAgeSeconds: ageSeconds(takenAt) }, 'the phone broke off');
    for (const [problem, section] of this.#logged) {
      if (problems.has(problem)) continue;
      if (section === undefined || this.#wasRead(section, sectionsTakenAt))
        log.info({ udid, problem }, 'it works again');
      else problems.set(problem, section);
    }
    log.debug({ udid, conversations, failures: failures.length }, 'phone read');
    this.#logged = problems;
    this.#sectionsTakenAt = sectionsTakenAt;
  }

  /** @param last the last snapshot, while it still counts */
  lost(udid: string, err: Error, last: Snapshot | undefined): void {
    if (!this.#logged.has('lost')) {
      const factsAgeSeconds = last && ageSeconds(last.takenAt);
      this.#options.log.warn(omitUndefined({ udid, err, factsAgeSeconds }), 'the phone could not be read');
    }
    this.#logged = new Map([...this.#logged, ['lost', undefined]]);
  }

  /** A section that was not due, or is skipped for a while, may still fail. */
  #wasRead(section: string, sectionsTakenAt: Snapshot['sectionsTakenAt']): boolean {
    const takenAt = sectionsTakenAt[section];
    return takenAt !== undefined && takenAt !== this.#sectionsTakenAt[section];
  }

  #isPersonal(section: string): boolean {
    return this.#options.sections.some(({ name, isPersonal }) => name === section && isPersonal === true);
  }
}

/** @param takenAt ms since the epoch */
const ageSeconds = (takenAt: number): number => Math.round((Date.now() - takenAt) / 1000);
