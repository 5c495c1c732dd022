/** The operations of v2 that are known in part. Where a body's fields are not shown, the names are our reading. */
import * as z from 'zod';
import { AppVersion } from './apps.ts';
import { operation } from './operation.ts';
import { email, entriesOf, flag, id, maybe, secret, text, textOrEmpty } from './values.ts';

const hasOneLogin = (user: { password?: string; enable_sso?: boolean }): boolean =>
  (user.password !== undefined) !== (user.enable_sso === true);

export const v2 = {
  terminateReservations: operation('v2.terminateReservations', 'DELETE /v2/reservations/terminate', {
    summary: 'Terminate reservations',
    rules: [
      'Only reservations that the caller may terminate are affected.',
      'The answer lists in failed the udids without an active reservation.',
    ],
    unknown: [
      'Devices can be named by udid too; name and place of that parameter are not shown: a body of your own can hold it.',
      'Where reservation_ids go, and whether ids are numbers, is not shown: hostnode sends them in the body, digits as a number.',
    ],
    body: z.strictObject({
      reservation_ids: z
        .array(z.union([z.int().positive(), z.string().min(1)]).meta({ allowed: 'a number or text' }))
        .meta({
          description: 'The ids of the reservations.',
          example: [501, 502],
          allowed: 'a list of at least one id',
          demand: (value) => Array.isArray(value) && value.length > 0,
        }),
    }),
    answer: z.looseObject({
      failed: maybe(z.array(z.unknown())).meta({ description: 'Udids without an active reservation.' }),
    }),
    isPartlyKnown: true,
    command: ['reservations', 'terminate'],
  }),

  getApp: operation('v2.getApp', 'GET /v2/apps/{appId}', {
    summary: 'Show an app and its latest version',
    rules: [
      'latest_version ignores versions that are still imported or parsed; it is missing for an app with no others.',
    ],
    unknown: ['The other fields of the answer are not shown: hostnode passes them on.'],
    params: z.strictObject({ appId: id("The app's id.", 12) }),
    query: z.strictObject({
      includeAllAppVersions: flag('List all versions; latest_version is the same.', true),
    }),
    answer: z.looseObject({
      versions: maybe(entriesOf(AppVersion.partial())),
      latest_version: maybe(AppVersion.partial()),
    }),
    command: ['apps', 'get-v2'],
  }),

  createMember: operation('v2.createMember', 'POST /v2/organizations/members', {
    summary: 'Create a user',
    rules: ['Needs the permission org_management.modify.', 'Give either password or enable_sso, not both.'],
    unknown: [
      'The names of the fields in the body are not shown: these are our reading; a body of your own is possible.',
    ],
    body: z
      .strictObject({
        email: email("The user's email address."),
        username: text('The user name.', 'asha'),
        password: z.exactOptional(secret('The password.')),
        enable_sso: flag('Single sign-on in place of a password.', true),
        first_name: textOrEmpty('The first name.'),
        last_name: textOrEmpty('The last name.'),
      })
      .refine(hasOneLogin, { error: 'give either password or enable_sso: true, not both' }),
    isPartlyKnown: true,
    command: ['users', 'create'],
    positional: [],
  }),
} as const;
