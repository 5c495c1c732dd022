/** The configuration's JSON Schema, for editors. `vitest -u test/config` writes it to `config/hostnode.schema.json`. */
import * as z from 'zod';
import { settings } from '../src/config/schema.ts';

type Node = z.core.JSONSchema.BaseSchema;

/** Allow null: a section whose keys are all commented out reads so. */
function sectionsMayBeEmpty(node: Node): Node {
  const properties = Object.entries(node.properties ?? {}).map(([key, value]) => {
    if (typeof value === 'boolean' || value.type !== 'object') return [key, value];
    const section = sectionsMayBeEmpty(value) as Record<string, unknown>;
    return [key, { ...section, type: ['object', 'null'] }];
  });
  return { ...node, properties: Object.fromEntries(properties) };
}

/** A line of the formatter, with room for its indentation and key. */
const LONGEST_LIST = 80;

/** Puts a short list of strings on one line, as the formatter does. */
const oneLineLists = (json: string) =>
  json.replace(/\[\n +("[^[\]]*)\n *\]/g, (whole, list: string) => {
    const line = list.replace(/\n +/g, ' ');
    return line.length > LONGEST_LIST ? whole : `[${line}]`;
  });

/** The schema as the text of the file. */
export function configJsonSchema(): string {
  const schema = z.toJSONSchema(settings, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // `{}` means "all defaults"; our own keywords are not JSON Schema
      if (jsonSchema.type === 'object') delete jsonSchema.default;
      for (const word of ['allowed', 'example', 'secret']) delete jsonSchema[word];
    },
  });
  return `${oneLineLists(JSON.stringify({ title: 'hostnode configuration', ...sectionsMayBeEmpty(schema) }, null, 2))}\n`;
}
