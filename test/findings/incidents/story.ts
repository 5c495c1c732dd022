/**
 * Incidents that people wrote up in public, and months in which nothing was wrong, as scenes: a lab's weeks are told, then
 * judged as the agent judges them (`sweep.ts`), and what was judged is compared with what the source says.
 *
 * An incident is written from its source alone, before anybody looks at what the rules say of it: what was seen, the true
 * cause, what people did. Everything else of its weeks is the ordinary life of a lab (`background`). It is written in
 * `told/`, a month in `months/`, and named in `all.ts`.
 *
 * To run one and print what is judged, with its evidence: `npx node test/findings/incidents/show.ts 'part of the name'`.
 * By a hash of their names a quarter of them is kept for the figures: `show.ts` does not show these, and the test names none
 * of them, so that no rule is written for them.
 */
import type { Subject } from '../../../src/diagnosis/finding.ts';
import type { Party } from '../../../src/diagnosis/losses/reasons.ts';
import { hashed, Lab, type LabOptions, type ToldLoss } from './lab.ts';

export interface Incident {
  name: string;
  /** `owner/repository#number`, or the address of a page. */
  source: string;
  /** What people saw, its true cause, and what they did about it. */
  seen: string;
  cause: string;
  did: string;
  /** Why our records cannot show the cause; absent: they can. */
  cannotShow?: string;
  lab?: LabOptions;
  tell(lab: Lab): Expected;
}

/** What is right to say of an incident. */
export interface Expected {
  /** When somebody asks. */
  at: number;
  /**
   * The losses that it is about, and who may be blamed for them. `port`: the USB port, the cable or the socket of a phone;
   * `link`: its own connection, which at a USB port is the same.
   */
  losses?: readonly ToldLoss[];
  blame?: readonly Party[];
  /** What is to be told then, urgent or not: of whom, and what the title or the remedy must say. */
  told?: {
    about: readonly Subject['kind'][];
    /** Which port, hub or phone; absent: any. */
    keys?: readonly string[];
    says: RegExp;
  };
  /** Of these something may be told too, at any time: what the source names as possible causes. */
  alsoAbout?: readonly Subject['kind'][];
}

/** Weeks in which nothing is wrong. */
export interface QuietMonth {
  name: string;
  /** What goes on there, of one put together by chance. */
  about?: string;
  lab?: LabOptions;
  tell(lab: Lab): void;
}

/** Only the last run sees it. */
export const isKept = ({ name }: { name: string }): boolean => hashed(`${name}/kept`) % 4 === 3;

export const zoneOf = ({ lab }: { lab?: LabOptions }): string => lab?.zone ?? 'Europe/Berlin';

/** In its time zone. */
export function told<T extends Incident | QuietMonth>(
  scene: T,
): { lab: Lab; expected: ReturnType<T['tell']> } {
  const lab = new Lab(scene.lab ?? {}, hashed(scene.name));
  const expected = scene.tell(lab) as ReturnType<T['tell']>;
  return { lab, expected };
}
