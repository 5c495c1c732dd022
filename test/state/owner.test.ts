import { chownSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeJsonFile } from '../../src/state/json-file.ts';
import { lockStateDirectory } from '../../src/state/lock.ts';

const NOBODY = 65_534;

describe.skipIf(process.getuid?.() !== 0)('root in the state directory of another user', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'hostnode-owner-'));
    chownSync(dir, NOBODY, NOBODY);
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('leaves nothing there that its owner cannot use', async () => {
    await writeJsonFile(join(dir, 'roster.json'), {});
    const lock = await lockStateDirectory(dir);
    const owners = readdirSync(dir).map((name) => [name, statSync(join(dir, name)).uid]);
    expect(Object.fromEntries(owners)).toEqual({ 'roster.json': NOBODY, 'agent.lock.1': NOBODY });
    await lock.release();
  });
});
