/** The recorded phones, in the order in which the demo plugs them in. */
import type { Recording } from '../recording.ts';
import emulator from './google-emulator-android-14.recording.json' with { type: 'json' };
import pixel from './google-pixel-5-android-11.recording.json' with { type: 'json' };
import huawei from './huawei-g700-android-4.4.recording.json' with { type: 'json' };
import poco from './poco-f6-android-15.recording.json' with { type: 'json' };
import samsung from './samsung-tab-s7-fe-android-14.recording.json' with { type: 'json' };
import smartron from './smartron-tphone-android-8.1.recording.json' with { type: 'json' };
import unauthorized from './unauthorized.recording.json' with { type: 'json' };
import xiaomi from './xiaomi-12x-android-12.recording.json' with { type: 'json' };

export const recordings: Recording[] = [
  smartron,
  poco,
  pixel,
  huawei,
  xiaomi,
  samsung,
  emulator,
  unauthorized,
];
