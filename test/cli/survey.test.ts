import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { survey } from '../../src/cli/survey.ts';
import { loadConfig } from '../../src/config/load.ts';
import { hostTree } from '../support/host-tree.ts';
import { startAdb } from '../support/program-lab.ts';

/** What a survey says of a host with these files, and without phones. */
async function look(files: Record<string, string>, more: Record<string, string> = {}) {
  const [adb, root] = [await startAdb(), await hostTree(files)];
  const env = { HOSTNODE_ADB_PORT: String(adb.port), HOSTNODE_STATE_DIR: join(root, 'state'), ...more };
  const { config } = await loadConfig({ env, defaultFile: join(root, 'none.yaml') });
  return survey({ config, place: { root, env } });
}

describe('a survey of a host', () => {
  it('that has no name to be told to the cloud says so, and looks all the same', async () => {
    const { unfit, listing } = await look({});
    expect(listing.entries).toBe(0);
    expect(unfit?.seen).toBe('nodeId is not set, and this host has no machine-id');
  });

  it('takes the name that the agent keeps, or that is configured', async () => {
    const kept = '9dd575c3-dbf7-4196-84b2-8bdda01506d8';
    const [ofAgent, ofConfig] = [
      await look({ 'state/node-id': `${kept}\n` }),
      await look({}, { HOSTNODE_NODE_ID: 'rack-2' }),
    ];
    expect([ofAgent, ofConfig].map(({ body, unfit }) => [body.nodeId, unfit])).toEqual([
      [kept, undefined],
      ['rack-2', undefined],
    ]);
  });
});
