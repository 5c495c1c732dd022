/** The table of all keys in docs/configuration.md, from the schema. */
import { allowed, inner } from '../../src/base/schema.ts';
import { type ConfigKey, configKeys, defaultOf } from '../../src/config/keys.ts';

const cell = (text: string) => text.replaceAll('|', '\\|');

function defaultText(key: ConfigKey): string {
  const value = defaultOf(key);
  return value === undefined ? '–' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

function row(key: ConfigKey): string {
  const { description = '' } = { ...inner(key.schema).meta(), ...key.schema.meta() };
  const cells = [`\`${key.name}\``, defaultText(key), allowed(key.schema), description];
  return `| ${cells.map(cell).join(' | ')} |`;
}

/** Markdown, one row a key, in the schema's order. */
export const configurationTable = (): string[] => [
  '| key | default | must be | meaning |',
  '|---|---|---|---|',
  ...configKeys.map(row),
];
