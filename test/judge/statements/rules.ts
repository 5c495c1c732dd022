/** The document's rules: what its tables of fields and endpoints do not say. */
import { request as httpRequest } from 'node:http';
import { check, operationAt, type Statement, type Surface } from './statement.ts';
import { type Answer, type Json, throughClient, type World } from './world.ts';

type Look = (world: World) => Promise<string> | string;

const rule = (line: number, surface: Surface, says: string, look: Look): Statement => ({
  line,
  says,
  surface,
  look,
});
const sandbox = (line: number, says: string, look: Look) => rule(line, 'sandbox', says, look);

const seenOf = ({ status, text }: Answer): string => `${status} ${text.slice(0, 200)}`;
const expectStatus = (answer: Answer, status: number): string =>
  check(answer.status === status, seenOf(answer));

const tag = (world: World, name: string, user = 'admin', version = 1, method = 'POST') =>
  world.call(method, `/v1/app/versions/${version}/tag/${encodeURIComponent(name)}`, { user });

/** The method as the document writes it, which `fetch` does not send. */
function del({ info }: World, path: string, user = 'admin'): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const options = { method: 'DEL', auth: `${user}:${user}-key` };
  httpRequest(new URL(path, info.baseUrl), options, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  })
    .on('error', reject)
    .end();
  return promise;
}

const listed = async (world: World, query = '', user = 'admin'): Promise<Json> =>
  (await world.call('GET', `/v1/devices${query}`, { user })).body;
const namesIn = ({ privateDevices, cloudDevices }: Json): string[] =>
  [...privateDevices, ...cloudDevices].map(({ deviceName }: Json) => deviceName);

/** What a filter lists, by the names of devices. */
const filter = (line: number, query: string, expected: readonly string[]) =>
  sandbox(line, `GET /devices?${query} lists those`, async (world) => {
    await world.fresh();
    const seen = namesIn(await listed(world, `?${query}`)).join(', ');
    return check(seen === expected.join(', '), seen);
  });

const sees = async (world: World, user: string): Promise<boolean> =>
  (await world.call('GET', '/v1/apps/1', { user })).status === 200;

const member = async (world: World, body: object, user = 'admin') =>
  world.call('POST', '/v1/organizations/member', { user, body });

const report = async (world: World, devices: unknown[]) => {
  await world.fresh();
  return world.call('PUT', '/v1/devices', { body: { nodeId: 'judge', machine: {}, devices } });
};
const good = { udid: 'GOOD', status: 'PLUGGED', platformName: 'ANDROID', platformVersion: '14' };

const organization = [
  ['POST', '/v1/organizations/member', { email: 'new@lab.example', password: 'p' }],
  ['PUT', '/v1/organizations/deactivate/member', { email: 'member@lab.example' }],
  ['PUT', '/v1/organizations/activate/member', { email: 'member@lab.example' }],
  ['PUT', '/v1/organizations/members/role', { email: 'member@lab.example', role: 'ADMIN' }],
] as const;

const TAG = '/v1/app/versions/{versionId}/tag/{name}';

export const rules: readonly Statement[] = [
  // base address, bodies, timestamps
  sandbox(8, 'every path is relative to the base address', async (world) =>
    check((await world.call('GET', '/apps')).status === 404, 'no path without /v1'),
  ),
  sandbox(16, 'answers are JSON', async ({ info }) => {
    const authorization = `Basic ${btoa('admin:admin-key')}`;
    const { headers } = await fetch(`${info.baseUrl}/apps`, { headers: { authorization } });
    return check(headers.get('content-type') === 'application/json', String(headers.get('content-type')));
  }),
  ...(['apps.list', 'dataSets.list'] as const).map((id) =>
    sandbox(21, `${id}: timestamps are ISO 8601`, ({ samples }) => {
      const seen = samples[id][0].createdAt;
      return check(new Date(seen).toISOString() === seen, seen);
    }),
  ),
  // apps
  sandbox(30, 'privateAccess is true when only the creator can access the app', async (world) => {
    await world.fresh();
    await world.call('PUT', '/v1/apps/1/private');
    const { body } = await world.call('GET', '/v1/apps');
    return check(body[0].privateAccess === true, String(body[0].privateAccess));
  }),
  sandbox(31, 'ANDROID appears as the platform of an app', ({ samples }) =>
    check(samples['apps.list'][0].os === 'ANDROID', samples['apps.list'][0].os),
  ),
  sandbox(32, 'createdBy is the username of the creator', ({ samples }) =>
    check(samples['apps.list'][0].createdBy === 'admin', samples['apps.list'][0].createdBy),
  ),
  sandbox(33, 'OK appears as the state of an app', ({ samples }) =>
    check(samples['apps.list'][0].state === 'OK', samples['apps.list'][0].state),
  ),
  sandbox(38, 'versions of the single-app read carry only id, state and version', ({ samples }) => {
    const seen = Object.keys(samples['apps.get'].versions[0]).toSorted().join();
    return check(seen === 'id,state,version', seen);
  }),
  sandbox(36, 'assignedTeams is not in the list of apps', ({ samples }) =>
    check(!('assignedTeams' in samples['apps.list'][0]), Object.keys(samples['apps.list'][0]).join()),
  ),
  sandbox(50, 'OK appears as the state of a version', ({ samples }) =>
    check(samples['versions.get'].state === 'OK', samples['versions.get'].state),
  ),
  rule(53, 'client', 'package may be null', async () => {
    const { received } = await throughClient('apps.list', {});
    return check(received[0].versions[0].nativeProperties.package === null, 'null');
  }),
  rule(53, 'client', 'an application without package does not cost the list', async () => {
    const answer = [{ id: 1, versions: [{ id: 7, nativeProperties: { application: {} } }] }, { id: 2 }];
    const { received } = await throughClient('apps.list', {}, answer);
    return check(received.length === 2, `${received.length} apps`);
  }),
  rule(95, 'client', 'a browser without a name does not cost the list', async () => {
    const privateDevices = [{ id: 1, installedBrowsers: [{}] }, { id: 2 }];
    const answer = { privateDevices, favoriteDevices: [], cloudDevices: [] };
    const { received } = await throughClient('devices.list', {}, answer);
    return check(received.privateDevices.length === 2, `${received.privateDevices.length} devices`);
  }),
  rule(27, 'client', 'an entry of another shape is passed on, and does not cost the others', async () => {
    const { received } = await throughClient('apps.list', {}, [{ id: 'one', name: 7 }, { id: 2 }]);
    return check(JSON.stringify(received) === '[{"id":"one","name":7},{"id":2}]', JSON.stringify(received));
  }),
  rule(27, 'client', 'an id above 2^53 is an integer, too, and is not rounded', async () => {
    const { received } = await throughClient('apps.list', {}, '[{"id":9007199254740993}]');
    return check(received[0].id === '9007199254740993', String(received[0].id));
  }),
  // devices
  ...(['favoriteDevices', 'cloudDevices'] as const).map((name) =>
    sandbox(103, `udid is absent from ${name}`, ({ samples }) =>
      check(
        samples['devices.list'][name].every((each: Json) => !('udid' in each)),
        'absent',
      ),
    ),
  ),
  sandbox(103, 'udid is present in the single-device read', ({ samples }) =>
    check(samples['devices.get'].udid === '9B281FFAZ00AB1', samples['devices.get'].udid),
  ),
  sandbox(93, 'ANDROID appears as the platform of a device', ({ samples }) =>
    check(samples['devices.get'].platformName === 'ANDROID', samples['devices.get'].platformName),
  ),
  sandbox(96, 'deviceImageUrl may be empty', ({ samples }) =>
    check(samples['devices.get'].deviceImageUrl === '', "''"),
  ),
  sandbox(100, 'isMyOwn is true of a device that the caller reported', async (world) => {
    await report(world, [good]);
    const { body } = await world.call('GET', '/v1/devices/GOOD');
    return check(body.isMyOwn === true, String(body.isMyOwn));
  }),
  sandbox(124, 'the status UNPLUGGED is taken', async (world) => {
    const answer = await report(world, [{ ...good, status: 'UNPLUGGED' }]);
    return check(answer.body.failedDevices.length === 0, seenOf(answer));
  }),
  sandbox(124, 'the state device is taken', async (world) => {
    const answer = await report(world, [{ ...good, state: 'device' }]);
    return check(answer.body.failedDevices.length === 0, seenOf(answer));
  }),
  ...[
    ['platformName', { platformName: 'IOS', isIos: true, isAndroid: false }],
    ['status', { status: 'OFFLINE' }],
    ['adbTunnelInfo', { adbTunnelInfo: { host: 'rack-2', ports: [5037] } }],
    ['orientation', { orientation: 1 }],
    ['networkReachability', { networkReachability: { status: 'online' } }],
    ['battery', { battery: { percentage: '87%' } }],
    ['support', { support: { appiumDisabled: true } }],
    ['storage', { storage: { used: 7 } }],
    ['memory', { memory: {} }],
  ].map(([name, value]) =>
    sandbox(111, `any value of the documented type: ${name} ${JSON.stringify(value)}`, async (world) => {
      const answer = await report(world, [{ ...good, ...(value as object) }]);
      return check(answer.status === 200 && answer.body.failedDevices.length === 0, seenOf(answer));
    }),
  ),
  sandbox(261, 'PUT /devices stores the reported devices', async (world) => {
    await report(world, [good]);
    return expectStatus(await world.call('GET', '/v1/devices/GOOD'), 200);
  }),
  ...[
    { udid: 'BAD' },
    { udid: 'BAD', platformName: 'ANDROID' },
    { ...good, udid: 'BAD', uptime: 'long' },
    { ...good, udid: 'BAD', support: 'none' },
  ].map((bad) =>
    sandbox(
      261,
      `a device that cannot be stored is in failedDevices: ${JSON.stringify(bad)}`,
      async (world) => {
        const answer = await report(world, [bad, good]);
        const [failed] = answer.body.failedDevices ?? [];
        const isNamed = failed?.udid === 'BAD' && typeof failed.message === 'string' && failed.message !== '';
        const stored = (await world.call('GET', '/v1/devices/GOOD')).status;
        return check(answer.status === 200 && isNamed && stored === 200, seenOf(answer));
      },
    ),
  ),
  sandbox(310, 'PUT /devices with a device that cannot be stored answers 200', async (world) =>
    expectStatus(await report(world, [{ udid: 'BAD' }]), 200),
  ),
  ...[
    { status: undefined },
    { addedToCloud: undefined },
    { support: undefined },
    { support: { appiumDisabled: false } },
    { networkReachability: {} },
    { storage: {} },
    { memory: { total: 7 } },
  ].map((part) =>
    sandbox(
      261,
      `an incomplete device does not cost the others: ${Object.keys(part)} ${JSON.stringify(part)}`,
      async (world) => {
        const answer = await report(world, [{ ...good, udid: 'PART', ...part }, good]);
        const stored = (await world.call('GET', '/v1/devices/GOOD')).status;
        return check(answer.status === 200 && stored === 200, seenOf(answer));
      },
    ),
  ),
  sandbox(239, 'the body of PUT /devices is optional', async (world) => {
    const answer = await world.call('PUT', '/v1/devices');
    return check(answer.status === 200 && answer.body.failedDevices.length === 0, seenOf(answer));
  }),
  rule(239, 'OpenAPI', 'the body of PUT /devices is optional', ({ openApi }) => {
    const { required } = operationAt(openApi, 'PUT', '/v1/devices').requestBody;
    return check(required === false, String(required));
  }),
  // access
  sandbox(152, 'private: accessible only by its creator', async (world) => {
    await world.fresh();
    await world.call('PUT', '/v1/apps/1/private');
    const seen = [await sees(world, 'admin'), await sees(world, 'member')].join();
    return check(seen === 'true,false', seen);
  }),
  sandbox(153, 'public: accessible to everyone in the organization', async (world) => {
    await world.fresh();
    await world.call('PUT', '/v1/apps/1/private');
    await world.call('PUT', '/v1/apps/1/public');
    const seen = [await sees(world, 'member'), await sees(world, 'other')].join();
    return check(seen === 'true,false', seen);
  }),
  sandbox(154, 'team: accessible only to members of the listed teams', async (world) => {
    await world.fresh();
    await world.call('POST', '/v1/apps/1/team/assign', { body: { teamIds: [1] } });
    const seen = [await sees(world, 'member'), await sees(world, 'admin')].join();
    return check(seen === 'true,false', seen);
  }),
  // lists and bodies that are optional
  ...([undefined, {}, { appIds: [] }] as const).map((body) =>
    sandbox(176, `DELETE /apps with ${JSON.stringify(body)}: appIds is optional`, async (world) => {
      await world.fresh();
      const answer = await world.call('DELETE', '/v1/apps', { body });
      return check(answer.status === 200 && answer.body.deleted === 0, seenOf(answer));
    }),
  ),
  ...([undefined, {}, { teamIds: [] }] as const).map((body) =>
    sandbox(182, `team/assign with ${JSON.stringify(body)}: teamIds is optional`, async (world) => {
      await world.fresh();
      return expectStatus(await world.call('POST', '/v1/apps/1/team/assign', { body }), 200);
    }),
  ),
  ...([undefined, {}] as const).map((body) =>
    sandbox(207, `activate with ${JSON.stringify(body)}: email is optional`, async (world) =>
      expectStatus(await world.call('PUT', '/v1/organizations/activate/member', { body }), 200),
    ),
  ),
  ...[
    ['DELETE', '/v1/apps', 176],
    ['POST', '/v1/apps/{appId}/team/assign', 182],
    ['PUT', '/v1/organizations/activate/member', 207],
  ].map(([method, path, line]) =>
    rule(Number(line), 'OpenAPI', `${method} ${path}: the body is optional`, ({ openApi }) => {
      const { required } = operationAt(openApi, String(method), String(path)).requestBody;
      return check(required === false, String(required));
    }),
  ),
  // tags
  sandbox(186, 'DEL removes a tag', async (world) => {
    await world.fresh();
    const status = await del(world, '/v1/app/versions/1/tag/stable');
    const again = await tag(world, 'stable');
    return check(status === 200 && again.status === 200, `${status}, then ${again.status}`);
  }),
  rule(186, 'OpenAPI', 'the method is DEL', ({ openApi }) =>
    check(operationAt(openApi, 'DEL', TAG) !== undefined, 'additionalOperations.DEL'),
  ),
  rule(186, 'command', 'the method is DEL', async (world) => {
    await world.fresh();
    const { code } = await world.command(['versions', 'untag', '1', 'stable']);
    const { body } = await world.control('GET', 'requests');
    return check(code === 0 && body.at(-1).method === 'DEL', body.at(-1).method);
  }),
  sandbox(158, 'POST adds the tag to that version', async (world) => {
    await world.fresh();
    return expectStatus(await tag(world, 'nightly'), 200);
  }),
  ...(
    [
      ['a b', 187],
      ['späß', 187],
      ['a/b', 187],
      ['a?', 306],
      ['x'.repeat(33), 319],
      ['a b c', 320],
      ['#1', 320],
    ] as const
  ).flatMap(([name, line]) => [
    sandbox(line, `POST of the tag ${JSON.stringify(name)} answers 400`, async (world) =>
      expectStatus(await tag(world, name), 400),
    ),
    sandbox(line, `DEL of the tag ${JSON.stringify(name)} answers 400`, async (world) => {
      const status = await del(world, `/v1/app/versions/1/tag/${encodeURIComponent(name)}`);
      return check(status === 400, String(status));
    }),
  ]),
  sandbox(319, 'a tag of 32 characters is taken', async (world) => {
    await world.fresh();
    return expectStatus(await tag(world, 'x'.repeat(32)), 200);
  }),
  sandbox(321, 'a tag that the organization has answers 400', async (world) => {
    await world.fresh();
    const { versionId } = await world.upload('b.apk', 1);
    return expectStatus(await tag(world, 'stable', 'admin', versionId), 400);
  }),
  sandbox(187, 'another organization may have the same tag', async (world) => {
    await world.fresh();
    const { versionId } = await world.upload('o.apk', undefined, 'other');
    return expectStatus(await tag(world, 'stable', 'other', versionId), 200);
  }),
  sandbox(307, 'POST of a tag answers 403 when the caller lacks permission', async (world) => {
    await world.fresh();
    await world.call('PUT', '/v1/apps/1/private');
    return expectStatus(await tag(world, 'mine', 'member'), 403);
  }),
  sandbox(308, 'DEL of a tag answers 403 when the caller lacks permission', async (world) => {
    await world.fresh();
    await world.call('PUT', '/v1/apps/1/private');
    const status = await del(world, '/v1/app/versions/1/tag/stable', 'member');
    return check(status === 403, String(status));
  }),
  sandbox(309, 'tag operations can answer 500', async (world) => {
    await world.control('POST', 'faults', {
      fault: { kind: 'status', status: 500 },
      operation: 'versions.assignTag',
    });
    return expectStatus(await tag(world, 'later'), 500);
  }),
  ...[400, 403, 500].flatMap((status) =>
    ['POST', 'DEL'].map((method) =>
      rule(
        303 + [400, 403, 500].indexOf(status),
        'OpenAPI',
        `${method} of a tag documents ${status}`,
        ({ openApi }) =>
          check(operationAt(openApi, method, TAG).responses[status] !== undefined, String(status)),
      ),
    ),
  ),
  // upload
  sandbox(188, 'POST /apps creates a new app', async (world) => {
    await world.fresh();
    await world.upload('b.apk');
    const { body } = await world.call('GET', '/v1/apps');
    return check(body.length === 2, `${body.length} apps`);
  }),
  sandbox(188, 'POST /apps creates a new version of an existing app', async (world) => {
    await world.fresh();
    await world.upload('b.apk', 1);
    const { body } = await world.call('GET', '/v1/apps');
    return check(body.length === 1 && body[0].versions.length === 2, `${body[0].versions.length} versions`);
  }),
  sandbox(189, 'filename defaults to the name in appPath', async (world) => {
    await world.fresh();
    const { body } = await world.call('GET', '/v1/apps');
    return check(body[0].versions[0].name === 'a.apk', body[0].versions[0].name);
  }),
  sandbox(175, 'filename names the version', async (world) => {
    const { appPath } = await world.fresh();
    const { body } = await world.call('POST', '/v1/apps', { body: { appPath, filename: 'own.apk' } });
    const version = await world.call('GET', `/v1/app/versions/${body.versionId}`);
    return check(version.body.name === 'own.apk', version.body.name);
  }),
  sandbox(190, 'appId is null when uploadUrl had none', async (world) => {
    const { appPath } = await world.fresh();
    const { body } = await world.call('POST', '/v1/apps', { body: { appPath } });
    return check(body.appId === null, String(body.appId));
  }),
  sandbox(190, 'appId is the one that uploadUrl had', async (world) => {
    await world.fresh();
    const { answer } = await world.upload('b.apk', 1);
    return check(answer.body.appId === 1, String(answer.body.appId));
  }),
  rule(190, 'OpenAPI', 'appId is an integer or null', ({ openApi }) => {
    const { responses } = operationAt(openApi, 'POST', '/v1/apps');
    const { appId } = responses['200'].content['application/json'].schema.properties;
    const seen = JSON.stringify(appId.anyOf ?? appId.type);
    return check(seen.includes('integer') && seen.includes('null'), seen);
  }),
  sandbox(192, 'DELETE /apps groups ids by outcome, one entry per message', async (world) => {
    await world.fresh();
    const { body } = await world.call('DELETE', '/v1/apps', { body: { appIds: [1, 4711, 4712] } });
    const seen = JSON.stringify(body.result.map(({ appIds }: Json) => appIds));
    return check(seen === '[[1],[4711,4712]]', JSON.stringify(body));
  }),
  sandbox(192, 'an id that does not exist is in an entry whose message says not found', async (world) => {
    const { body } = await world.call('DELETE', '/v1/apps', { body: { appIds: [4711] } });
    return check(/not found/.test(body.result[0].message), body.result[0].message);
  }),
  sandbox(192, 'deleted counts the deleted apps, failed the others', async (world) => {
    await world.fresh();
    const { body } = await world.call('DELETE', '/v1/apps', { body: { appIds: [1, 4711, 4712] } });
    return check(body.deleted === 1 && body.failed === 2, `${body.deleted}, ${body.failed}`);
  }),
  sandbox(311, 'DELETE /apps with an id that is not found answers 200', async (world) =>
    expectStatus(await world.call('DELETE', '/v1/apps', { body: { appIds: [4711] } }), 200),
  ),
  sandbox(193, 'POST /apps answers before the app is parsed', async (world) => {
    const { appPath } = await world.fresh();
    const { body } = await world.call('POST', '/v1/apps', { body: { appPath } });
    const version = await world.call('GET', `/v1/app/versions/${body.versionId}`);
    return check(version.body.state === 'PARSING', version.body.state);
  }),
  sandbox(197, 'uploadUrl returns appPath and url', ({ samples }) =>
    check(
      Object.keys(samples['apps.uploadUrl']).join() === 'appPath,url',
      Object.keys(samples['apps.uploadUrl']).join(),
    ),
  ),
  sandbox(198, 'the url is not below the base address', ({ samples, info }) => {
    const { origin } = new URL(samples['apps.uploadUrl'].url);
    return check(origin !== new URL(info.baseUrl).origin, origin);
  }),
  sandbox(198, 'PUT to the url answers 200', ({ samples }) =>
    check(samples.stored === 200, String(samples.stored)),
  ),
  sandbox(198, 'PUT without the tagging header is refused', async (world) => {
    const { body } = await world.call('POST', '/v1/apps/uploadUrl', { body: { filename: 'a.apk' } });
    const status = await world.store(body.url, {});
    return check(status === 403, String(status));
  }),
  sandbox(62, 'a signature of 64 other characters is refused', async (world) => {
    const { body } = await world.call('POST', '/v1/apps/uploadUrl', { body: { filename: 'a.apk' } });
    const url = new URL(body.url);
    url.searchParams.set('X-Amz-Signature', 'ü'.repeat(64));
    const status = await world.store(url.href);
    return check(status === 403, String(status));
  }),
  rule(197, 'command', 'apps upload does the three steps', async (world) => {
    await world.fresh();
    const apk = new URL('../../fixtures/apk/hello.apk', import.meta.url).pathname;
    const { code, stdout } = await world.command(['apps', 'upload', apk, '-o', 'json']);
    return check(code === 0 && Number.isInteger(JSON.parse(stdout).versionId), stdout);
  }),
  rule(287, 'command', 'the pre-signed URL is not shown', async (world) => {
    const { stdout, stderr } = await world.command(['apps', 'upload-url', 'a.apk', '-o', 'json']);
    return check(!/Signature/.test(stdout + stderr), stdout);
  }),
  // organization
  ...organization.map(([method, path, body], index) =>
    sandbox(293, `${method} ${path} requires the organization admin role`, async (world) => {
      await world.control('POST', 'reset');
      const { status } = await world.call(method, path, { user: 'member', body });
      return check(status === 403, `line ${205 + index}: ${status}`);
    }),
  ),
  ...organization.map(([method, path, body], index) =>
    sandbox(205 + index, `${method} ${path} answers 200 to an admin`, async (world) => {
      await world.control('POST', 'reset');
      return expectStatus(await world.call(method, path, { body }), 200);
    }),
  ),
  ...[{}, { username: '' }].map((part) =>
    sandbox(212, `username defaults to the email: ${JSON.stringify(part)}`, async (world) => {
      await world.control('POST', 'reset');
      await member(world, { email: 'new@lab.example', password: 'p', ...part });
      const { users } = (await world.control('GET', 'info')).body;
      return check(users.at(-1).username === 'new@lab.example', users.at(-1).username);
    }),
  ),
  ...[{}, { firstName: '' }].map((part) =>
    sandbox(213, `firstName may be left out or empty: ${JSON.stringify(part)}`, async (world) => {
      await world.control('POST', 'reset');
      return expectStatus(await member(world, { email: 'new@lab.example', password: 'p', ...part }), 200);
    }),
  ),
  ...['username', 'firstName', 'lastName'].map((name) =>
    rule(name === 'username' ? 212 : 213, 'client', `${name} may be empty`, async () => {
      const input = { email: 'a@b.c', password: 'p', [name]: '' };
      const { sent } = await throughClient('organization.createMember', input);
      return check(sent[name] === '', JSON.stringify(sent));
    }),
  ),
  sandbox(205, 'enableSso is false by default, and may be true', async (world) => {
    await world.control('POST', 'reset');
    return expectStatus(await member(world, { email: 'n@l.example', password: 'p', enableSso: true }), 200);
  }),
  sandbox(206, 'a deactivated member is let in no more', async (world) => {
    await world.control('POST', 'reset');
    await world.call('PUT', '/v1/organizations/deactivate/member', { body: { email: 'member@lab.example' } });
    return expectStatus(await world.call('GET', '/v1/apps', { user: 'member' }), 401);
  }),
  sandbox(207, 'an activated member is let in again', async (world) => {
    const body = { email: 'member@lab.example' };
    await world.call('PUT', '/v1/organizations/deactivate/member', { body });
    await world.call('PUT', '/v1/organizations/activate/member', { body });
    return expectStatus(await world.call('GET', '/v1/apps', { user: 'member' }), 200);
  }),
  sandbox(215, 'the role ADMIN can be assigned', async (world) => {
    await world.control('POST', 'reset');
    const body = { email: 'member@lab.example', role: 'ADMIN' };
    await world.call('PUT', '/v1/organizations/members/role', { body });
    return expectStatus(await member(world, { email: 'n@l.example', password: 'p' }, 'member'), 200);
  }),
  rule(140, 'client', 'the set of roles is not shown: any is sent', async () => {
    const { sent } = await throughClient('organization.assignRole', { email: 'a@b.c', role: 'TESTER' });
    return check(sent.role === 'TESTER', sent.role);
  }),
  // data sets
  sandbox(230, 'value replaces the text of the action', ({ samples }) => {
    const { actions } = samples['dataSets.createByCommand'].data;
    const seen = actions.find(({ commandId }: Json) => commandId === 2).actionProperties.text;
    return check(seen === 'Pune', seen);
  }),
  sandbox(231, 'elementProperty selects an element', ({ samples }) => {
    const texts = samples['dataSets.createByElement'].data.actions.map(
      (each: Json) => each.actionProperties.text,
    );
    return check(texts.includes('Austin'), texts.join());
  }),
  sandbox(231, 'elementProperty may select several elements', async (world) => {
    await world.fresh();
    const dataSetActions = [{ elementProperty: { class: 'android.widget.EditText' }, value: 'x' }];
    const { body } = await world.call('PUT', '/v1/data-sets/1/actions/by-element', {
      body: { dataSetActions },
    });
    return check(body.data.successfulActions.length === 3, `${body.data.successfulActions.length} actions`);
  }),
  sandbox(81, 'TYPE_KEYBOARD appears as the type of an action', ({ samples }) => {
    const [{ actionType }] = samples['dataSets.updateByCommand'].data.successfulActions;
    return check(actionType === 'TYPE_KEYBOARD', actionType);
  }),
  sandbox(232, 'failed actions are listed with their unchanged values', ({ samples }) => {
    const [failed] = samples['dataSets.updateByCommand'].data.failedActions;
    return check(failed.actionProperties.text === 'WELCOME', failed.actionProperties.text);
  }),
  ...(
    [
      ['by-command', { commandId: 99 }],
      ['by-element', { elementProperty: { 'resource-id': 'none' } }],
    ] as const
  ).map(([name, named]) =>
    sandbox(232, `${name}: what names nothing has documented fields only`, async (world) => {
      await world.fresh();
      const dataSetActions = [{ ...named, value: 'x' }];
      const { body } = await world.call('PUT', `/v1/data-sets/1/actions/${name}`, {
        body: { dataSetActions },
      });
      const known = [
        'id',
        'dataSetId',
        'commandId',
        'actionType',
        'actionProperties',
        'createdAt',
        'updatedAt',
      ];
      const [failed] = body.data.failedActions;
      return check(
        Object.keys(failed).every((each) => known.includes(each)),
        JSON.stringify(failed),
      );
    }),
  ),
  sandbox(232, 'an action that is named twice is in one list, a failed one unchanged', async (world) => {
    await world.fresh();
    const dataSetActions = [
      { commandId: 4, value: 'SPRING' },
      { commandId: 4, value: 'longer than the field takes' },
    ];
    const { body } = await world.call('PUT', '/v1/data-sets/1/actions/by-command', {
      body: { dataSetActions },
    });
    const texts = body.data.failedActions.map((each: Json) => each.actionProperties.text);
    return check(
      texts.join() === 'WELCOME' && body.data.successfulActions.length === 0,
      JSON.stringify(body.data),
    );
  }),
  sandbox(77, 'editedActionCount counts edited actions', ({ samples }) => {
    const [first] = samples['dataSets.list'];
    return check(first.editedActionCount === 1 && first.totalActionCount === 3, JSON.stringify(first));
  }),
  // filters
  filter(250, 'udid=CLOUD00PIXEL8', ['Pixel 8']),
  filter(251, 'isBooked=true', ['Galaxy S23']),
  filter(251, 'isBooked=false', ['Pixel 7', 'Xiaomi 12', 'Pixel 8']),
  filter(252, 'isOnline=true', ['Pixel 7', 'Galaxy S23', 'Pixel 8']),
  filter(252, 'isOnline=false', ['Xiaomi 12']),
  filter(253, 'modelName=SM-S911B', ['Galaxy S23']),
  filter(254, 'deviceName=Pixel%207', ['Pixel 7']),
  filter(254, 'deviceName=Pixel', []),
  filter(254, 'deviceName=Pixel%207,Xiaomi%2012', ['Pixel 7', 'Xiaomi 12']),
  filter(255, 'platformName=ANDROID', ['Pixel 7', 'Galaxy S23', 'Xiaomi 12', 'Pixel 8']),
  filter(255, 'platformName=IOS', []),
  filter(256, 'platformVersion=14', ['Pixel 7']),
  filter(256, 'platformVersion=13,14', ['Pixel 7', 'Xiaomi 12']),
  filter(256, 'platformVersion=13&platformVersion=14', ['Pixel 7', 'Xiaomi 12']),
  filter(257, 'browserName=chrome', ['Pixel 7', 'Galaxy S23', 'Xiaomi 12', 'Pixel 8']),
  filter(257, 'browserName=netscape', []),
  filter(258, 'appiumDisabled=true', []),
  filter(258, 'appiumDisabled=false', ['Pixel 7', 'Galaxy S23', 'Xiaomi 12', 'Pixel 8']),
  filter(259, 'isPlugged=true', ['Pixel 7', 'Galaxy S23', 'Pixel 8']),
  filter(259, 'isPlugged=false', ['Xiaomi 12']),
  sandbox(249, 'groupId of one of the caller’s groups lists devices, another none', async (world) => {
    await world.fresh();
    const own = namesIn(await listed(world, '?groupId=1', 'member')).length;
    const other = namesIn(await listed(world, '?groupId=2', 'member')).length;
    return check(own === 4 && other === 0, `${own}, ${other}`);
  }),
  // favorites and ids
  sandbox(240, 'POST marks a favorite', async (world) => {
    await world.fresh();
    await world.call('POST', '/v1/devices/1/favorite');
    const { favoriteDevices } = await listed(world);
    return check(
      favoriteDevices[0]?.id === 1 && favoriteDevices[0].isFavorite,
      JSON.stringify(favoriteDevices),
    );
  }),
  sandbox(241, 'DELETE unmarks it', async (world) => {
    await world.call('POST', '/v1/devices/1/favorite');
    await world.call('DELETE', '/v1/devices/1/favorite');
    const { favoriteDevices } = await listed(world);
    return check(favoriteDevices.length === 0, `${favoriteDevices.length}`);
  }),
  sandbox(240, 'a deviceId is no udid, also where the udid is the id of another', async (world) => {
    await report(world, [{ ...good, udid: '2' }]);
    await world.call('POST', '/v1/devices/2/favorite');
    const { favoriteDevices } = await listed(world);
    const byUdid = await world.call('POST', '/v1/devices/9B281FFAZ00AB1/favorite');
    return check(favoriteDevices[0].deviceName === 'Galaxy S23' && byUdid.status === 404, seenOf(byUdid));
  }),
  sandbox(242, 'status says booked and online', async (world) => {
    await world.fresh();
    const { body } = await world.call('GET', '/v1/devices/2/status');
    return check(body.isBooked === true && body.isOnline === true, JSON.stringify(body));
  }),
  rule(
    241,
    'command',
    'devices unfavorite UDID sends the id, also of a device that is listed as a favorite',
    async (world) => {
      await world.fresh();
      await world.call('POST', '/v1/devices/2/favorite');
      const { code } = await world.command(['devices', 'unfavorite', 'R5CT40TB77X']);
      const { body } = await world.control('GET', 'requests');
      return check(code === 0 && body.at(-1).path === '/v1/devices/2/favorite', body.at(-1).path);
    },
  ),
  // gestures, groups
  sandbox(268, 'POST creates a gesture', async (world) => {
    await world.fresh();
    await world.call('POST', '/v1/gestures', { body: { name: 'swipe', command: 'down 1% 2%\n' } });
    const { body } = await world.call('GET', '/v1/gestures');
    return check(body.at(-1).command === 'down 1% 2%\n', JSON.stringify(body.at(-1)));
  }),
  sandbox(269, 'DELETE deletes a gesture', async (world) => {
    await world.fresh();
    await world.call('DELETE', '/v1/gestures/1');
    const { body } = await world.call('GET', '/v1/gestures');
    return check(body.length === 0, `${body.length}`);
  }),
  rule(267, 'client', 'a single gesture is a list of one', async () => {
    const { received } = await throughClient('gestures.list', {}, { id: 9, name: 'n', command: 'c' });
    return check(Array.isArray(received) && received.length === 1, JSON.stringify(received));
  }),
  sandbox(275, 'all groups that the user belongs to, and no others', async (world) => {
    await world.fresh();
    const { body } = await world.call('GET', '/v1/organizations/1/groups/own', { user: 'member' });
    return check(body.map(({ name }: Json) => name).join() === 'Payments', JSON.stringify(body));
  }),
  // v2
  sandbox(283, 'failed reports udids without an active reservation', ({ samples }) =>
    check(JSON.stringify(samples['v2.terminateReservations'].failed).includes('9B281FFAZ00AB1'), 'listed'),
  ),
  sandbox(283, 'only reservations that the caller may terminate are affected', async (world) => {
    await world.fresh();
    await world.call('DELETE', '/v2/reservations/terminate', {
      user: 'member',
      body: { reservation_ids: [1] },
    });
    const { body } = await world.call('GET', '/v1/devices/2/status');
    return check(body.isBooked === true, JSON.stringify(body));
  }),
  sandbox(283, 'a request with only reservation_ids ends them', async (world) => {
    await world.fresh();
    await world.call('DELETE', '/v2/reservations/terminate', { body: { reservation_ids: [1] } });
    const { body } = await world.call('GET', '/v1/devices/2/status');
    return check(body.isBooked === false, JSON.stringify(body));
  }),
  sandbox(283, 'another organization does not learn whether a udid is booked', async (world) => {
    await world.fresh();
    const device_udids = ['R5CT40TB77X', '9B281FFAZ00AB1'];
    const body = { reservation_ids: [4711], device_udids };
    const answer = await world.call('DELETE', '/v2/reservations/terminate', { user: 'other', body });
    return check(JSON.stringify(answer.body.failed) === JSON.stringify(device_udids), seenOf(answer));
  }),
  rule(283, 'OpenAPI', 'the body may also name udids', ({ openApi }) => {
    const { requestBody } = operationAt(openApi, 'DELETE', '/v2/reservations/terminate');
    const { additionalProperties } = requestBody.content['application/json'].schema;
    return check(additionalProperties !== false, JSON.stringify(additionalProperties));
  }),
  rule(283, 'command', 'ids of reservations that are numbers go as numbers', async (world) => {
    const { stdout } = await world.command(['reservations', 'terminate', '501', 'r-7', '--dry-run']);
    return check(stdout.includes('[501,"r-7"]'), stdout);
  }),
  ...['', '?includeAllAppVersions=true', '?includeAllAppVersions=false'].map((query) =>
    sandbox(284, `latest_version is the same with ${JSON.stringify(query)}`, async (world) => {
      await world.fresh();
      await world.upload('b.apk', 1);
      const { body } = await world.call('GET', `/v2/apps/1${query}`);
      return check(body.latest_version.id === 2, String(body.latest_version?.id));
    }),
  ),
  sandbox(284, 'latest_version ignores a version that is still parsed', async (world) => {
    const { appPath } = await world.fresh();
    await world.call('POST', '/v1/apps', { body: { appPath } });
    const { body } = await world.call('GET', '/v2/apps/1');
    return check(body.latest_version.id === 1, String(body.latest_version?.id));
  }),
  sandbox(284, 'latest_version is omitted for an app with no other versions', async (world) => {
    const { appPath } = await world.fresh();
    await world.call('POST', '/v1/apps', { body: { appPath } });
    const { body } = await world.call('GET', '/v2/apps/2');
    return check(!('latest_version' in body), Object.keys(body).join());
  }),
  ...(
    [
      [{ password: 'p' }, 200],
      [{ enable_sso: true }, 200],
      [{ password: 'p', enable_sso: true }, 400],
      [{}, 400],
    ] as const
  ).map(([login, status]) =>
    sandbox(285, `one of password and SSO: ${JSON.stringify(login)} answers ${status}`, async (world) => {
      await world.control('POST', 'reset');
      const body = { email: 'new@lab.example', username: 'new', ...login };
      return expectStatus(await world.call('POST', '/v2/organizations/members', { body }), status);
    }),
  ),
  sandbox(294, 'creating a user through v2 requires org_management.modify', async (world) => {
    const body = { email: 'new@lab.example', username: 'new', enable_sso: true };
    return expectStatus(await world.call('POST', '/v2/organizations/members', { user: 'member', body }), 403);
  }),
  rule(287, 'command', 'users create takes the options of the document', async (world) => {
    const { stdout } = await world.command(['users', 'create', '--help']);
    const names = ['--email', '--username', '--password', '--enable-sso', '--first-name', '--last-name'];
    return check(
      names.every((name) => stdout.includes(name)),
      names.filter((name) => !stdout.includes(name)).join(),
    );
  }),
  rule(287, 'command', 'password and SSO are mutually exclusive', async (world) => {
    const words = 'users create --email a@b.c --username a --password p --enable-sso'.split(' ');
    const { code } = await world.command(words);
    return check(code === 2, String(code));
  }),
  rule(287, 'command', 'the password can come from a variable of the environment', async (world) => {
    await world.control('POST', 'reset');
    const { code, stdout, stderr } = await world.command(
      'users create --email a@b.c --username a'.split(' '),
    );
    return check(code === 0 && !/correct horse/.test(stdout + stderr), stderr);
  }),
  // authentication
  sandbox(292, 'the user may be named by the email address', async (world) =>
    expectStatus(await world.call('GET', '/v1/apps', { user: 'admin@lab.example' }), 200),
  ),
  sandbox(292, 'a wrong API key is refused', async (world) => {
    const headers = { authorization: `Basic ${btoa('admin:wrong')}` };
    return expectStatus(await world.call('GET', '/v1/apps', { headers }), 401);
  }),
  rule(291, 'OpenAPI', 'the scheme is Basic', ({ openApi }) => {
    const { scheme } = openApi.components.securitySchemes.basic;
    return check(scheme === 'basic', scheme);
  }),
  // versions
  sandbox(327, 'v1 has the prefix /v1', ({ info }) => check(info.baseUrl.endsWith('/v1'), info.baseUrl)),
  sandbox(328, 'v2 has the prefix /v2', ({ info }) => check(info.v2BaseUrl.endsWith('/v2'), info.v2BaseUrl)),
  // errors for people
  ...(
    [
      ['{"error":"the tag is taken"}', 'the tag is taken'],
      ['{"message":"no such app","code":17}', 'no such app'],
    ] as const
  ).map(([body, sentence]) =>
    rule(313, 'command', `of ${body} the sentence is shown`, async (world) => {
      const fault = { kind: 'answer', status: 409, headers: { 'content-type': 'application/json' }, body };
      await world.control('POST', 'faults', { fault });
      const { stderr } = await world.command(['apps', 'list']);
      return check(stderr.includes(`("${sentence}")`) && !stderr.includes('{'), stderr);
    }),
  ),
  rule(313, 'command', 'of a 400 of the sandbox the sentence is shown', async (world) => {
    const { stderr } = await world.command([
      'data-sets',
      'create-by-command',
      '1',
      '--data-set-actions',
      '[{"commandId":99,"value":"x"}]',
    ]);
    return check(stderr.includes('("no command takes the text') && !stderr.includes('{'), stderr);
  }),
];
