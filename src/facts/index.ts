/** All sections in the order of collection: first those that others depend on, last those that may hang. */

import { battery } from './battery.ts';
import { boot } from './boot.ts';
import { browsers } from './browsers.ts';
import { display } from './display.ts';
import { identifiers } from './identifiers.ts';
import { identity } from './identity.ts';
import { memory } from './memory.ts';
import { mobile } from './mobile.ts';
import { name } from './name.ts';
import { network } from './network.ts';
import { readiness } from './readiness.ts';
import { root } from './root.ts';
import { screen } from './screen.ts';
import type { Section } from './section.ts';
import { storage } from './storage.ts';
import { wear } from './wear.ts';

export const sections = [
  boot,
  identity,
  battery,
  wear,
  storage,
  memory,
  display,
  mobile,
  screen,
  name,
  root,
  readiness,
  browsers,
  identifiers,
  network,
] as const satisfies readonly Section<unknown>[];

/** The facts of one phone, by section. A missing section was not answered. */
export type Facts = { [S in (typeof sections)[number] as S['name']]?: ReturnType<S['parse']> };

/** The sections, with the lab's own interval for the reachability check. */
export const sectionsWith = ({
  reachabilityEverySeconds,
}: {
  reachabilityEverySeconds: number;
}): Section<unknown>[] =>
  sections.map((section) =>
    section === network ? { ...network, cadence: { everySeconds: reachabilityEverySeconds } } : section,
  );
