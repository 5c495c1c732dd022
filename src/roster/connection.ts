/** Apart from the schema, for the thread of the history: what it loads it loads again and again. */
import type { Connection, RosterDevice } from './device.ts';

/** What a person takes it for: Genymotion and Android in a container have no cable, no button and no Wi-Fi either. */
export const kindOf = ({
  connection,
  identity,
}: Pick<RosterDevice, 'connection' | 'identity'>): Connection =>
  connection === 'tcp' && identity?.isEmulator ? 'emulator' : connection;
