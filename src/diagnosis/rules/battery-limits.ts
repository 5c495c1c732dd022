/** Where a battery suffers, and what to do then. */

/** At this temperature a battery ages fast and may swell, °C: makers limit charging to 45. */
export const HOT_CELSIUS = 45;

/** At this one it may catch fire, °C: cells are specified up to it, also while they are not charged. */
export const DANGEROUS_CELSIUS = 60;

/**
 * At this one, °C, a cell that is kept full loses about 35 % of what it holds within a year, at 25 °C 20 %, and half full
 * 15 and 4. Source: Battery University, BU-808, table 3.
 */
export const AGING_CELSIUS = 40;

/**
 * Below this much of a new battery, percent, a battery is worn. Source: Regulation (EU) 2023/1670 asks for 80 % after 800
 * cycles.
 */
export const WORN_PERCENT = 80;

/** The remedy for a hot battery. */
export const COOL_DOWN =
  'Let the phone cool down: stop its tests, unplug it, and check whether its back bulges';
