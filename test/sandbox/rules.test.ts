/** Sequences of operations, as several users send them, against a plain model of the document's rules. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Services } from '../../src/sandbox/handler.ts';
import { type Seed, seedDatabase } from '../../src/sandbox/seed.ts';
import { answer, findOperation } from '../../src/sandbox/service.ts';
import { createState } from '../../src/sandbox/state.ts';
import { Model, type Outcome } from './model.ts';

const SEQUENCES = 10_000;
const WORTH_REACHING = [
  ...['uploadUrl 200', 'uploadUrl 404', 'create 200', 'create 404', 'create 409', 'list apps 200'],
  ...['latest version 200', 'latest version 404', 'access 200', 'access 404', 'teams 200', 'teams 404'],
  ...['delete apps 200', 'delete app 200', 'delete version 200', 'list apps 401'],
  ...['tag 200', 'tag 400', 'tag 403', 'tag 404', 'untag 200', 'untag 400', 'untag 403', 'untag 404'],
  ...['role 200', 'role 403', 'role 404', 'activate 200', 'activate 403'],
  ...['create data set 200', 'create data set 400', 'update data set 200', 'update data set 404'],
];

const input = { actionType: 'TYPE_KEYBOARD', element: {} };
const seed: Seed = {
  organizations: [
    {
      name: 'one',
      users: [
        { username: 'ann', apiKey: 'k', role: 'ADMIN' },
        { username: 'bob', apiKey: 'k' },
        { username: 'cyd', apiKey: 'k' },
      ],
      teams: [
        { name: 'first', members: ['bob'] },
        { name: 'second', members: ['cyd', 'ann'] },
      ],
      sessions: [
        {
          name: 'recorded',
          commands: [
            { ...input, text: 'city' },
            { ...input, text: 'code', maxLength: 5 },
            { actionType: 'CLICK' },
          ],
        },
      ],
    },
    {
      name: 'two',
      users: [{ username: 'dan', apiKey: 'k', role: 'ADMIN' }],
      teams: [{ name: 'third', members: ['dan'] }],
    },
  ],
};

/** The sandbox without its sockets. */
class Real {
  readonly state = createState();
  readonly appPaths: string[] = [];
  #nowMs = Date.parse('2026-01-01T00:00:00Z');
  readonly #services: Services = {
    now: () => this.#nowMs,
    parseForMs: 1000,
    gestures: 'array',
    refusalOf: () => undefined,
    signedUrl: (appPath) => `http://storage/${appPath}`,
    iconUrl: (id) => `http://storage/icons/${id}`,
    parse: (id) => {
      const version = this.state.versions.get(id);
      if (version !== undefined) this.state.versions.put({ ...version, parsed: { package: 'a.b' } });
    },
  };

  constructor() {
    seedDatabase(this.state, seed);
  }

  waitForParsing(): void {
    this.#nowMs += 1000;
  }

  receive(index: number): void {
    const upload = this.state.uploads.find(({ appPath }) => appPath === this.appPaths[index]);
    if (upload !== undefined) this.state.uploads.put({ ...upload, isReceived: true });
  }

  call(user: string, method: string, path: string, body?: object): { status: number; body: unknown } {
    const { pathname, search } = new URL(path, 'http://sandbox');
    const authorization = `Basic ${Buffer.from(`${user}:k`).toString('base64')}`;
    const text = body === undefined ? '' : JSON.stringify(body);
    const request = {
      method,
      pathname,
      found: findOperation(method, `${pathname}${search}`),
      authorization,
      contentType: 'application/json',
      text,
      json: body,
    };
    const { status, body: answered } = answer(request, this.state, this.#services);
    return { status, body: answered };
  }
}

/** Steps with their statuses. */
const reached = new Set<string>();

/** Says what the model expects, and what the sandbox did. */
type Act = (model: Model, real: Real) => readonly [expected: Outcome, seen: Outcome];

class Step implements fc.Command<Model, Real> {
  readonly #name: string;
  readonly #act: Act;

  constructor(name: string, act: Act) {
    this.#name = name;
    this.#act = act;
  }

  check = (): boolean => true;

  run(model: Model, real: Real): void {
    const [expected, seen] = this.#act(model, real);
    const status = typeof seen === 'number' ? seen : seen.status;
    reached.add(`${this.#name.replace(/ [[].*/, '')} ${status}`);
    expect(seen, this.#name).toEqual(expected);
  }

  toString = (): string => this.#name;
}

const user = fc.constantFrom('ann', 'bob', 'cyd', 'dan');
const id = fc.integer({ min: 1, max: 3 });
const tag = fc.oneof(
  { weight: 6, arbitrary: fc.constant('nightly') },
  fc.constantFrom('a b', 'x'.repeat(32), 'x'.repeat(33), 'q?', 'ü'),
);
const wishes = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom('', 'Pune', 'Bengaluru')), {
  maxLength: 3,
});

/** A step of these values, which the name shows. */
const step = <T extends unknown[]>(
  name: string,
  values: { [K in keyof T]: fc.Arbitrary<T[K]> },
  act: (...values: T) => Act,
): fc.Arbitrary<Step> =>
  fc.tuple<T>(...values).map((some) => new Step(`${name} ${JSON.stringify(some)}`, act(...some)));

/** What the answer says in the terms of the model; its status alone if it failed. */
const outcomeOf = (
  { status, body }: { status: number; body: unknown },
  // biome-ignore lint/suspicious/noExplicitAny: of the shape that the operation has
  view?: (body: any) => object,
): Outcome => (status === 200 && view !== undefined ? { status, ...view(body) } : status);

/** The seed gives no addresses: the sandbox makes some. */
const emailOf = (name: string): string => `${name}@sandbox.example`;
const actionsOf = (wanted: readonly (readonly [number, string])[]) => ({
  dataSetActions: wanted.map(([commandId, value]) => ({ commandId, value })),
});
// biome-ignore lint/suspicious/noExplicitAny: a data set action
const textOf = (action: any) => [action.commandId, action.actionProperties?.text];

/** Weighs more than others: an app needs three of these in order. */
const uploads = [
  step<[string, string, number | null]>(
    'uploadUrl',
    [user, fc.constantFrom('a.apk', 'b.apk'), fc.option(fc.integer({ min: 1, max: 2 }), { freq: 2 })],
    (name, filename, app) => (model, real) => {
      const expected = model.as(name, (each) => model.uploadUrl(each, filename, app));
      const body = { filename, ...(app !== null && { appId: app }) };
      const seen = outcomeOf(real.call(name, 'POST', '/v1/apps/uploadUrl', body), ({ appPath }) => {
        real.appPaths.push(appPath);
        return {};
      });
      return [expected === 200 ? { status: 200 } : expected, seen];
    },
  ),
  step<[number]>('receive', [fc.nat(2)], (index) => (model, real) => {
    const upload = model.uploads[index];
    if (upload !== undefined) upload.isReceived = true;
    real.receive(index);
    return [200, 200];
  }),
  step<[string, number, string | undefined]>(
    'create',
    [user, fc.nat(2), fc.constantFrom(undefined, 'c.apk')],
    (name, index, filename) => (model, real) => [
      model.as(name, (each) => model.create(each, index, filename)),
      outcomeOf(
        real.call(name, 'POST', '/v1/apps', {
          appPath: real.appPaths[index] ?? 'uploads/none/x.apk',
          ...(filename !== undefined && { filename }),
        }),
        (body) => body,
      ),
    ],
  ),
];

const others = [
  step<[]>('wait for parsing', [], () => (model, real) => {
    for (const version of model.versions.values()) version.isParsed = true;
    real.waitForParsing();
    return [200, 200];
  }),
  step<[string]>('list apps', [user], (name) => (model, real) => [
    model.as(name, (each) => model.listApps(each)),
    outcomeOf(
      real.call(name, 'GET', '/v1/apps'),
      (apps: { id: number; privateAccess: boolean; versions: { id: number; name: string }[] }[]) => ({
        apps: apps.map((app) => ({
          ...{ id: app.id, privateAccess: app.privateAccess },
          versions: app.versions.map((version) => ({ id: version.id, name: version.name })),
        })),
      }),
    ),
  ]),
  step<[string, number]>('latest version', [user, id], (name, app) => (model, real) => [
    model.as(name, (each) => model.latest(each, app)),
    outcomeOf(real.call(name, 'GET', `/v2/apps/${app}?includeAllAppVersions=${app % 2 === 0}`), (body) => ({
      latest: body.latest_version?.id,
    })),
  ]),
  step<[string, number, 'private' | 'public']>(
    'access',
    [user, id, fc.constantFrom('private', 'public')],
    (name, app, access) => (model, real) => [
      model.as(name, (each) => model.setAccess(each, app, access)),
      outcomeOf(real.call(name, 'PUT', `/v1/apps/${app}/${access}`)),
    ],
  ),
  step<[string, number, number[]]>(
    'teams',
    [user, id, fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 2 })],
    (name, app, teamIds) => (model, real) => [
      model.as(name, (each) => model.setAccess(each, app, teamIds)),
      outcomeOf(real.call(name, 'POST', `/v1/apps/${app}/team/assign`, { teamIds })),
    ],
  ),
  step<[string, number[]]>(
    'delete apps',
    [user, fc.array(id, { minLength: 1, maxLength: 3 })],
    (name, appIds) => (model, real) => {
      const seen = outcomeOf(
        real.call(name, 'DELETE', '/v1/apps', { appIds }),
        ({
          deleted,
          failed,
          result,
        }: {
          deleted: number;
          failed: number;
          result: { message: string; appIds: number[] }[];
        }) => {
          const idsOf = (pattern: RegExp) =>
            result.filter(({ message }) => pattern.test(message)).flatMap((entry) => entry.appIds);
          const groups = { deleted: idsOf(/was deleted/), failed: idsOf(/not found/) };
          expect([deleted, failed]).toEqual([groups.deleted.length, groups.failed.length]);
          expect(new Set(result.map(({ message }) => message)).size).toBe(result.length);
          return groups;
        },
      );
      return [model.as(name, (each) => model.deleteApps(each, appIds)), seen];
    },
  ),
  step<[string, number]>('delete app', [user, id], (name, app) => (model, real) => [
    model.as(name, (each) => model.deleteApp(each, app)),
    outcomeOf(real.call(name, 'DELETE', `/v1/apps/${app}`)),
  ]),
  step<[string, number]>('delete version', [user, id], (name, version) => (model, real) => [
    model.as(name, (each) => model.deleteVersion(each, version)),
    outcomeOf(real.call(name, 'DELETE', `/v1/app/versions/${version}`)),
  ]),
  step<[string, number, string]>('tag', [user, id, tag], (name, version, text) => (model, real) => [
    model.as(name, (each) => model.tag(each, version, text)),
    outcomeOf(real.call(name, 'POST', `/v1/app/versions/${version}/tag/${encodeURIComponent(text)}`)),
  ]),
  step<[string, number, string, string]>(
    'untag',
    [user, id, tag, fc.constantFrom('DEL', 'DELETE')],
    (name, version, text, method) => (model, real) => [
      model.as(name, (each) => model.untag(each, version, text)),
      outcomeOf(real.call(name, method, `/v1/app/versions/${version}/tag/${encodeURIComponent(text)}`)),
    ],
  ),
  step<[string, string, string]>(
    'role',
    [user, user, fc.constantFrom('ADMIN', 'MEMBER')],
    (name, member, role) => (model, real) => [
      model.as(name, (each) =>
        model.changeMember(each, member, (changed) => {
          changed.isAdmin = role === 'ADMIN';
        }),
      ),
      outcomeOf(real.call(name, 'PUT', '/v1/organizations/members/role', { email: emailOf(member), role })),
    ],
  ),
  step<[string, string, boolean]>(
    'activate',
    [user, user, fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false))],
    (name, member, isActive) => (model, real) => [
      model.as(name, (each) =>
        model.changeMember(each, member, (changed) => {
          changed.isActive = isActive;
        }),
      ),
      outcomeOf(
        real.call(name, 'PUT', `/v1/organizations/${isActive ? '' : 'de'}activate/member`, {
          email: emailOf(member),
        }),
      ),
    ],
  ),
  step<[string, [number, string][]]>('create data set', [user, wishes], (name, wanted) => (model, real) => [
    model.as(name, (each) => model.createDataSet(each, wanted)),
    outcomeOf(
      real.call(name, 'POST', '/v1/data-sets/by-command', { exploringSessionId: 1, ...actionsOf(wanted) }),
      ({ data }) => ({ id: data.id, texts: data.actions.map(textOf) }),
    ),
  ]),
  step<[string, number, [number, string][]]>(
    'update data set',
    [user, id, wishes.filter(({ length }) => length > 0)],
    (name, dataSet, wanted) => (model, real) => [
      model.as(name, (each) => model.updateDataSet(each, dataSet, wanted)),
      outcomeOf(
        real.call(name, 'PUT', `/v1/data-sets/${dataSet}/actions/by-command`, actionsOf(wanted)),
        ({ data }) => ({
          done: data.successfulActions.map(textOf).toSorted(),
          failed: data.failedActions.map(textOf).toSorted(),
        }),
      ),
    ],
  ),
];

it(`keeps the rules in ${SEQUENCES} sequences of operations`, () => {
  fc.assert(
    fc.property(
      fc.commands([...uploads, ...uploads, ...uploads, ...others], { maxCommands: 50, size: 'max' }),
      (commands) => {
        fc.modelRun(() => ({ model: new Model(), real: new Real() }), commands);
      },
    ),
    { numRuns: SEQUENCES },
  );
  // nothing was compared in vain
  expect([...reached]).toEqual(expect.arrayContaining(WORTH_REACHING));
}, 300_000);
