/** Gestures that a user recorded. */
import * as z from 'zod';
import { operation } from './operation.ts';
import { entriesOf, maybe, pathText, text } from './values.ts';

export const Gesture = z
  .looseObject({
    id: z.union([z.int(), z.string()]),
    name: maybe(z.string()),
    command: maybe(z.string()).meta({ description: 'Pointer actions with coordinates in percent.' }),
  })
  .meta({ id: 'Gesture' });
export type Gesture = z.infer<typeof Gesture>;

export const gestures = {
  list: operation('gestures.list', 'GET /gestures', {
    summary: 'List your gestures',
    unknown: ['The sample is a single object, and a list is not shown: hostnode makes a list of both.'],
    answer: z.union([entriesOf(Gesture), Gesture.transform((only) => [only])]),
  }),

  save: operation('gestures.save', 'POST /gestures', {
    summary: 'Save a gesture',
    unknown: ['The language of the command is not shown: hostnode sends any text.'],
    body: z.strictObject({
      name: text('The name.', 'swipe'),
      command: text('The script of the gesture: pointer actions with coordinates in percent.').meta({
        isLong: true,
        example: 'down 50% 80%; move 50% 20%; up',
      }),
    }),
  }),

  delete: operation('gestures.delete', 'DELETE /gestures/{id}', {
    summary: 'Delete a gesture',
    params: z.strictObject({ id: pathText("The gesture's id.", '9') }),
  }),
} as const;
