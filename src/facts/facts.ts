import type { BatteryFacts } from './battery.ts';
import type { BootFacts } from './boot.ts';
import type { BrowsersFacts } from './browsers.ts';
import type { DisplayFacts } from './display.ts';
import type { IdentifiersFacts } from './identifiers.ts';
import type { IdentityFacts } from './identity.ts';
import type { MemoryFacts } from './memory.ts';
import type { MobileFacts } from './mobile.ts';
import type { NameFacts } from './name.ts';
import type { NetworkFacts } from './network.ts';
import type { RootFacts } from './root.ts';
import type { ScreenFacts } from './screen.ts';
import type { StorageFacts } from './storage.ts';

/** What is known of one phone, by the section that read it. A missing section was not answered. */
export interface Facts {
  boot?: BootFacts;
  identity?: IdentityFacts;
  name?: NameFacts;
  root?: RootFacts;
  battery?: BatteryFacts;
  storage?: StorageFacts;
  memory?: MemoryFacts;
  screen?: ScreenFacts;
  display?: DisplayFacts;
  mobile?: MobileFacts;
  identifiers?: IdentifiersFacts;
  browsers?: BrowsersFacts;
  network?: NetworkFacts;
}
