/** The one place that phones have in common when they went at once: a hub, the host's controller, the room, the network. */

import { controllerOf, hubsAbove, isWithin, portOf } from '../places.ts';
import { type Burst, type Loss, NETWORK } from './loss-group.ts';

/** Phones of one hub that went at once. */
export interface HubLoss {
  kind: 'hub';
  hub: string;
  losses: Loss[];
  /** How many phones the hub had. */
  had: number;
  /** Phones of other places went in the same seconds. */
  hasCompany: boolean;
}

/** Phones of several places that went at once. */
export interface Outage {
  kind: 'host' | 'room';
  losses: Loss[];
  /** The hubs, or the controller. */
  places: string[];
}

/** Phones of the network that went at once. */
export interface NetworkLoss {
  kind: 'network';
  losses: Loss[];
  /** How many phones the network had. */
  had: number;
}

/** This part of a hub's phones that go at once is the hub, not chance. */
const HUB_PART = 0.6;
/** So many of one hub at once are no chance, however many it has. */
const CROWD = 4;
/** This part of a controller's phones is the controller. */
const CONTROLLER_PART = 0.9;
/** So many phones of the network at once, and this part of them, are the network. */
const NETWORK_PHONES = 3;
const NETWORK_PART = 0.6;

/** @param losses those of the burst that nothing else explains */
export function placeCause(
  burst: Burst,
  losses: readonly Loss[],
): HubLoss | Outage | NetworkLoss | undefined {
  if (losses.some(({ isEmulator }) => isEmulator)) return undefined;
  if (losses.some(({ port }) => port === undefined)) return networkCause(burst, losses);
  const hasCompany = losses.length < burst.losses.length;
  const shared = hubOf(losses);
  if (shared !== undefined && isTheHub(burst, losses, shared))
    return hubLoss(burst, losses, shared, hasCompany);
  const hubs = [...Map.groupBy(losses, ({ where }) => hubsAbove(where).at(-1))].flatMap(([top, ofTop]) => {
    const hub = top === undefined ? undefined : hubOf(ofTop);
    return hub !== undefined && ofTop.length > 1 && isTheHub(burst, ofTop, hub)
      ? [{ hub, losses: ofTop }]
      : [];
  });
  const [only] = hubs;
  const controllers = controllersOf(burst, losses);
  if (controllers.length === 1 && losses.length >= CROWD)
    return { kind: 'host', losses: [...losses], places: controllers };
  if (hubs.length === 1 && only && only.losses.length * 2 > losses.length)
    return hubLoss(burst, only.losses, only.hub, true);
  if (hubs.length < 2) return undefined;
  return { kind: 'room', losses: [...losses], places: hubs.map(({ hub }) => hub) };
}

function networkCause(burst: Burst, losses: readonly Loss[]): NetworkLoss | undefined {
  const had = burst.places.get(NETWORK)?.had ?? 0;
  const isNetwork = losses.length >= NETWORK_PHONES && losses.length >= had * NETWORK_PART;
  return isNetwork ? { kind: 'network', losses: [...losses], had } : undefined;
}

const hubLoss = (burst: Burst, losses: readonly Loss[], hub: string, hasCompany: boolean): HubLoss => ({
  kind: 'hub',
  hub,
  losses: [...losses],
  had: burst.places.get(hub)?.had ?? losses.length,
  hasCompany,
});

function isTheHub(burst: Burst, losses: readonly Loss[], hub: string): boolean {
  const had = burst.places.get(hub)?.had ?? losses.length;
  return losses.length >= had * HUB_PART || losses.length >= CROWD;
}

/** The deepest hub above all of them. */
function hubOf(losses: readonly Loss[]): string | undefined {
  const [first, ...others] = losses;
  if (!first) return undefined;
  return hubsAbove(first.where).find((hub) =>
    others.every(({ where }) => hubsAbove(where).some((each) => isWithin(each, hub))),
  );
}

/** The controllers that lost their phones, where all losses are theirs. */
function controllersOf(burst: Burst, losses: readonly Loss[]): string[] {
  const ofThese = new Set(losses.map(({ where }) => controllerOf(portOf(where) ?? '')));
  return [...ofThese].filter((controller) => {
    const { had, lost } = burst.places.get(controller) ?? { had: 0, lost: 0 };
    return lost >= had * CONTROLLER_PART && ofThese.size === 1;
  });
}
