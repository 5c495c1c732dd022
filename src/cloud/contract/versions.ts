/** Versions of apps, and their tags. */
import * as z from 'zod';
import { operation } from './operation.ts';
import { id, isPathPart, maybe } from './values.ts';

const versionId = id("The version's id.", 77);

const LONGEST_TAG = 32;

/** A tag's name. Which characters are special, the API does not say: all but blanks go to the cloud. */
const tagName = z
  .string()
  .min(1)
  .max(LONGEST_TAG)
  .regex(/^\S*$/)
  .refine(isPathPart)
  .meta({
    description: 'The tag, at most 32 characters, unique in the organization.',
    allowed: `1 to ${LONGEST_TAG} characters without blanks, other than "." and ".."`,
    example: 'nightly',
  });

/** True for a tag without any character that a cloud could call special. */
export const isSurelyPlainTag = (name: string): boolean => /^[A-Za-z0-9._-]+$/.test(name);

const tagErrors = (forbidden: string) => ({
  400: 'The name has spaces or special characters, is longer than 32 characters, or is not unique in the organization.',
  403: forbidden,
  500: 'Unknown server error.',
});
const SPECIAL =
  'Which characters are special is not shown: letters, digits, ".", "_" and "-" surely are not; hostnode sends others too.';

export const versions = {
  get: operation('versions.get', 'GET /app/versions/{versionId}', {
    summary: 'Show a version of an app',
    params: z.strictObject({ versionId }),
    answer: z.looseObject({
      id: maybe(z.int()),
      appId: maybe(z.int()),
      name: maybe(z.string()),
      state: maybe(z.string()).meta({ description: 'OK is the only value known.' }),
      version: maybe(z.string()).meta({ description: 'The label of the version.' }),
    }),
  }),

  delete: operation('versions.delete', 'DELETE /app/versions/{versionId}', {
    summary: 'Delete a version of an app',
    unknown: ['Which users may delete a version is not shown.'],
    params: z.strictObject({ versionId }),
  }),

  assignTag: operation('versions.assignTag', 'POST /app/versions/{versionId}/tag/{name}', {
    summary: 'Assign a tag to a version',
    unknown: [SPECIAL],
    params: z.strictObject({ versionId, name: tagName }),
    errors: tagErrors('The caller lacks permission to perform the action.'),
    command: ['versions', 'tag'],
  }),

  unassignTag: operation('versions.unassignTag', 'DEL /app/versions/{versionId}/tag/{name}', {
    summary: 'Remove a tag from a version',
    rules: ['The method is DEL, as the API writes it; `untagMethod: DELETE` sends DELETE.'],
    unknown: [SPECIAL],
    params: z.strictObject({ versionId, name: tagName }),
    errors: tagErrors('The caller lacks permission to unassign the tag.'),
    command: ['versions', 'untag'],
  }),
} as const;
