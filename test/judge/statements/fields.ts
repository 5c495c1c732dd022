/** The fields of what the API answers and takes, at the sandbox, the client and the OpenAPI document. */
import { isDeepStrictEqual } from 'node:util';
import { type OperationId, operationOf } from '../../../src/cloud/contract/index.ts';
import { madeAnswers } from './made-answers.ts';
import {
  bodySchema,
  check,
  operationAt,
  responseSchema,
  type Statement,
  schemaAt,
  type Type,
  typeOf,
  typeOfSchema,
  valuesAt,
} from './statement.ts';
import { type Json, throughClient, type World } from './world.ts';

const documented = (world: World, id: string): Json => {
  const { method = '', api = 'v1', path = '' } = operationOf(id) ?? {};
  return operationAt(world.openApi, method, `/${api}${path}`);
};

const EXAMPLES: Record<string, object> = Object.fromEntries(
  Object.keys(madeAnswers).map((id) => [id, operationOf(id)?.example ?? {}]),
);

type Line = readonly [line: number, path: string, type: Type];

const APP: Line[] = [
  [27, 'id', 'integer'],
  [28, 'createdAt', 'string'],
  [29, 'name', 'string'],
  [30, 'privateAccess', 'boolean'],
  [31, 'os', 'string'],
  [32, 'createdBy', 'string'],
  [33, 'state', 'string'],
  [34, 'versions', '[object]'],
  [35, 'iconUrl', 'string'],
];
const VERSION: Line[] = [
  [44, 'id', 'integer'],
  [46, 'createdAt', 'string'],
  [47, 'name', 'string'],
  [48, 'version', 'string'],
  [49, 'createdBy', 'string'],
  [50, 'state', 'string'],
  [51, 'nativeProperties', 'object'],
  [53, 'nativeProperties.application', 'object'],
  [53, 'nativeProperties.application.icon', 'string'],
  [53, 'nativeProperties.application.label', 'string'],
  [53, 'nativeProperties.application.versionName', 'string'],
  [53, 'nativeProperties.application.iconLocalPath', 'string'],
  [53, 'nativeProperties.application.iconUrl', 'string'],
];
const DEVICE: Line[] = [
  [87, 'id', 'integer'],
  [88, 'isBooked', 'boolean'],
  [89, 'isOnline', 'boolean'],
  [90, 'modelName', 'string'],
  [91, 'deviceName', 'string'],
  [92, 'resolution', 'object'],
  [92, 'resolution.width', 'integer'],
  [92, 'resolution.height', 'integer'],
  [93, 'platformName', 'string'],
  [94, 'platformVersion', 'string'],
  [95, 'installedBrowsers', '[object]'],
  [95, 'installedBrowsers[].name', 'string'],
  [95, 'installedBrowsers[].version', 'string'],
  [96, 'deviceImageUrl', 'string'],
  [97, 'isFavorite', 'boolean'],
  [98, 'isCloud', 'boolean'],
  [99, 'isMyOrg', 'boolean'],
  [100, 'isMyOwn', 'boolean'],
];
const CREATED: Line[] = [
  [222, 'message', 'string'],
  [222, 'data', 'object'],
  [79, 'data.id', 'integer'],
  [79, 'data.name', 'string'],
  [79, 'data.exploringSessionId', 'integer'],
  [79, 'data.createdAt', 'string'],
  [79, 'data.updatedAt', 'string'],
  [79, 'data.createdBy', 'object'],
  [79, 'data.createdBy.id', 'integer'],
  [79, 'data.createdBy.username', 'string'],
  [79, 'data.actions', '[object]'],
  [79, 'data.actions[].commandId', 'integer'],
  [79, 'data.actions[].actionProperties', 'object'],
  [79, 'data.actions[].actionProperties.text', 'string'],
];
const ACTION: Line[] = [
  [81, 'id', 'integer'],
  [81, 'dataSetId', 'integer'],
  [81, 'commandId', 'integer'],
  [81, 'actionType', 'string'],
  [81, 'actionProperties', 'object'],
  [81, 'actionProperties.text', 'string'],
  [81, 'createdAt', 'string'],
  [81, 'updatedAt', 'string'],
];
const below = (place: string, lines: readonly Line[]): Line[] =>
  lines.map(([line, path, type]) => [line, `${place}${place === '' ? '' : '.'}${path}`, type]);
const UPDATED: Line[] = [
  [224, 'message', 'string'],
  [224, 'data', 'object'],
  [224, 'data.successfulActions', '[object]'],
  [224, 'data.failedActions', '[object]'],
  ...below('data.successfulActions[]', ACTION),
  ...below('data.failedActions[]', ACTION),
];

/** By operation: all that its answer has. */
const ANSWERS: Record<string, Line[]> = {
  'apps.list': [...below('[]', APP), ...below('[].versions[]', VERSION)],
  'apps.get': [
    ...APP.filter(([, path]) => ['id', 'name', 'state', 'versions'].includes(path)),
    [38, 'versions[].id', 'integer'],
    [38, 'versions[].state', 'string'],
    [38, 'versions[].version', 'string'],
    [36, 'assignedTeams', '[object]'],
    [36, 'assignedTeams[].id', 'integer'],
    [36, 'assignedTeams[].teamId', 'integer'],
    [36, 'assignedTeams[].appId', 'integer'],
  ],
  'versions.get': [
    [170, 'id', 'integer'],
    [170, 'appId', 'integer'],
    [170, 'name', 'string'],
    [170, 'state', 'string'],
    [170, 'version', 'string'],
  ],
  'apps.uploadUrl': [
    [61, 'appPath', 'string'],
    [62, 'url', 'string'],
  ],
  'apps.create': [[175, 'versionId', 'integer']],
  'apps.delete': [
    [176, 'deleted', 'integer'],
    [176, 'failed', 'integer'],
    [176, 'result', '[object]'],
    [176, 'result[].message', 'string'],
    [176, 'result[].appIds', '[integer]'],
  ],
  'dataSets.list': [
    [70, '[].id', 'integer'],
    [71, '[].name', 'string'],
    [72, '[].exploringSessionId', 'integer'],
    [73, '[].isAssignedDevice', 'boolean'],
    [74, '[].assignedDevice', 'object'],
    [74, '[].assignedDevice.deviceName', 'string'],
    [74, '[].assignedDevice.platformName', 'string'],
    [74, '[].assignedDevice.platformVersion', 'string'],
    [75, '[].createdAt', 'string'],
    [76, '[].totalActionCount', 'integer'],
    [77, '[].editedActionCount', 'integer'],
  ],
  'dataSets.createByCommand': CREATED,
  'dataSets.createByElement': CREATED.map(([line, path, type]) => [line === 222 ? 223 : line, path, type]),
  'dataSets.updateByCommand': UPDATED,
  'dataSets.updateByElement': UPDATED.map(([line, path, type]) => [line === 224 ? 225 : line, path, type]),
  'devices.list': [
    [238, 'privateDevices', '[object]'],
    [238, 'favoriteDevices', '[object]'],
    [238, 'cloudDevices', '[object]'],
    ...below('privateDevices[]', DEVICE),
    [103, 'privateDevices[].udid', 'string'],
    ...below('favoriteDevices[]', DEVICE),
    ...below('cloudDevices[]', DEVICE),
  ],
  'devices.get': [...DEVICE, [101, 'udid', 'string']],
  'devices.status': [
    [105, 'isBooked', 'boolean'],
    [105, 'isOnline', 'boolean'],
  ],
  'devices.report': [
    [239, 'failedDevices', '[object]'],
    [239, 'failedDevices[].udid', 'string'],
    [239, 'failedDevices[].message', 'string'],
  ],
  'gestures.list': [
    [132, '[].id', 'integer'],
    [132, '[].name', 'string'],
    [132, '[].command', 'string'],
  ],
  'groups.list': [
    [136, '[].id', 'integer'],
    [136, '[].organizationId', 'integer'],
    [136, '[].name', 'string'],
    [136, '[].description', 'string'],
  ],
  'v2.terminateReservations': [[283, 'failed', '[object]']],
  'v2.getApp': [
    [284, 'versions', '[object]'],
    [284, 'latest_version', 'object'],
  ],
};

const answerStatements = Object.entries(ANSWERS).flatMap(([id, lines]) =>
  lines.flatMap(([line, path, type]): Statement[] => {
    const says = `${id} answers ${path}, ${type}`;
    const isFailed = id === 'v2.terminateReservations'; // its entries are texts or objects
    const fits = (seen: string) => seen === type || (isFailed && seen === '[string]');
    return [
      {
        ...{ line, says, surface: 'sandbox' },
        look({ samples }) {
          const seen = valuesAt(samples[id], path).map(typeOf);
          return check(seen.length > 0 && seen.every(fits), `${seen.length} × ${[...new Set(seen)]}`);
        },
      },
      {
        ...{ line, says, surface: 'client' },
        async look() {
          const { received } = await throughClient(id as OperationId, EXAMPLES[id] ?? {});
          const seen = valuesAt(received, path);
          const isSame = isDeepStrictEqual(seen, valuesAt(madeAnswers[id], path));
          return check(isSame && seen.length > 0, JSON.stringify(seen));
        },
      },
      {
        ...{ line, says, surface: 'OpenAPI' },
        look(world) {
          const schema = schemaAt(world.openApi, responseSchema(documented(world, id)), path);
          const seen = typeOfSchema(world.openApi, schema);
          return check(seen === type || (isFailed && seen === '[any]'), seen);
        },
      },
    ];
  }),
);

/** A value of a type, and one of none. */
const VALUES: Record<Type, [right: unknown, wrong: unknown]> = {
  integer: [7, 'seven'],
  string: ['text', 7],
  boolean: [true, 'yes'],
  object: [{}, 7],
  '[object]': [[], 7],
  '[integer]': [[7], ['x']],
};

const fieldsOf = (line: number, type: Type, names: string): Line[] =>
  names.split(' ').map((name) => [line, name, type]);

const DEVICE_INFO: Line[] = [
  ...fieldsOf(
    111,
    'string',
    'platformVersion serialNumber status message state platformName modelName cpuArchitecture brandName deviceName',
  ),
  ...fieldsOf(112, 'boolean', 'addedToCloud isHidden isEmulator isAndroid isIos isRooted'),
  [113, 'adbTunnelInfo', 'object'],
  [114, 'installedBrowsers', '[object]'],
  [114, 'installedBrowsers[].name', 'string'],
  [115, 'support', 'object'],
  ...fieldsOf(
    115,
    'boolean',
    'support.appiumDisabled support.networkTrafficCapturingDisabled support.unlockPasscodeDisabled support.setTimeZoneDisabled support.networkPayloadCaptureDisabled',
  ),
  [116, 'orientation', 'integer'],
  [117, 'resolution', 'object'],
  ...fieldsOf(117, 'integer', 'resolution.width resolution.height resolution.projection'),
  [117, 'resolution.logical', 'object'],
  ...fieldsOf(117, 'integer', 'resolution.logical.width resolution.logical.height'),
  [118, 'networkReachability', 'object'],
  [118, 'networkReachability.code', 'integer'],
  ...fieldsOf(
    118,
    'string',
    'networkReachability.host networkReachability.status networkReachability.ipAddress',
  ),
  [118, 'networkReachability.proxy', 'boolean'],
  ...fieldsOf(119, 'integer', 'uptime bootTime'),
  ...fieldsOf(120, 'object', 'storage memory'),
  ...fieldsOf(120, 'integer', 'storage.total storage.used memory.total memory.used'),
  [121, 'battery', 'object'],
  ...fieldsOf(121, 'string', 'battery.status battery.health battery.technology battery.percentage'),
  ...fieldsOf(121, 'integer', 'battery.temperature battery.voltage'),
  [122, 'telephony', 'object'],
  [122, 'telephony.mobileDataState', 'string'],
  [122, 'telephony.carriersInfo', '[object]'],
  ...fieldsOf(
    122,
    'string',
    'telephony.carriersInfo[].imei telephony.carriersInfo[].meid telephony.carriersInfo[].iccid',
  ),
  [122, 'telephony.carriersInfo[].slot', 'integer'],
];

const MACHINE: Line[] = [
  ...fieldsOf(128, 'string', 'hostname arch platform type version buildNumber'),
  ...fieldsOf(128, 'integer', 'freemem totalmem uptime'),
  [128, 'network', 'object'],
  ...fieldsOf(128, 'string', 'network.address network.netmask network.family network.mac network.cidr'),
  [128, 'network.internal', 'boolean'],
];

/** An object with this value at a place: `{"battery": {"voltage": 7}}`. */
function objectWith(path: string, value: unknown): Json {
  const [first = '', ...rest] = path.split('.');
  const name = first.replace('[]', '');
  const inner = rest.length === 0 ? value : objectWith(rest.join('.'), value);
  return { [name]: first.endsWith('[]') ? [inner] : inner };
}

const report = (part: { machine?: Json; device?: Json }) => ({
  nodeId: 'judge',
  machine: part.machine ?? {},
  devices: [{ udid: 'FIELD', status: 'PLUGGED', platformName: 'ANDROID', ...part.device }],
});

const reportStatements = [
  ...DEVICE_INFO.map((line) => ({ of: 'device', place: 'devices[].', line }) as const),
  ...MACHINE.map((line) => ({ of: 'machine', place: 'machine.', line }) as const),
].flatMap(({ of, place, line: [line, path, type] }): Statement[] => {
  const says = `PUT /devices takes ${of}.${path}, ${type}`;
  const [right, wrong] = VALUES[type];
  const body = (value: unknown) => report({ [of]: objectWith(path, value) });
  return [
    {
      ...{ line, says, surface: 'sandbox' },
      async look(world) {
        const { status, body: answer } = await world.call('PUT', '/v1/devices', { body: body(right) });
        return check(
          status === 200 && answer.failedDevices.length === 0,
          `${status} ${JSON.stringify(answer)}`,
        );
      },
    },
    {
      ...{ line, says: `${says}, and nothing else`, surface: 'sandbox' },
      async look(world) {
        const { status, body: answer } = await world.call('PUT', '/v1/devices', { body: body(wrong) });
        const isStored = status === 200 && answer.failedDevices.length === 0;
        return check(!isStored && status < 500, `${status} ${JSON.stringify(answer)}`);
      },
    },
    {
      ...{ line, says, surface: 'client' },
      async look() {
        const { sent } = await throughClient('devices.report', body(right));
        return check(isDeepStrictEqual(sent, body(right)), JSON.stringify(sent));
      },
    },
    {
      ...{ line, says, surface: 'OpenAPI' },
      look(world) {
        const schema = schemaAt(world.openApi, bodySchema(documented(world, 'devices.report')), place + path);
        const seen = typeOfSchema(world.openApi, schema);
        return check(seen === type, seen);
      },
    },
  ];
});

export const fields: readonly Statement[] = [...answerStatements, ...reportStatements];
