/**
 * The API's document, statement by statement: its line, the surface, and what was seen there. The sandbox and the command
 * are the built program. HOSTNODE_TEST_STATEMENTS names a file for the table.
 */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from './statements/endpoints.ts';
import { fields } from './statements/fields.ts';
import { rules } from './statements/rules.ts';
import { World } from './statements/world.ts';

const statements = [...fields, ...endpoints, ...rules];
const table: string[] = [];
let world: World;
beforeAll(async () => {
  world = await World.start();
}, 60_000);
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
  const file = process.env.HOSTNODE_TEST_STATEMENTS;
  if (file) writeFileSync(file, `${table.join('\n')}\n`);
});

describe('a statement of the document', () => {
  it.each(statements)('$line $surface: $says', async ({ line, surface, says, look }) => {
    const row = [line, surface, says];
    try {
      table.push([...row, 'holds', (await look(world)).replace(/\s+/g, ' ').slice(0, 200)].join('\t'));
    } catch (error) {
      table.push([...row, 'does not hold', String(error).replace(/\s+/g, ' ').slice(0, 300)].join('\t'));
      throw error;
    }
  });
});

it('has more than 400 statements, each once', () => {
  const named = statements.map(({ line, surface, says }) => `${line} ${surface} ${says}`);
  expect(named.filter((each, index) => named.indexOf(each) !== index)).toEqual([]);
  expect(statements.length).toBeGreaterThan(400);
});
