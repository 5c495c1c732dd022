/** Who is measured: this agent, and what a user would pick instead. */
import { fileURLToPath } from 'node:url';
import type { Setting } from './setting.ts';

export interface Contestant {
  name: string;
  command(setting: Setting): string[];
}

const peer = (file: string): string => fileURLToPath(new URL(`peers/${file}`, import.meta.url));

export const ours: Contestant = {
  name: 'hostnode',
  command: ({ hostnode }) => [...hostnode, 'inventory', '--json'],
};
export const deviceFarm: Contestant = {
  name: 'appium-device-farm',
  command: () => [process.execPath, peer('appium-device-farm.js')],
};
const adbkit: Contestant = { name: 'adbkit', command: () => [process.execPath, peer('adbkit.js')] };
const adb: Contestant = { name: 'adb', command: () => [peer('adb.sh')] };

export const contestants = [ours, deviceFarm, adbkit, adb];
