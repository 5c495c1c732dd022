/**
 * What the workers of DeviceFarmer STF and of DeviceHub ask a phone, through adbkit, one command after the other:
 * all properties, the Wi-Fi address, the memory, the given name.
 *
 * Source: VKCOM/devicehub, lib/units/device/support/properties.js.
 */
import { Adb } from '@devicefarmer/adbkit';

const questions = [
  "ip addr show wlan0  | grep 'link/ether '| cut -d' ' -f6 | xargs echo mac_address:",
  'cat /proc/meminfo | grep MemTotal',
  'settings get global device_name',
];

const client = Adb.createClient({ port: Number(process.env.BENCH_ADB_PORT) });
const phones = await client.listDevices();
for (const { id } of phones) {
  const phone = client.getDevice(id);
  await phone.getProperties();
  for (const question of questions) await Adb.util.readAll(await phone.shell(question));
}
process.stdout.write(`${phones.length}\n`);
