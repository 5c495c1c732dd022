/** Where each field of DeviceInfo comes from. */

/** What is not read from the phone by a command. */
export const elsewhere = {
  adb: 'adb’s list of devices',
  configuration: 'the configuration (devices)',
  always: 'the same for every Android phone',
} as const;

export interface Source {
  /** `section.command`, the deciding one first; or where else the field comes from. */
  from: readonly string[];
  /** The lines that count; all where it is left out. */
  lines?: RegExp;
}

const identity = (lines: RegExp): Source => ({ from: ['identity.properties'], lines });
const battery = (key: string): Source => ({
  from: ['battery.dump'],
  lines: new RegExp(`^ *(?:${key}): ?|^ *present: ?false|UPDATES STOPPED`),
});
const storage: Source = { from: ['storage.size'] };
const size: Source = {
  from: ['display.dump', 'screen.size'],
  lines: /Display \d+:|DisplayInfo=|init=|DisplayWidth=|size:/,
};
const network = ['network.connectivity', 'network.proxy', 'network.probe'];
const carriers: Source = { from: ['identifiers.calls', 'identifiers.dump', 'identifiers.rows'] };
const clock: Source = { from: ['boot.clock'] };

/** By the field's path, `[]` for each element of a list; a path stands for all that is below it. */
export const sources: Readonly<Record<string, Source>> = {
  udid: { from: ['adb', 'identity.properties'], lines: /\[ro\.(?:boot\.)?serialno\]/ },
  status: { from: ['adb'] },
  state: { from: ['adb'] },
  message: { from: ['adb', 'boot.properties'], lines: /boot_completed|ce_available|vold\.decrypt/ },
  adbTunnelInfo: { from: ['adb'] },
  platformName: { from: ['always'] },
  isAndroid: { from: ['always'] },
  isIos: { from: ['always'] },
  addedToCloud: { from: ['configuration'] },
  isHidden: { from: ['configuration'] },
  support: { from: ['configuration'] },
  serialNumber: identity(/\[ro\.(?:boot\.)?serialno\]/),
  platformVersion: identity(/\[ro\.(?:product\.)?build\.version\.(?:release|sdk)\]/),
  modelName: identity(/\[ro\.product\.(?:\w{1,10}\.)?model\]/),
  brandName: identity(/\[ro\.product\.(?:\w{1,10}\.)?brand\]/),
  cpuArchitecture: identity(/\[ro\.product\.cpu\.abi\]/),
  isEmulator: identity(
    /qemu\]|genymotion|virtual_device|\[ro\.(?:(?:boot\.)?hardware|product\.(?:board|model)|board\.platform)\]|\[nemud\.|\[init\.svc\.(?:ldinit|noxd|microvirtd)\]|\[microvirt\./,
  ),
  deviceName: {
    from: ['name.settings', 'identity.properties'],
    lines:
      /^name=|^model=|settings:|market|mkt_name|petname|tran\.device\.name\.default|\[ro\.(?:product\.(?:(?:\w{1,10}\.)?model|(?:en\.)?display|letv_name)|(?:display|lenovo)\.series|vendor\.product\.(?:display|ztename)|semc\.product\.name|vivo\.internet\.name|(?:qiku\.product|config)\.devicename)\]/,
  },
  isRooted: { from: ['root.id', 'root.version', 'root.su'] },
  installedBrowsers: { from: ['browsers.apps'] },
  orientation: {
    from: ['display.dump'],
    lines: /Display \d+:|DisplayInfo=|mRotation=|SurfaceOrientation/,
  },
  'resolution.width': size,
  'resolution.height': size,
  'resolution.projection': size,
  'resolution.logical': size,
  'networkReachability.status': { from: network.toReversed() },
  'networkReachability.code': { from: ['network.probe'] },
  'networkReachability.host': { from: ['network.probe'] },
  'networkReachability.ipAddress': { from: ['network.connectivity'] },
  'networkReachability.proxy': { from: ['network.proxy', 'network.connectivity'] },
  uptime: clock,
  bootTime: clock,
  'storage.total': storage,
  'storage.used': storage,
  'memory.total': { from: ['memory.meminfo'], lines: /^MemTotal:/ },
  'memory.used': { from: ['memory.meminfo'], lines: /^(?:Mem\w+|Buffers|Cached):/ },
  'battery.status': battery('status'),
  'battery.health': battery('health'),
  'battery.percentage': battery('level|scale'),
  'battery.temperature': battery('temperature'),
  'battery.voltage': battery('voltage'),
  'battery.technology': battery('technology'),
  'telephony.mobileDataState': { from: ['mobile.registry', 'mobile.isub'] },
  'telephony.carriersInfo[].slot': carriers,
  'telephony.carriersInfo[].imei': carriers,
  'telephony.carriersInfo[].meid': carriers,
  'telephony.carriersInfo[].iccid': carriers,
};
