/** Which events belong together, for whoever looks at some of them. Pure. */
import type { EventKind } from './event.ts';

/** `other` has no filter of its own. */
export type EventGroup = 'connection' | 'reboots' | 'battery' | 'cloud' | 'people' | 'other';

const groups: Readonly<Record<EventKind, EventGroup>> = {
  attached: 'connection',
  detached: 'connection',
  state: 'connection',
  adbLost: 'connection',
  adbBack: 'connection',
  adbReplaced: 'connection',
  rebooted: 'reboots',
  os: 'reboots',
  batteryHealth: 'battery',
  refused: 'cloud',
  stored: 'cloud',
  cloudLost: 'cloud',
  cloudBack: 'cloud',
  note: 'people',
  maintenance: 'people',
  maintenanceEnded: 'people',
  identity: 'other',
  sim: 'other',
  agentStarted: 'other',
  agentStopped: 'other',
  agentReloaded: 'other',
  clockStepped: 'other',
};

export const isEventKind = (text: string): text is EventKind => Object.hasOwn(groups, text);

export const eventKinds = Object.keys(groups).filter(isEventKind);

export const kindsOf = (group: EventGroup): EventKind[] =>
  eventKinds.filter((kind) => groups[kind] === group);
