/** Groups and members of an organization. What changes members needs the organization admin role. */
import * as z from 'zod';
import { operation } from './operation.ts';
import { email, entriesOf, flag, id, maybe, secret, text, textOrEmpty } from './values.ts';

const memberEmail = email("The member's email address.");

export const organization = {
  createMember: operation('organization.createMember', 'POST /organizations/member', {
    summary: 'Create a member of the organization',
    unknown: ['What the password means with enableSso, and which passwords the cloud accepts, is not shown.'],
    body: z.strictObject({
      email: memberEmail,
      password: secret('The password.', 'correct horse'),
      enableSso: flag('Single sign-on; by default false.'),
      username: textOrEmpty('The user name; by default, and if it is empty, the email address.'),
      firstName: textOrEmpty('The first name; by default, and if it is empty, the email address.', 'Asha'),
      lastName: textOrEmpty('The last name.'),
    }),
    isAdminOnly: true,
    command: ['members', 'add'],
  }),

  deactivateMember: operation('organization.deactivateMember', 'PUT /organizations/deactivate/member', {
    summary: 'Deactivate a member',
    body: z.strictObject({ email: memberEmail }),
    isAdminOnly: true,
    isDestructive: true,
    command: ['members', 'deactivate'],
  }),

  activateMember: operation('organization.activateMember', 'PUT /organizations/activate/member', {
    summary: 'Activate a member',
    unknown: ['The API lists email as optional, without saying who is meant then: hostnode always sends it.'],
    body: z.strictObject({ email: z.exactOptional(memberEmail) }),
    isBodyOptional: true,
    isAdminOnly: true,
    command: ['members', 'activate'],
  }),

  assignRole: operation('organization.assignRole', 'PUT /organizations/members/role', {
    summary: 'Assign a role to a member',
    unknown: ['ADMIN is the only role known; hostnode sends any.'],
    body: z.strictObject({ email: memberEmail, role: text('The role, e.g. ADMIN.', 'ADMIN') }),
    isAdminOnly: true,
    command: ['members', 'role'],
  }),
} as const;

const Group = z
  .looseObject({
    id: z.int(),
    organizationId: maybe(z.int()),
    name: maybe(z.string()),
    description: maybe(z.string()),
  })
  .meta({ id: 'Group' });
export type Group = z.infer<typeof Group>;

export const groups = {
  list: operation('groups.list', 'GET /organizations/{organizationId}/groups/own', {
    summary: 'List the groups that you belong to',
    unknown: ['Other operations on groups exist, and are not shown.'],
    params: z.strictObject({ organizationId: id("Your organization's id.", 2) }),
    answer: entriesOf(Group),
  }),
} as const;
