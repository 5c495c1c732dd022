/** An answer for each operation with every field that the API's document names, as a cloud could give it. */
const version = {
  id: 7,
  createdAt: '2026-01-02T03:04:05Z',
  name: 'shop.apk',
  version: '1.2',
  createdBy: 'asha',
  state: 'OK',
  nativeProperties: {
    package: null,
    application: {
      icon: 'res/icon.png',
      label: 'Shop',
      versionName: '1.2',
      iconLocalPath: '/tmp/icon.png',
      iconUrl: 'https://storage.example/icon',
    },
  },
};
const app = {
  id: 1,
  createdAt: '2026-01-02T03:04:05Z',
  name: 'Shop',
  privateAccess: false,
  os: 'ANDROID',
  createdBy: 'asha',
  state: 'OK',
  versions: [version],
  iconUrl: 'https://storage.example/icon',
};
const created = {
  message: 'created',
  data: {
    id: 8,
    name: 'Data set 1',
    exploringSessionId: 31,
    createdAt: '2026-01-02T03:04:05Z',
    updatedAt: '2026-01-02T03:04:05Z',
    createdBy: { id: 2, username: 'asha' },
    actions: [{ commandId: 5, actionProperties: { text: 'Pune' } }],
  },
};
const action = {
  id: 1,
  dataSetId: 8,
  commandId: 5,
  actionType: 'TYPE_KEYBOARD',
  actionProperties: { text: 'Pune' },
  createdAt: '2026-01-02T03:04:05Z',
  updatedAt: '2026-01-02T03:04:05Z',
};
const updated = { message: 'updated', data: { successfulActions: [action], failedActions: [action] } };
const device = {
  id: 204,
  isBooked: false,
  isOnline: true,
  modelName: 'Pixel 7',
  deviceName: 'Lab 1',
  resolution: { width: 1080, height: 2400 },
  platformName: 'ANDROID',
  platformVersion: '14',
  installedBrowsers: [{ name: 'chrome', version: '131.0' }],
  deviceImageUrl: '',
  isFavorite: true,
  isCloud: false,
  isMyOrg: true,
  isMyOwn: false,
};

export const madeAnswers: Record<string, unknown> = {
  'apps.list': [app],
  'apps.get': {
    ...app,
    versions: [{ id: 7, state: 'OK', version: '1.2' }],
    assignedTeams: [{ id: 1, teamId: 3, appId: 1 }],
  },
  'apps.uploadUrl': { appPath: 'uploads/1/shop.apk', url: 'https://storage.example/put?sig=1' },
  'apps.create': { appId: 1, versionId: 7 },
  'apps.delete': { deleted: 1, failed: 1, result: [{ message: 'not found', appIds: [13] }] },
  'versions.get': { id: 7, appId: 1, name: 'shop.apk', state: 'OK', version: '1.2' },
  'dataSets.list': [
    {
      id: 8,
      name: 'Data set 1',
      exploringSessionId: 31,
      isAssignedDevice: true,
      assignedDevice: { deviceName: 'Lab 1', platformName: 'ANDROID', platformVersion: '14' },
      createdAt: '2026-01-02T03:04:05Z',
      totalActionCount: 3,
      editedActionCount: 1,
    },
  ],
  'dataSets.createByCommand': created,
  'dataSets.createByElement': created,
  'dataSets.updateByCommand': updated,
  'dataSets.updateByElement': updated,
  'devices.list': {
    privateDevices: [{ ...device, udid: 'RE47644423' }],
    favoriteDevices: [device],
    cloudDevices: [{ ...device, isCloud: true }],
  },
  'devices.report': { failedDevices: [{ udid: 'A', message: 'no capability' }] },
  'devices.get': { ...device, udid: 'RE47644423' },
  'devices.status': { isBooked: true, isOnline: true },
  'gestures.list': [{ id: 9, name: 'swipe', command: 'down 50% 80%; up' }],
  'groups.list': [{ id: 3, organizationId: 2, name: 'Payments', description: 'Checkout' }],
  'v2.terminateReservations': { failed: ['RE47644423'] },
  'v2.getApp': { ...app, latest_version: version },
};
