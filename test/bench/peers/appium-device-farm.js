/**
 * What appium-device-farm asks when it discovers phones, through appium-adb: the list by `adb devices`, then phone
 * by phone, of each side by side, its version, kind, given name, Chrome and screen size.
 *
 * Source: AppiumTestDistribution/appium-device-farm, src/device-managers/AndroidDeviceManager.ts.
 */
import { ADB } from 'appium-adb';

const questions = [
  ['getprop', 'ro.build.version.release'],
  ['getprop', 'ro.build.characteristics'],
  ['dumpsys', 'bluetooth_manager', '|', 'grep', 'name:', '|', 'cut', '-c9-'],
  ['dumpsys', 'package', 'com.android.chrome'],
  ['wm', 'size'],
];

const adb = await ADB.createADB({ adbPort: Number(process.env.BENCH_ADB_PORT) });
const phones = await adb.getConnectedDevices();
for (const { udid } of phones) {
  await Promise.all(questions.map((question) => adb.adbExec(['-s', udid, 'shell', ...question])));
}
process.stdout.write(`${phones.length}\n`);
