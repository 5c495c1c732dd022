import type { Place } from './places.ts';
import type * as surroundings from './surroundings.ts';
import type { Given, World } from './world.ts';

/** A row of the table. */
export interface Fault {
  /** What is wrong. */
  name: string;
  /** Where it can happen, beside other faults. */
  in?: readonly Place[];
  /** What it alone needs: no other fault can follow it. */
  given?: Given;
  needs?: surroundings.Need;
  /** Makes it happen. */
  fault(world: World): Promise<unknown> | unknown;
  /** What must be seen while it lasts. */
  observed(world: World): Promise<unknown> | unknown;
  /** Ends it. */
  mend(world: World): Promise<unknown> | unknown;
  /** What must never be, besides what never may be; looked at when it is over. */
  never?(world: World): Promise<unknown> | unknown;
  /** The process ends by it, and another one goes on. */
  restarts?: true;
  /** It cannot be ended: no other fault can follow it. */
  isFinal?: true;
}
