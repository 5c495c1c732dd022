import { join } from 'node:path';
import { expect, it } from 'vitest';
import { collectParts } from '../../../src/cli/support/parts.ts';
import { hostTree } from '../../support/host-tree.ts';

it('knows what is personal in a configuration that is wrong, which the doctor names', async () => {
  const text =
    'nodeId: rack-two\nclouds: { koeln: {} }\nadb: { host: 127.0.0.1, port: 1, start: false }\nroster: { maxPhones: many }\n';
  const folder = await hostTree({ 'hostnode.yaml': text });
  const { parts, known } = await collectParts({ config: join(folder, 'hostnode.yaml') });
  expect(known).toEqual(expect.arrayContaining(['rack-two', 'koeln']));
  expect(parts.find(({ name }) => name === 'config.json')?.problem).toContain('roster.maxPhones');
  expect(JSON.stringify(parts.find(({ name }) => name === 'doctor.json'))).toContain('rack-two');
});
