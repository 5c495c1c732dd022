/** Data sets: they replace the input texts of a recorded exploring (manual) session. */
import * as z from 'zod';
import { operation } from './operation.ts';
import { entriesOf, id, maybe } from './values.ts';

const exploringSessionId = id('The recorded session.', 31);
const dataSetId = id("The data set's id.", 8);
const value = z.string().meta({ description: 'The new text of the action.', allowed: 'text' });

const commandActions = z
  .array(
    z.strictObject({ commandId: id('A command of the session that supports data-driven values.'), value }),
  )
  .meta({
    description: 'The actions by command: {"commandId": 5, "value": "text"}.',
    allowed: 'a list of actions',
    example: [{ commandId: 5, value: 'Bengaluru' }],
  });

const elementProperty = z.record(z.string(), z.string()).meta({
  description: 'Attributes that select one or several elements, e.g. class and resource-id.',
  allowed: 'an object of attribute names with their texts',
});

const elementActions = z.array(z.strictObject({ elementProperty, value })).meta({
  description: 'The actions by element: {"elementProperty": {"class": "…"}, "value": "text"}.',
  allowed: 'a list of actions',
  example: [{ elementProperty: { 'resource-id': 'city' }, value: 'Austin' }],
});

const ActionProperties = z.looseObject({ text: maybe(z.string()) });

const DataSetAction = z
  .looseObject({
    id: maybe(z.int()),
    dataSetId: maybe(z.int()),
    commandId: maybe(z.int()),
    actionType: maybe(z.string()).meta({ description: 'TYPE_KEYBOARD is the only value known.' }),
    actionProperties: maybe(ActionProperties),
    createdAt: maybe(z.string()).meta({ description: 'ISO 8601.' }),
    updatedAt: maybe(z.string()).meta({ description: 'ISO 8601.' }),
  })
  .meta({ id: 'DataSetAction' });

const DataSet = z
  .looseObject({
    id: z.int(),
    name: maybe(z.string()),
    exploringSessionId: maybe(z.int()),
    isAssignedDevice: maybe(z.boolean()).meta({ description: 'Assigned to any device?' }),
    assignedDevice: maybe(
      z.looseObject({
        deviceName: maybe(z.string()),
        platformName: maybe(z.string()),
        platformVersion: maybe(z.string()),
      }),
    ),
    createdAt: maybe(z.string()).meta({ description: 'ISO 8601.' }),
    totalActionCount: maybe(z.int()),
    editedActionCount: maybe(z.int()),
  })
  .meta({ id: 'DataSet' });
export type DataSet = z.infer<typeof DataSet>;

const Created = z.looseObject({
  message: maybe(z.string()),
  data: z.looseObject({
    id: z.int(),
    name: maybe(z.string()),
    exploringSessionId: maybe(z.int()),
    createdAt: maybe(z.string()).meta({ description: 'ISO 8601.' }),
    updatedAt: maybe(z.string()).meta({ description: 'ISO 8601.' }),
    createdBy: maybe(z.looseObject({ id: maybe(z.int()), username: maybe(z.string()) })),
    actions: maybe(
      entriesOf(z.looseObject({ commandId: maybe(z.int()), actionProperties: maybe(ActionProperties) })),
    ),
  }),
});

const Updated = z.looseObject({
  message: maybe(z.string()),
  data: z.looseObject({
    successfulActions: maybe(entriesOf(DataSetAction)),
    failedActions: maybe(entriesOf(DataSetAction)).meta({ description: 'With their unchanged values.' }),
  }),
});

const FAILED = 'Actions that could not be updated are in failedActions, with their unchanged values.';

export const dataSets = {
  list: operation('dataSets.list', 'GET /data-sets', {
    summary: 'List the data sets of an exploring session',
    query: z.strictObject({ exploringSessionId }),
    answer: entriesOf(DataSet),
  }),

  createByCommand: operation('dataSets.createByCommand', 'POST /data-sets/by-command', {
    summary: 'Create a data set, with its texts by command',
    body: z.strictObject({ exploringSessionId, dataSetActions: z.exactOptional(commandActions) }),
    answer: Created,
  }),

  createByElement: operation('dataSets.createByElement', 'POST /data-sets/by-element', {
    summary: 'Create a data set, with its texts by element',
    body: z.strictObject({ exploringSessionId, dataSetActions: z.exactOptional(elementActions) }),
    answer: Created,
  }),

  updateByCommand: operation('dataSets.updateByCommand', 'PUT /data-sets/{dataSetId}/actions/by-command', {
    summary: 'Change texts of a data set by command',
    rules: [FAILED],
    params: z.strictObject({ dataSetId }),
    body: z.strictObject({ dataSetActions: commandActions }),
    answer: Updated,
  }),

  updateByElement: operation('dataSets.updateByElement', 'PUT /data-sets/{dataSetId}/actions/by-element', {
    summary: 'Change texts of a data set by element',
    rules: [FAILED],
    params: z.strictObject({ dataSetId }),
    body: z.strictObject({ dataSetActions: elementActions }),
    answer: Updated,
  }),
} as const;
