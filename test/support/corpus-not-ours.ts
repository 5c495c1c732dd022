/** Samples of the corpus that hold nothing which hostnode reads, by the reason. */
export const notOurs: Readonly<Record<string, readonly string[]>> = {
  'manners of the adb command, whose server is asked itself: a header, TABs, and states that a lint of its output rejects':
    [
      'adb_devices/agi-invalidstatus.txt',
      'adb_devices/scrcpy-0.txt',
      'adb_devices/scrcpy-corrupted.txt',
      'adb_devices/scrcpy-cr.txt',
      'adb_devices/scrcpy-daemon-start.txt',
      'adb_devices/scrcpy-without-eol.txt',
      'adb_devices/scrcpy-without-header.txt',
      'adb_devices/uber-adb-double-tab.txt',
      'adb_devices/udev-missing-rules-huawei-watch.txt',
    ],
  'addresses and routes of all interfaces: the default network’s address comes from dumpsys connectivity': [
    'connectivity/awesome-adb-ifconfig-toolbox.txt',
    'connectivity/awesome-adb-ifconfig-toybox.txt',
    'connectivity/rk3588-12-ip-rule.txt',
    'connectivity/scrcpy-ip-route-multiline_first_ok.txt',
    'connectivity/scrcpy-ip-route-no_wlan.txt',
    'connectivity/scrcpy-ip-route-no_wlan_without_eol.txt',
    'connectivity/scrcpy-ip-route-single_line.txt',
    'connectivity/scrcpy-ip-route-single_line_with_trailing_space.txt',
    'connectivity/scrcpy-ip-route-single_line_without_eol.txt',
    'connectivity/scrcpy-ip-route-truncated.txt',
    'connectivity/smartron-t5911-8.1-ip-4-addr.txt',
    'connectivity/smartron-t5911-8.1-ip-6-addr.txt',
    'connectivity/smartron-t5911-8.1-ip-link.txt',
    'connectivity/smartron-t5911-8.1-ip-route-main.txt',
    'connectivity/smartron-t5911-8.1-ip-rule.txt',
  ],
  'the processor is told by a property, its cores are not reported': [
    'cpuinfo/asus-tf201-3.2.1.txt',
    'cpuinfo/awesome-adb-apq.txt',
  ],
  'versions and lists of packages: only which browsers there are is reported': [
    'packages/appversion-grep-two-lines.txt',
    'packages/gwm-haval-9-packages.txt',
    'packages/madb-gms-packages-section.txt',
    'packages/uber-dumpsys-package-emu-android19.txt',
  ],
  'the density of the screen is not reported': [
    'wm/appium-density-unknown.txt',
    'wm/awesome-adb-wm-density-override.txt',
    'wm/awesome-adb-wm-density.txt',
  ],
};
