/** Apps: upload, list, delete, and who may use them. */
import * as z from 'zod';
import { operation } from './operation.ts';
import { entriesOf, id, maybe, someIds, text, textOrEmpty } from './values.ts';

const appId = id("The app's id.", 12);

/** What the cloud read from an uploaded file. */
const NativeProperties = z.looseObject({
  package: z
    .unknown()
    .optional()
    .meta({ description: 'May be null. The type of another value is not shown.' }),
  application: maybe(
    z.looseObject({
      icon: maybe(z.string()).meta({ description: 'Path inside the package.' }),
      label: maybe(z.string()),
      versionName: maybe(z.string()),
      iconLocalPath: maybe(z.string()),
      iconUrl: maybe(z.string()),
    }),
  ),
});

/** A version in the list of apps. In the single-app read it has only id, state and version. */
export const AppVersion = z
  .looseObject({
    id: z.int(),
    createdAt: maybe(z.string()).meta({ description: 'ISO 8601.' }),
    name: maybe(z.string()),
    version: maybe(z.string()).meta({ description: 'The label of the version.' }),
    createdBy: maybe(z.string()).meta({ description: "The creator's user name." }),
    state: maybe(z.string()).meta({ description: 'OK is the only value known.' }),
    nativeProperties: maybe(NativeProperties),
  })
  .meta({ id: 'AppVersion' });
export type AppVersion = z.infer<typeof AppVersion>;

export const App = z
  .looseObject({
    id: z.int(),
    createdAt: maybe(z.string()).meta({ description: 'ISO 8601.' }),
    name: maybe(z.string()),
    privateAccess: maybe(z.boolean()).meta({ description: 'Only the creator can access the app.' }),
    os: maybe(z.string()).meta({ description: 'The platform; ANDROID is the only value known.' }),
    createdBy: maybe(z.string()).meta({ description: "The creator's user name." }),
    state: maybe(z.string()).meta({ description: 'OK is the only value known.' }),
    versions: maybe(entriesOf(AppVersion)),
    iconUrl: maybe(z.string()),
    assignedTeams: maybe(
      entriesOf(z.looseObject({ id: maybe(z.int()), teamId: maybe(z.int()), appId: maybe(z.int()) })),
    ).meta({ description: 'In the single-app read only.' }),
  })
  .meta({ id: 'App' });
export type App = z.infer<typeof App>;

const WHO_MAY = 'Which users may change or delete an app is not shown.';

export const apps = {
  list: operation('apps.list', 'GET /apps', {
    summary: 'List the apps',
    unknown: ['No pagination is known: the answer is the whole list.'],
    answer: entriesOf(App),
  }),

  get: operation('apps.get', 'GET /apps/{appId}', {
    summary: 'Show an app, its versions and the teams that may use it',
    params: z.strictObject({ appId }),
    answer: App,
  }),

  uploadUrl: operation('apps.uploadUrl', 'POST /apps/uploadUrl', {
    summary: 'Get an address to which the file of an app can be uploaded',
    rules: [
      'The first of the three steps of an upload; `uploadApp` does all three.',
      'The URL lets whoever has it upload the file: do not print or log it.',
    ],
    unknown: ['How long the URL is valid, and how large a file may be, is not shown.'],
    body: z.strictObject({
      filename: text('The name of the file.', 'shop.apk'),
      appId: z.exactOptional(id('The app that gets a new version; leave it out for a new app.', 12)),
    }),
    answer: z.looseObject({
      appPath: z
        .string()
        .min(1)
        .meta({ description: "The file's key in the object storage, for apps.create." }),
      url: z.string().meta({ description: 'The pre-signed URL.', secret: true }),
    }),
    isAnswerSecret: true,
  }),

  create: operation('apps.create', 'POST /apps', {
    summary: 'Register an uploaded file as a new app, or as a new version of an app',
    rules: [
      'The last of the three steps of an upload; `uploadApp` does all three.',
      'The answer comes once the file is received; the cloud parses it afterwards.',
      'appId is null unless apps.uploadUrl was given an appId.',
    ],
    unknown: ['The states of a version while it is parsed, or if it cannot be parsed, are not shown.'],
    body: z.strictObject({
      appPath: text('The key that apps.uploadUrl answered.', 'uploads/4711/shop.apk'),
      filename: textOrEmpty('The name of the file; by default the one in appPath.', 'shop.apk'),
    }),
    answer: z.looseObject({ appId: z.int().nullish(), versionId: z.int() }),
  }),

  delete: operation('apps.delete', 'DELETE /apps', {
    summary: 'Delete several apps',
    rules: ['The answer groups the ids by outcome, with one message for each; an id may be not found.'],
    unknown: [
      'Whether a request without appIds deletes all apps is not shown: hostnode refuses to send one.',
      WHO_MAY,
    ],
    body: z.strictObject({ appIds: someIds('app', 'The ids of the apps.', [12, 13]) }),
    isBodyOptional: true,
    answer: z.looseObject({
      deleted: z.int().meta({ description: 'How many were deleted.' }),
      failed: z.int().meta({ description: 'How many were not.' }),
      result: maybe(
        entriesOf(z.looseObject({ message: maybe(z.string()), appIds: maybe(entriesOf(z.int())) })),
      ),
    }),
  }),

  deleteOne: operation('apps.deleteOne', 'DELETE /apps/{appId}', {
    summary: 'Delete one app',
    unknown: [WHO_MAY],
    params: z.strictObject({ appId }),
  }),

  makePrivate: operation('apps.makePrivate', 'PUT /apps/{appId}/private', {
    summary: 'Make an app accessible to its creator only',
    unknown: [WHO_MAY],
    params: z.strictObject({ appId }),
  }),

  makePublic: operation('apps.makePublic', 'PUT /apps/{appId}/public', {
    summary: 'Make an app accessible to everyone in the organization',
    unknown: [WHO_MAY],
    params: z.strictObject({ appId }),
  }),

  assignTeams: operation('apps.assignTeams', 'POST /apps/{appId}/team/assign', {
    summary: 'Make an app accessible to the members of some teams only',
    rules: ['Members of other teams cannot access the app.'],
    unknown: [
      'Whether no teamIds means all teams or none is not shown: hostnode refuses to send that.',
      WHO_MAY,
    ],
    params: z.strictObject({ appId }),
    body: z.strictObject({ teamIds: someIds('team', 'The ids of the teams.', [3, 4]) }),
    isBodyOptional: true,
    command: ['teams', 'assign'],
  }),
} as const;
