/**
 * The methods of the client for the npm package, as types: written out with names, and with the words of the contract as
 * JSDoc, in place of what the type checker makes of `src/cloud/resources.ts`.
 */
import * as z from 'zod';
import { contract } from '../src/cloud/contract/index.ts';
import { type Input, inputsOf } from '../src/cloud/contract/inputs.ts';
import type { Operation } from '../src/cloud/contract/operation.ts';

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A comment in TypeScript; nothing for no lines. */
function comment(lines: readonly string[], indent: string): string {
  const safe = lines.map((line) => line.replaceAll('*/', '* /'));
  if (safe.length === 0) return '';
  if (safe.length === 1) return `${indent}/** ${safe[0]} */\n`;
  return `${indent}/**\n${safe.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** @param isSent its optional values may be given as undefined; those of an answer may be null */
function typeOf(schema: Schema, indent: string, isSent: boolean): string {
  const of = (part: Schema) => typeOf(part, indent, isSent);
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.anyOf) return [...new Set(schema.anyOf.map(of))].filter((type) => type !== 'null').join(' | ');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const [type] = [schema.type].flat().filter((each) => each !== 'null');
  if (type === 'array') return `Array<${of(schema.items ?? {})}>`;
  if (type === 'integer' || type === 'number') return 'number';
  if (schema.type === 'null') return 'null';
  if (type !== 'object') return type ?? 'unknown';
  const { properties = {}, additionalProperties } = schema;
  const isOpen = typeof additionalProperties === 'object' && Object.keys(properties).length === 0;
  if (isOpen) return `Record<string, ${of(additionalProperties)}>`;
  return `{\n${membersOf(schema, `${indent}  `, isSent)}${indent}}`;
}

function membersOf({ properties = {}, required = [] }: Schema, indent: string, isSent: boolean): string {
  return Object.entries(properties)
    .map(([name, part]) => {
      const mark = required.includes(name) ? '' : '?';
      const isNullable =
        part.anyOf?.some(({ type }) => type === 'null') || [part.type].flat().includes('null');
      const more = mark === '' ? (isNullable ? ' | null' : '') : isSent ? ' | undefined' : ' | null';
      const described = comment(part.description === undefined ? [] : [part.description], indent);
      return `${described}${indent}${name}${mark}: ${typeOf(part, indent, isSent)}${more};\n`;
    })
    .join('');
}

/** The named schemas of the contract, by their names. */
class Named {
  readonly #texts = new Map<string, string>();

  /** The type of a schema; what has a name is declared by it. */
  typeOf(schema: z.ZodType, isSent: boolean): string {
    const { $defs = {}, ...own } = z.toJSONSchema(schema, { io: 'input' }) as Schema;
    for (const [name, part] of Object.entries($defs)) this.declare(name, part, isSent);
    return typeOf(own, '  ', isSent);
  }

  declare(name: string, schema: Schema, isSent: boolean, words: readonly string[] = []): void {
    const text = `${comment(words, '')}export interface ${name} {\n${membersOf(schema, '  ', isSent)}}\n`;
    this.#texts.set(name, text);
  }

  get text(): string {
    return [...this.#texts.values()].join('\n');
  }
}

function inputMember(input: Input, named: Named): string {
  const { name, isRequired, description, schema } = input;
  const type = named.typeOf(schema, true);
  const members = comment(description === '' ? [] : [description], '  ');
  return `${members}  ${name}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'};\n`;
}

/** What a method's comment says. */
const wordsOf = ({
  summary,
  rules,
  unknown,
  errors,
  isAdminOnly,
  method,
  api,
  path,
}: Operation): string[] => [
  `${summary}: \`${method} /${api}${path}\``,
  ...[
    ...(isAdminOnly ? ['Needs the organization admin role.'] : []),
    ...rules,
    ...Object.entries(errors).map(([status, condition]) => `${status}: ${condition}`),
    ...unknown.map((sentence) => `Open: ${sentence}`),
  ].map((sentence) => `- ${sentence}`),
  '@throws {CloudError} or the reason of the signal',
];

function answerOf(operation: Operation, named: Named): string {
  const { id, answer } = operation;
  if (answer === undefined) return 'undefined';
  const isUnion = answer instanceof z.ZodUnion; // of several shapes the client makes the first
  const schema = (isUnion ? answer.options[0] : answer) as z.ZodType;
  const type = named.typeOf(schema, false);
  if (!type.startsWith('{')) return type;
  const name = `${id.split('.').map(capital).join('')}Answer`;
  named.declare(name, z.toJSONSchema(schema, { io: 'input' }) as Schema, false, [`The answer of ${id}.`]);
  return name;
}

function method(verb: string, operation: Operation, named: Named): string {
  const inputs = inputsOf(operation);
  const name = `${operation.id.split('.').map(capital).join('')}Input`;
  const mark = inputs.some(({ isRequired }) => isRequired) ? '' : '?';
  const input = inputs.length === 0 ? 'input?: Record<string, never>' : `input${mark}: ${name}`;
  return `${comment(wordsOf(operation), '  ')}  ${verb}(${input}, options?: CallOptions): Promise<${answerOf(operation, named)}>;\n`;
}

/** The text of `resources.d.ts`. */
export function resourceTypes(): string {
  const named = new Named();
  const inputs = Object.values(contract).flatMap((verbs) => Object.values<Operation>(verbs));
  const inputTypes = inputs
    .filter((operation) => inputsOf(operation).length > 0)
    .map((operation) => {
      const members = inputsOf(operation).map((each) => inputMember(each, named));
      const name = `${operation.id.split('.').map(capital).join('')}Input`;
      return `${comment([`What ${operation.id} takes.`], '')}export interface ${name} {\n${members.join('')}}\n`;
    });
  const resources = Object.entries(contract).map(([resource, verbs]) => {
    const methods = Object.entries<Operation>(verbs).map(([verb, operation]) =>
      method(verb, operation, named),
    );
    return `export interface ${capital(resource)}Resource {\n${methods.join('\n')}}\n`;
  });
  const fields = Object.keys(contract).map((name) => `  readonly ${name}: ${capital(name)}Resource;\n`);
  const calls = inputs.map(({ id }) => {
    const [resource = '', verb = ''] = id.split('.');
    return `  '${id}': ${capital(resource)}Resource['${verb}'];\n`;
  });
  return [
    "import type { CallOptions } from './request.ts';\n",
    named.text,
    ...inputTypes,
    ...resources,
    `/** The methods of the client. */\nexport interface Resources {\n${fields.join('')}}\n`,
    `/** The methods by the ids of their operations. */\nexport interface Calls {\n${calls.join('')}}\n`,
  ].join('\n');
}
