/** All stories: one line for each file of them. */

import { stories as battery } from './stories/battery.ts';
import { stories as behaviour } from './stories/behaviour.ts';
import { stories as bus } from './stories/bus.ts';
import { stories as cables } from './stories/cables.ts';
import { stories as calm } from './stories/calm.ts';
import { stories as expected } from './stories/expected.ts';
import { stories as hosts } from './stories/hosts.ts';
import { stories as hubs } from './stories/hubs.ts';
import { stories as networks } from './stories/networks.ts';
import { stories as readiness } from './stories/readiness.ts';
import { stories as room } from './stories/room.ts';
import { stories as sickHubs } from './stories/sick-hubs.ts';
import { stories as storage } from './stories/storage.ts';
import { stories as usb } from './stories/usb.ts';
import type { Story } from './story.ts';

export const stories: readonly Story[] = [
  ...battery,
  ...behaviour,
  ...bus,
  ...cables,
  ...calm,
  ...expected,
  ...hosts,
  ...hubs,
  ...networks,
  ...readiness,
  ...room,
  ...sickHubs,
  ...storage,
  ...usb,
];
