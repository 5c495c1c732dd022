/** The rows of the document's tables of endpoints, at all four surfaces. */
import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { type OperationId, operations } from '../../../src/cloud/contract/index.ts';
import { flagOf } from '../../../src/cloud/contract/inputs.ts';
import { demanded, document, type Row } from '../../cloud/contract/document.ts';
import { inputs } from '../../sandbox/each-operation.ts';
import { bodySchema, check, operationAt, type Statement, schemaAt, typeOfSchema } from './statement.ts';
import { type Json, throughClient, type World } from './world.ts';

/** The line of the document of each row of its tables. */
const LINES: Record<string, number> = {
  'GET /app/versions/{versionId}': 170,
  'DELETE /app/versions/{versionId}': 171,
  'POST /app/versions/{versionId}/tag/{name}': 172,
  'DEL /app/versions/{versionId}/tag/{name}': 173,
  'GET /apps': 174,
  'POST /apps': 175,
  'DELETE /apps': 176,
  'POST /apps/uploadUrl': 177,
  'DELETE /apps/{appId}': 178,
  'GET /apps/{appId}': 179,
  'PUT /apps/{appId}/private': 180,
  'PUT /apps/{appId}/public': 181,
  'POST /apps/{appId}/team/assign': 182,
  'POST /organizations/member': 205,
  'PUT /organizations/deactivate/member': 206,
  'PUT /organizations/activate/member': 207,
  'PUT /organizations/members/role': 208,
  'GET /data-sets': 221,
  'POST /data-sets/by-command': 222,
  'POST /data-sets/by-element': 223,
  'PUT /data-sets/{dataSetId}/actions/by-command': 224,
  'PUT /data-sets/{dataSetId}/actions/by-element': 225,
  'GET /devices': 238,
  'PUT /devices': 239,
  'POST /devices/{deviceId}/favorite': 240,
  'DELETE /devices/{deviceId}/favorite': 241,
  'GET /devices/{deviceId}/status': 242,
  'GET /devices/{deviceUDID}': 243,
  'GET /gestures': 267,
  'POST /gestures': 268,
  'DELETE /gestures/{id}': 269,
  'GET /organizations/{organizationId}/groups/own': 275,
  'DELETE /v2/reservations/terminate': 283,
  'GET /v2/apps/{appId}': 284,
  'POST /v2/organizations/members': 285,
};

/** Where the document does not show names or places: our reading. */
const isOurReading = ({ path }: Row) => path.startsWith('/v2/') && !path.includes('{appId}');

const fullPath = ({ path }: Row): string => (path.startsWith('/v2/') ? path : `/v1${path}`);
const operationFor = (row: Row) => {
  const found = operations.find(
    ({ method, api, path }) => method === row.method && `/${api}${path}` === fullPath(row),
  );
  if (found === undefined) throw new Error(row.path);
  return found;
};

/** A request as the document writes it, of values by name. */
function requestOf(row: Row, values: Json): { path: string; body: Json } {
  const names = (part: object | undefined) =>
    Object.keys(part ?? {}).filter((name) => values[name] !== undefined);
  const path = fullPath(row).replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name]));
  const query = new URLSearchParams(
    names(row.query).map((name): [string, string] => [name, String(values[name])]),
  );
  const body = row.body && Object.fromEntries(names(row.body).map((name) => [name, values[name]]));
  return { path: query.size > 0 ? `${path}?${query}` : path, body };
}

/** The method DEL is no method for `fetch`; the sandbox takes DELETE for it, and another statement looks at DEL. */
const fetched = (method: string): string => (method === 'DEL' ? 'DELETE' : method);

async function send(world: World, row: Row, values: Json, options: object = {}) {
  const { path, body } = requestOf(row, values);
  return world.call(fetched(row.method), path, { ...(body && { body }), ...options });
}

/** Values that succeed after `fresh`. */
async function valuesFor(world: World, row: Row): Promise<Json> {
  const { appPath } = await world.fresh();
  const { id } = operationFor(row);
  return { ...inputs[id], ...(id === 'apps.create' && { appPath }) };
}

function statementsOf(row: Row): Statement[] {
  const name = `${row.method} ${row.path}`;
  const line = LINES[name] ?? 0;
  const operation = operationFor(row);
  const id = operation.id as OperationId;
  const values = inputs[id] as Json;
  const whole: Statement[] = [
    {
      ...{ line, says: `${name} answers 200`, surface: 'sandbox' },
      async look(world) {
        const { status, text } = await send(world, row, await valuesFor(world, row));
        return check(status === 200, `${status} ${text.slice(0, 100)}`);
      },
    },
    {
      ...{ line: 291, says: `${name} needs Basic authentication`, surface: 'sandbox' },
      async look(world) {
        const { status } = await send(world, row, values, {
          headers: { authorization: 'Basic bm9ib2R5Om5v' },
        });
        return check(status === 401, String(status));
      },
    },
    {
      ...{ line, says: `${name} is what the client sends`, surface: 'client' },
      async look() {
        const { request, sent } = await throughClient(id, values);
        const { path, body } = requestOf(row, values);
        const seen = `${request?.method} ${request?.url} ${JSON.stringify(sent)}`;
        const isRight =
          request?.method === fetched(row.method) && request.url === path.replaceAll('+', '%20');
        return check(isRight && isDeepStrictEqual(sent, body), seen);
      },
    },
    {
      ...{ line: 291, says: `${name} carries Basic authentication and Accept`, surface: 'client' },
      async look() {
        const { authorization, accept } = (await throughClient(id, values)).request?.headers ?? {};
        return check(
          authorization === `Basic ${btoa('lab:k')}` && accept === 'application/json',
          `${accept}`,
        );
      },
    },
    {
      ...{ line, says: `${name} is an operation of the document`, surface: 'OpenAPI' },
      look: ({ openApi }) => check(operationAt(openApi, row.method, fullPath(row)) !== undefined, 'found'),
    },
    {
      ...{ line, says: `${name} is what the command sends`, surface: 'command' },
      async look(world) {
        const words = commandOf(operation, values);
        const { stdout, stderr } = await world.command([...words, '--dry-run']);
        const { path } = requestOf(row, values);
        const expected = `${row.method} ${new URL(path, world.info.baseUrl)}`.replaceAll('+', '%20');
        return check(stdout.split('\n')[0] === expected, `${stdout.split('\n')[0]}${stderr}`);
      },
    },
  ];
  if (row.answer === 'status')
    whole.push({
      ...{ line: 164, says: `${name}: a body of the answer is ignored`, surface: 'client' },
      look: async () =>
        check((await throughClient(id, values, 'anything')).received === undefined, 'ignored'),
    });
  if (row.body)
    whole.push({
      ...{ line: 16, says: `${name} has Content-Type: application/json`, surface: 'client' },
      async look() {
        const type = (await throughClient(id, values)).request?.headers['content-type'];
        return check(type === 'application/json', String(type));
      },
    });
  return [...whole, ...inputStatements(row, id)];
}

/** The inputs one by one: type, and whether they are required. */
function inputStatements(row: Row, id: OperationId): Statement[] {
  const name = `${row.method} ${row.path}`;
  const places = { path: row.params, query: row.query, body: row.body };
  return Object.entries(places).flatMap(([place, types]) =>
    Object.entries(types ?? {}).flatMap(([input, documented]): Statement[] => {
      const line = id === 'devices.list' ? 249 + Object.keys(types ?? {}).indexOf(input) : (LINES[name] ?? 0);
      const isOptional = documented.endsWith('?');
      const says = `${name}: ${input} in the ${place} is ${isOptional ? 'optional' : 'required'}`;
      const type = documented.replace('?', '');
      const statements: Statement[] = [
        {
          ...{ line, says: `${says}, ${type}`, surface: 'OpenAPI' },
          look({ openApi }) {
            const operation = operationAt(openApi, row.method, fullPath(row));
            const schema = bodySchema(operation);
            const parameter = operation.parameters?.find(
              (each: Json) => each.name === input && each.in === place,
            );
            const found = place === 'body' ? schemaAt(openApi, schema, input) : parameter?.schema;
            const isRequired =
              place === 'body' ? schema.required?.includes(input) === true : parameter?.required;
            const seen = `${typeOfSchema(openApi, found)}, ${isRequired ? 'required' : 'optional'}`;
            const isType = type === typeOfSchema(openApi, found) || type.includes(' or ');
            return check(isType && isRequired === !isOptional, seen);
          },
        },
      ];
      if (place === 'path') return statements;
      const values = { ...(inputs[id] as Json) };
      delete values[input];
      const isDemanded = demanded[name]?.includes(input) === true;
      if (!isOptional || isDemanded)
        statements.push({
          ...{ line, says: `${says}: without it nothing is sent`, surface: 'client' },
          async look() {
            const error = await throughClient(id, values).catch((thrown: Error) => thrown);
            return check(error instanceof Error && error.message.includes(input), String(error));
          },
        });
      if (isOurReading(row)) return statements;
      statements.push({
        ...{ line, says, surface: 'sandbox' },
        async look(world) {
          const { [input]: _, ...others } = await valuesFor(world, row);
          const { status } = await send(world, row, others);
          return check(isOptional ? status === 200 : status === 400, String(status));
        },
      });
      return statements;
    }),
  );
}

/** The words of the command for these values. */
function commandOf(operation: (typeof operations)[number], values: Json): string[] {
  const { command, positional, body, query, params } = operation;
  const shape: Record<string, z.ZodType> = { ...params.shape, ...query.shape, ...body?.shape };
  const text = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  const flags = Object.keys(shape)
    .filter((name) => values[name] !== undefined && !positional.includes(name) && name !== 'password')
    .flatMap((name) => {
      const value = values[name];
      if (typeof value === 'boolean') return [`${flagOf(name)}=${value}`];
      if (name === 'platformVersion' || name === 'deviceName') return [flagOf(name), value.join(',')];
      return [flagOf(name), text(value)];
    });
  return [...command, ...positional.flatMap((name) => [values[name]].flat().map(text)), ...flags];
}

export const endpoints: readonly Statement[] = document.flatMap(statementsOf);
