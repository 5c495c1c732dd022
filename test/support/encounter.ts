import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import type { Encounter } from '../../src/cli/survey.ts';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import type { CapturedPhone } from '../../src/demo/captured.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { allCommands, ManualHost } from './manual-host.ts';

/** Plugs one phone in and reads it as an inventory does. */
export async function meet(phone: SimulatedPhone, commandOptions = allCommands): Promise<Encounter> {
  const server = await SimulatedAdbServer.start();
  server.plug(phone);
  const host = new ManualHost(server.port, { commandOptions, keepAnswers: true });
  try {
    await host.list();
    const [{ error } = {}] = await host.collect();
    const [phone] = host.phones();
    if (phone === undefined) throw new Error('adb lists no phone');
    return { ...phone, ...omitUndefined({ listed: host.roster.listed(phone.device.udid), error }) };
  } finally {
    await server.stop();
  }
}

/** All files of a folder that a capture made, by their names. */
export const filesOf = (folder: string): Map<string, string> =>
  new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

/** Plays a folder that a capture made. */
export function playCapture(folder: string): SimulatedPhone {
  const files = filesOf(folder);
  const { serial, state, sdk = 0, exitCodes } = JSON.parse(files.get('phone.json') ?? '') as CapturedPhone;
  files.delete('phone.json');
  const names = Array.from(files.keys(), (file) => basename(file, '.txt'));
  const answers = Object.fromEntries(
    names.map((name) => [name, { lines: [], exitCode: exitCodes[name] ?? 0 }]),
  );
  const phone = new SimulatedPhone({ title: folder, origin: [], serial, state, sdk, answers });
  for (const name of names) phone.alter(name, () => files.get(`${name}.txt`) ?? '');
  return phone;
}
