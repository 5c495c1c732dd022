/** What calls each operation of the contract once. */
import { readFile } from 'node:fs/promises';
import { operations } from '../../src/cloud/contract/index.ts';
import type { DevicesBody } from '../../src/cloud/contract/report.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { clientOf } from './lab.ts';

const APK = new URL('../fixtures/apk/hello.apk', import.meta.url).pathname;

/**
 * An input for each operation that succeeds in a furnished sandbox; `apps.create` with the appPath that
 * `furnish` returns.
 */
export const inputs: Record<string, object> = {
  'apps.list': {},
  'apps.get': { appId: 1 },
  'apps.uploadUrl': { filename: 'shop.apk', appId: 1 },
  'apps.create': { appPath: 'uploads/1/shop.apk' },
  'apps.delete': { appIds: [1, 99] },
  'apps.deleteOne': { appId: 1 },
  'apps.makePrivate': { appId: 1 },
  'apps.makePublic': { appId: 1 },
  'apps.assignTeams': { appId: 1, teamIds: [1] },
  'versions.get': { versionId: 1 },
  'versions.delete': { versionId: 1 },
  'versions.assignTag': { versionId: 1, name: 'nightly' },
  'versions.unassignTag': { versionId: 1, name: 'stable' },
  'organization.createMember': { email: 'new@lab.example', password: 'correct horse' },
  'organization.deactivateMember': { email: 'member@lab.example' },
  'organization.activateMember': { email: 'member@lab.example' },
  'organization.assignRole': { email: 'member@lab.example', role: 'ADMIN' },
  'dataSets.list': { exploringSessionId: 1 },
  'dataSets.createByCommand': { exploringSessionId: 1, dataSetActions: [{ commandId: 2, value: 'Pune' }] },
  'dataSets.createByElement': {
    exploringSessionId: 1,
    dataSetActions: [{ elementProperty: { 'resource-id': 'city' }, value: 'Austin' }],
  },
  'dataSets.updateByCommand': { dataSetId: 1, dataSetActions: [{ commandId: 2, value: 'Berlin' }] },
  'dataSets.updateByElement': {
    dataSetId: 1,
    dataSetActions: [{ elementProperty: { class: 'android.widget.EditText' }, value: 'x' }],
  },
  'devices.list': { platformVersion: ['14', '15'] },
  'devices.report': operations.find(({ id }) => id === 'devices.report')?.example as DevicesBody,
  'devices.get': { deviceUDID: 'R5CT40TB77X' },
  'devices.status': { deviceId: '2' },
  'devices.addFavorite': { deviceId: '2' },
  'devices.removeFavorite': { deviceId: '2' },
  'gestures.list': {},
  'gestures.save': { name: 'swipe', command: 'down 50% 80%; move 50% 20%; up' },
  'gestures.delete': { id: '1' },
  'groups.list': { organizationId: 1 },
  'v2.terminateReservations': { reservation_ids: [1] },
  'v2.getApp': { appId: 1, includeAllAppVersions: true },
  'v2.createMember': { email: 'new@lab.example', username: 'new', enable_sso: true },
};

/**
 * One app with a tagged version, one data set, gesture and booking.
 *
 * @returns the appPath of an uploaded file that is not registered yet
 */
export async function furnish(sandbox: Sandbox): Promise<string> {
  const client = clientOf(sandbox);
  await client.uploadApp(APK);
  await client.versions.assignTag({ versionId: 1, name: 'stable' });
  await client.dataSets.createByCommand({ exploringSessionId: 1 });
  await client.gestures.save({ name: 'tap', command: 'down 50% 50%; up' });
  sandbox.book('R5CT40TB77X');
  const { appPath, url } = await client.apps.uploadUrl({ filename: 'again.apk' });
  const headers = { 'x-amz-tagging': 'unsaved=true', 'content-type': 'application/octet-stream' };
  await fetch(url, { method: 'PUT', headers, body: await readFile(APK) });
  return appPath;
}
