/** Groups of an organization. */
import * as z from 'zod';
import { operation } from './operation.ts';
import { entriesOf, id, maybe } from './values.ts';

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
