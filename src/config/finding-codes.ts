/** What hostnode can find out about a host: here, as the configuration can switch each of them off. */

/** Codes are stable: labs alert on them. docs/findings.md explains each. */
export const findingCodes = [
  // who is to blame for lost phones
  'PHONE_UNSTABLE',
  'PORT_UNSTABLE',
  'HUB_LOST',
  'HUB_UNSTABLE',
  'LINK_UNSTABLE',
  'NETWORK_LOST',
  'NETWORK_UNSTABLE',
  'ADB_RESTARTING',
  'HOST_LOST_PHONES',
  'POWER_CUT',
  // how a phone behaves
  'FLAPPING',
  'UNEXPLAINED_REBOOT',
  'BOOT_LOOP',
  'OFFLINE_LONG',
  'UNAUTHORIZED_AFTER_UPDATE',
  // USB
  'USB_SLOW',
  'USB_POWER',
  'USB_FULL',
  'USB_ENDPOINTS',
  'NOT_IN_ADB',
  // battery and storage
  'BATTERY_HOT',
  'BATTERY_FULL_AND_HOT',
  'BATTERY_WORN',
  'STORAGE_FILLING',
  'ROOM_WARM',
  // readiness for tests
  'SCREEN_LOCKED',
  'SCREEN_OFF',
  'DEVELOPER_OPTIONS_OFF',
  'STAY_AWAKE_OFF',
  'DIALOG_IN_FRONT',
  // expected inventory
  'EXPECTED_MISSING',
  'UNEXPECTED_PHONE',
  'PHONE_MOVED',
  'PHONE_CLONED',
  'ATTACHED_TWICE',
] as const;

export type FindingCode = (typeof findingCodes)[number];
