/** A copy of the tables of the API's document, by its sections, row by row: what the contract is compared with. */

/** A value's type; with `?` it is optional. */
type Types = Readonly<Record<string, string>>;

export interface Row {
  readonly section: string;
  readonly method: string;
  readonly path: string;
  readonly params?: Types;
  readonly query?: Types;
  readonly body?: Types;
  /** The document says that the body itself is optional, or all that is in it. */
  readonly isBodyOptional?: true;
  /** `status`: no body is documented. */
  readonly answer: 'status' | readonly string[] | { readonly each: readonly string[] };
  readonly errors?: readonly number[];
  readonly isAdminOnly?: true;
}

const app = [
  ...['id', 'createdAt', 'name', 'privateAccess', 'os', 'createdBy', 'state', 'versions', 'iconUrl'],
  'assignedTeams',
];
const device = [
  ...[
    'id',
    'isBooked',
    'isOnline',
    'modelName',
    'deviceName',
    'resolution',
    'platformName',
    'platformVersion',
  ],
  ...['installedBrowsers', 'deviceImageUrl', 'isFavorite', 'isCloud', 'isMyOrg', 'isMyOwn', 'udid'],
];
const versionId = { versionId: 'integer' };
const appId = { appId: 'integer' };
const deviceId = { deviceId: 'string' };
const tag = {
  params: { versionId: 'integer', name: 'string' },
  answer: 'status',
  errors: [400, 403, 500],
} as const;
const actions = { dataSetActions: '[object]?' };

const of = (section: string, ...rows: Omit<Row, 'section'>[]): Row[] =>
  rows.map((row) => ({ section, ...row }));

export const document: readonly Row[] = [
  ...of(
    'Apps repository',
    {
      method: 'GET',
      path: '/app/versions/{versionId}',
      params: versionId,
      answer: ['id', 'appId', 'name', 'state', 'version'],
    },
    { method: 'DELETE', path: '/app/versions/{versionId}', params: versionId, answer: 'status' },
    { method: 'POST', path: '/app/versions/{versionId}/tag/{name}', ...tag },
    { method: 'DEL', path: '/app/versions/{versionId}/tag/{name}', ...tag },
    { method: 'GET', path: '/apps', answer: { each: app } },
    {
      method: 'POST',
      path: '/apps',
      body: { appPath: 'string', filename: 'string?' },
      answer: ['appId', 'versionId'],
    },
    {
      method: 'DELETE',
      path: '/apps',
      body: { appIds: '[integer]?' },
      isBodyOptional: true,
      answer: ['deleted', 'failed', 'result'],
    },
    {
      method: 'POST',
      path: '/apps/uploadUrl',
      body: { filename: 'string', appId: 'integer?' },
      answer: ['appPath', 'url'],
    },
    { method: 'DELETE', path: '/apps/{appId}', params: appId, answer: 'status' },
    { method: 'GET', path: '/apps/{appId}', params: appId, answer: app },
    { method: 'PUT', path: '/apps/{appId}/private', params: appId, answer: 'status' },
    { method: 'PUT', path: '/apps/{appId}/public', params: appId, answer: 'status' },
    {
      method: 'POST',
      path: '/apps/{appId}/team/assign',
      params: appId,
      body: { teamIds: '[integer]?' },
      isBodyOptional: true,
      answer: 'status',
    },
  ),
  ...of(
    'Organization',
    {
      method: 'POST',
      path: '/organizations/member',
      body: {
        email: 'string',
        password: 'string',
        enableSso: 'boolean?',
        username: 'string?',
        firstName: 'string?',
        lastName: 'string?',
      },
      answer: 'status',
      isAdminOnly: true,
    },
    {
      method: 'PUT',
      path: '/organizations/deactivate/member',
      body: { email: 'string' },
      answer: 'status',
      isAdminOnly: true,
    },
    {
      method: 'PUT',
      path: '/organizations/activate/member',
      body: { email: 'string?' },
      isBodyOptional: true,
      answer: 'status',
      isAdminOnly: true,
    },
    {
      method: 'PUT',
      path: '/organizations/members/role',
      body: { email: 'string', role: 'string' },
      answer: 'status',
      isAdminOnly: true,
    },
  ),
  ...of(
    'Data sets',
    {
      method: 'GET',
      path: '/data-sets',
      query: { exploringSessionId: 'integer' },
      answer: {
        each: [
          ...['id', 'name', 'exploringSessionId', 'isAssignedDevice', 'assignedDevice', 'createdAt'],
          ...['totalActionCount', 'editedActionCount'],
        ],
      },
    },
    {
      method: 'POST',
      path: '/data-sets/by-command',
      body: { exploringSessionId: 'integer', ...actions },
      answer: ['message', 'data'],
    },
    {
      method: 'POST',
      path: '/data-sets/by-element',
      body: { exploringSessionId: 'integer', ...actions },
      answer: ['message', 'data'],
    },
    {
      method: 'PUT',
      path: '/data-sets/{dataSetId}/actions/by-command',
      params: { dataSetId: 'integer' },
      body: { dataSetActions: '[object]' },
      answer: ['message', 'data'],
    },
    {
      method: 'PUT',
      path: '/data-sets/{dataSetId}/actions/by-element',
      params: { dataSetId: 'integer' },
      body: { dataSetActions: '[object]' },
      answer: ['message', 'data'],
    },
  ),
  ...of(
    'Devices',
    {
      method: 'GET',
      path: '/devices',
      query: {
        groupId: 'integer?',
        udid: 'string?',
        isBooked: 'boolean?',
        isOnline: 'boolean?',
        modelName: 'string?',
        deviceName: '[string]?',
        platformName: 'string?',
        platformVersion: '[string]?',
        browserName: 'string?',
        appiumDisabled: 'boolean?',
        isPlugged: 'boolean?',
      },
      answer: ['privateDevices', 'favoriteDevices', 'cloudDevices'],
    },
    {
      method: 'PUT',
      path: '/devices',
      body: { nodeId: 'string', machine: 'object', devices: '[object]?' },
      isBodyOptional: true,
      answer: ['failedDevices'],
    },
    { method: 'POST', path: '/devices/{deviceId}/favorite', params: deviceId, answer: 'status' },
    { method: 'DELETE', path: '/devices/{deviceId}/favorite', params: deviceId, answer: 'status' },
    {
      method: 'GET',
      path: '/devices/{deviceId}/status',
      params: deviceId,
      answer: ['isBooked', 'isOnline'],
    },
    { method: 'GET', path: '/devices/{deviceUDID}', params: { deviceUDID: 'string' }, answer: device },
  ),
  ...of(
    'Gestures',
    { method: 'GET', path: '/gestures', answer: { each: ['id', 'name', 'command'] } },
    { method: 'POST', path: '/gestures', body: { name: 'string', command: 'string' }, answer: 'status' },
    { method: 'DELETE', path: '/gestures/{id}', params: { id: 'string' }, answer: 'status' },
  ),
  ...of('Groups', {
    method: 'GET',
    path: '/organizations/{organizationId}/groups/own',
    params: { organizationId: 'integer' },
    answer: { each: ['id', 'organizationId', 'name', 'description'] },
  }),
  ...of(
    'v2 operations that are known in part',
    {
      method: 'DELETE',
      path: '/v2/reservations/terminate',
      body: { reservation_ids: '[integer or string]' },
      answer: ['failed'],
    },
    {
      method: 'GET',
      path: '/v2/apps/{appId}',
      params: appId,
      query: { includeAllAppVersions: 'boolean?' },
      answer: ['versions', 'latest_version'],
    },
    {
      method: 'POST',
      path: '/v2/organizations/members',
      body: {
        email: 'string',
        username: 'string',
        password: 'string?',
        enable_sso: 'boolean?',
        first_name: 'string?',
        last_name: 'string?',
      },
      answer: 'status',
    },
  ),
];

/** What the document makes optional and our client demands: nobody knows what a request without it means. */
export const demanded: Readonly<Record<string, readonly string[]>> = {
  'DELETE /apps': ['appIds'],
  'POST /apps/{appId}/team/assign': ['teamIds'],
  'PUT /organizations/activate/member': ['email'],
};
