/** The contract as an OpenAPI document. zod makes the schemas itself, so no other package is needed. Pure. */
import * as z from 'zod';
import { operations } from './contract/index.ts';
import { type Input, inputsOf } from './contract/inputs.ts';
import type { Operation } from './contract/operation.ts';

/** 3.2 can express the method DEL; 3.1 is for tools that know no better, and leaves that operation out. */
export type OpenApiVersion = '3.2' | '3.1';

type Node = Record<string, unknown>;

const VERSIONS: Readonly<Record<OpenApiVersion, string>> = { '3.2': '3.2.0', '3.1': '3.1.1' };

/** The whole document, as a value for JSON or YAML. */
export function openApi(version: OpenApiVersion): Node {
  const schemas = new Map<string, unknown>([['Error', ERROR]]);
  const paths: Record<string, Node> = {};
  for (const operation of operations) {
    if (operation.method === 'DEL' && version === '3.1') continue;
    const path = `/${operation.api}${operation.path}`;
    const item = paths[path] ?? {};
    paths[path] = item;
    const written = operationNode(operation, schemas);
    if (operation.method === 'DEL') item.additionalOperations = { DEL: written };
    else item[operation.method.toLowerCase()] = written;
  }
  return {
    openapi: VERSIONS[version],
    info: {
      title: 'Device cloud API',
      version: 'v1',
      description:
        'The v1 REST interface of a device cloud, and what is known of v2, as hostnode reads it. Made from its contract.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: '{root}',
        description: 'The cloud; the roots of its versions are below it.',
        variables: { root: { default: 'https://cloud.example' } },
      },
    ],
    security: [{ basic: [] }],
    tags: [...new Set(operations.map(({ section }) => section))].map((name) => ({
      name,
      description: `Section "${name}" of the API's document.`,
    })),
    paths,
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'User name or email address, and the API key.' },
      },
      schemas: Object.fromEntries([...schemas].toSorted(([one], [other]) => (one < other ? -1 : 1))),
    },
  };
}

type Schemas = Map<string, unknown>;

function operationNode(operation: Operation, schemas: Schemas): Node {
  const { id, summary, section, rules, unknown, isBodyOptional, isPartlyKnown } = operation;
  const body = isPartlyKnown ? operation.body?.loose() : operation.body; // it may have more than we know
  const admin = operation.isAdminOnly ? ['Needs the organization admin role.'] : [];
  const description = [...admin, ...rules, ...unknown].join(' ');
  const parameters = inputsOf(operation).filter(({ place }) => place !== 'body');
  return {
    operationId: id,
    summary,
    ...(description !== '' && { description }),
    tags: [section],
    ...(parameters.length > 0 && {
      parameters: parameters.map((each) => parameter(each, operation, schemas)),
    }),
    ...(body && {
      requestBody: {
        required: !isBodyOptional,
        content: {
          'application/json': { schema: schemaOf(body, schemas), example: examplePart(operation, body) },
        },
      },
    }),
    responses: responses(operation, schemas),
  };
}

function parameter(input: Input, { example }: Operation, schemas: Schemas): Node {
  const { name, place, isRequired, description, kind } = input;
  const { description: _, ...schema } = schemaOf(input.schema, schemas);
  const isList = kind === 'texts' || kind === 'integers';
  return {
    name,
    in: place,
    required: isRequired,
    description,
    ...(isList && { style: 'form', explode: false }),
    schema,
    ...(example[name] !== undefined && { example: example[name] }),
  };
}

function responses({ answer, errors }: Operation, schemas: Schemas): Node {
  const isFirst = answer instanceof z.ZodUnion && answer.meta()?.isFirstDocumented;
  const documented = (isFirst ? answer.options[0] : answer) as z.ZodType | undefined;
  const success = documented && {
    content: { 'application/json': { schema: schemaOf(documented, schemas) } },
  };
  const failure = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
  const known = Object.entries(errors).map(([status, description]) => [status, { description, ...failure }]);
  return {
    200: { description: answer ? 'The answer.' : 'Done; a body is not documented.', ...success },
    ...Object.fromEntries(known),
    '4XX': { description: 'The cloud rejects the request; statuses are not documented.', ...failure },
    '5XX': { description: 'The cloud cannot answer now; statuses are not documented.', ...failure },
  };
}

/** The API's document shows no body of an error: this is the sandbox's. */
const ERROR: Node = {
  description: 'Not documented: a body may have a message, or anything else.',
  type: 'object',
  properties: { message: { description: 'What is wrong.', type: 'string' } },
  additionalProperties: {},
};

const examplePart = ({ example }: Operation, body: z.ZodObject): Node =>
  Object.fromEntries(Object.entries(example).filter(([name]) => body.shape[name] !== undefined));

/** A schema of the contract as JSON Schema; schemas with an id go to the components. */
function schemaOf(schema: z.ZodType, schemas: Schemas): Node {
  const made = z.toJSONSchema(schema, { io: 'input', override: ({ jsonSchema }) => tidy(jsonSchema) });
  const text = JSON.stringify(made, withoutBounds).replaceAll('#/$defs/', '#/components/schemas/');
  const { $schema: _, $defs = {}, ...own } = JSON.parse(text) as Node;
  for (const [name, part] of Object.entries($defs as Node)) schemas.set(name, part);
  return own;
}

/** Our own words in a schema, which are no JSON Schema. */
const OWN_WORDS = ['allowed', 'example', 'secret', 'isLong', 'demand', 'isFirstDocumented', 'nullIsAbsent'];

/** Without the bounds of JavaScript's integers. */
const withoutBounds = (_: string, value: unknown) =>
  Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER ? undefined : value;

/** In the words of OpenAPI. */
function tidy(node: Node): void {
  const { anyOf, ...own } = node;
  if (own.nullIsAbsent) {
    for (const key of Object.keys(node)) delete node[key];
    Object.assign(node, (anyOf as Node[])[0], own); // the other one is null
  }
  if (own.secret) node.format = 'password';
  for (const word of OWN_WORDS) delete node[word];
}
