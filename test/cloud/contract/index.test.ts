import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { inner } from '../../../src/base/schema.ts';
import { contract, operationOf, operations } from '../../../src/cloud/contract/index.ts';
import { inputsOf } from '../../../src/cloud/contract/inputs.ts';
import type { Operation } from '../../../src/cloud/contract/operation.ts';
import { demanded, document, type Row } from './document.ts';

const nameOf = ({ method, path }: Pick<Row, 'method' | 'path'>) => `${method} ${path}`;
const pathOf = ({ api, path }: Operation) => (api === 'v2' ? `/v2${path}` : path);

/** The type in the words of the document. */
function typeOf(schema: z.ZodType): string {
  const bare = inner(schema);
  if (bare instanceof z.ZodNumber) return 'integer';
  if (bare instanceof z.ZodBoolean) return 'boolean';
  if (bare instanceof z.ZodString) return 'string';
  if (bare instanceof z.ZodUnion) return bare.options.map((each) => typeOf(each as z.ZodType)).join(' or ');
  return bare instanceof z.ZodArray ? `[${typeOf(bare.element as z.ZodType)}]` : 'object';
}

const typesOf = (object: z.ZodObject | undefined) =>
  Object.fromEntries(
    Object.entries<z.ZodType>(object?.shape ?? {}).map(([name, schema]) => {
      const isOptional = schema instanceof z.ZodExactOptional;
      return [name, `${typeOf(schema)}${isOptional ? '?' : ''}`];
    }),
  );

/** The top-level keys of an answer, or of each of its entries. */
function answerOf(schema: z.ZodType | undefined): Row['answer'] {
  if (schema === undefined) return 'status';
  const bare = inner(schema);
  if (bare instanceof z.ZodObject) return Object.keys(bare.shape);
  if (bare instanceof z.ZodUnion) return answerOf(bare.options[0] as z.ZodType);
  if (!(bare instanceof z.ZodArray)) throw new TypeError('neither an object nor a list');
  return { each: answerOf(bare.element as z.ZodType) as string[] };
}

const sorted = (answer: Row['answer']): unknown => {
  if (answer === 'status') return answer;
  return 'each' in answer ? { each: answer.each.toSorted() } : answer.toSorted();
};

/** An operation as a row of the document. */
function rowOf(operation: Operation): Row {
  const { method, section, params, query, body, answer, errors } = operation;
  return {
    section,
    method,
    path: pathOf(operation),
    params: typesOf(params),
    query: typesOf(query),
    body: typesOf(body),
    ...(operation.isBodyOptional && { isBodyOptional: true }),
    answer: sorted(answerOf(answer)) as Row['answer'],
    errors: Object.keys(errors).map(Number),
    ...(operation.isAdminOnly && { isAdminOnly: true }),
  };
}

const whole = (row: Row): Row => ({
  params: {},
  query: {},
  body: {},
  errors: [],
  ...row,
  answer: sorted(row.answer) as Row['answer'],
});

describe('the contract', () => {
  it('has an operation for each row of the document, and no other', () => {
    expect(document).toHaveLength(35);
    expect(operations.map(rowOf).map(nameOf).toSorted()).toEqual(document.map(nameOf).toSorted());
  });

  it.each(document.map((row) => [nameOf(row), row] as const))(
    'says of %s what the document says',
    (name, row) => {
      const found = operations.map(rowOf).find((each) => nameOf(each) === name);
      expect(found).toEqual(whole(row));
    },
  );

  it('demands what the document makes optional only where it is not shown what that means', () => {
    const found = operations.flatMap((operation) => {
      const names = inputsOf(operation)
        .filter(({ demand, schema }) => demand?.(undefined) === false && schema instanceof z.ZodExactOptional)
        .map(({ name }) => name);
      return names.length === 0 ? [] : [[nameOf({ ...operation, path: pathOf(operation) }), names]];
    });
    expect(Object.fromEntries(found)).toEqual(demanded);
  });

  it('documents the conditions of each error', () => {
    const tags = [contract.versions.assignTag, contract.versions.unassignTag];
    for (const { errors } of tags) {
      expect(errors[400]).toMatch(/spaces or special characters.*longer than 32 characters.*not unique/);
      expect(errors[403]).toMatch(/lacks permission/);
      expect(errors[500]).toMatch(/unknown server error/i);
    }
  });
});

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  it('is found by its id, which is its place in the contract', () => {
    const [resource = '', verb = ''] = id.split('.');
    const resources: Record<string, Record<string, Operation>> = contract;
    expect(resources[resource]?.[verb]).toBe(operation);
    expect(operationOf(id)).toBe(operation);
  });

  it('has the values of its path as params, in the same order', () => {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(operation.params.shape)).toEqual(inPath);
  });

  it('has no two inputs of one name, and positional ones that it has', () => {
    const names = inputsOf(operation).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining([...operation.positional]));
    const kinds = operation.positional.map(
      (each) => inputsOf(operation).find(({ name }) => name === each)?.kind,
    );
    expect(kinds.slice(0, -1).filter((kind) => kind === 'integers' || kind === 'texts')).toEqual([]);
  });

  it('describes each input in one line, and says what it does as an imperative', () => {
    const isReport = id === 'devices.report'; // docs/reported.md describes those
    const bare = inputsOf(operation).filter(({ description }) => !/^\p{Lu}.*[.}…]$/u.test(description));
    expect(isReport ? [] : bare.map(({ name }) => name)).toEqual([]);
    expect(operation.summary).toMatch(
      /^(?:List|Show|Get|Register|Delete|Make|Assign|Remove|Create|Deactivate|Activate|Change|Report|Mark|Unmark|Save|Terminate) .*[^.]$/,
    );
    for (const sentence of [...operation.rules, ...operation.unknown]) expect(sentence).toMatch(/\.$/);
  });

  it('has an example that it accepts', () => {
    const { params, query, body, example } = operation;
    const part = (object: z.ZodObject | undefined) =>
      Object.fromEntries(Object.entries(example).filter(([name]) => object?.shape[name] !== undefined));
    for (const object of [params, query, body]) expect(object?.safeParse(part(object)).error).toBeUndefined();
    const known = inputsOf(operation).map(({ name }) => name);
    expect(Object.keys(example).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('accepts no key that it does not know', () => {
    const { params, query, body } = operation;
    for (const object of [params, query, body]) {
      const issues = object?.safeParse({ ...operation.example, surprise: 1 }).error?.issues ?? [];
      if (object !== undefined) expect(issues.map(({ code }) => code)).toContain('unrecognized_keys');
    }
  });

  it('may be sent again if it is no POST, and only reads if it is a GET', () => {
    expect(operation.isIdempotent).toBe(operation.method !== 'POST');
    expect(operation.isSafe).toBe(operation.method === 'GET');
  });
});

describe('the commands', () => {
  it('are different', () => {
    const commands = operations.map(({ command }) => command.join(' '));
    expect(new Set(commands).size).toBe(operations.length);
    for (const command of commands) expect(command).toMatch(/^[a-z\d-]+ [a-z\d-]+$/);
  });
});

/** A file of src/cloud and all that it imports from there, types left out. */
function importedBy(file: URL, seen = new Set<string>()): string[] {
  if (seen.has(file.href)) return [];
  seen.add(file.href);
  const imports = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) (?!type )[^;]*? from '(\.[^']*)';/gm,
  );
  return [
    file.pathname,
    ...Array.from(imports, ([, path = '']) => importedBy(new URL(path, file), seen)).flat(),
  ];
}

describe('what the agent imports', () => {
  it('is the contract of the devices alone', () => {
    const files = importedBy(new URL('../../../src/cloud/agent-client.ts', import.meta.url));
    const ofContract = files.flatMap((path) => path.split('/cloud/contract/')[1] ?? []);
    expect(new Set(ofContract)).toEqual(
      new Set(['devices.ts', 'inputs.ts', 'operation.ts', 'report.ts', 'values.ts']),
    );
  });
});
