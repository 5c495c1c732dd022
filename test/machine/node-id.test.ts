import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deriveNodeId, parseMachineId, readNodeId } from '../../src/machine/node-id.ts';

const machineId = '0123456789abcdef0123456789abcdef';
// printed by systemd-id128 252 for this machine-id and hostnode's application id
const derived = '9dd575c3-dbf7-4196-84b2-8bdda01506d8';

describe('deriveNodeId', () => {
  it('gives what systemd-id128 machine-id --app-specific gives', () => {
    expect(deriveNodeId(machineId)).toBe(derived);
  });
});

describe('parseMachineId', () => {
  it.each(['', 'uninitialized\n', `${'0'.repeat(32)}\n`, 'not an id'])('finds none in %j', (text) => {
    expect(parseMachineId(text)).toBeUndefined();
  });
});

describe('readNodeId', () => {
  let dir: string;
  let files: string[];
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'hostnode-id-'));
    files = [join(dir, 'missing'), join(dir, 'machine-id')];
    writeFileSync(join(dir, 'machine-id'), `${machineId}\n`);
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('is the configured name before all else', async () => {
    expect(await readNodeId('rack-2', dir, { files })).toEqual({ nodeId: 'rack-2', source: 'configuration' });
  });

  it('is derived from the machine-id once, then kept although the machine-id changes', async () => {
    expect(await readNodeId(undefined, dir, { files })).toEqual({ nodeId: derived, source: 'machine-id' });
    expect(readFileSync(join(dir, 'node-id'), 'utf8')).toBe(`${derived}\n`);
    expect(statSync(join(dir, 'node-id')).mode & 0o777).toBe(0o600);
    expect(await readNodeId(undefined, dir, { files: [] })).toEqual({ nodeId: derived, source: 'state' });
  });

  it('is random and kept where there is no machine-id', async () => {
    const made = await readNodeId(undefined, dir, { files: [] });
    expect(made).toEqual({ nodeId: expect.stringMatching(/^[0-9a-f-]{36}$/), source: 'random' });
    expect(await readNodeId(undefined, dir, { files: [] })).toEqual({ nodeId: made.nodeId, source: 'state' });
  });

  it('is made anew from a damaged file', async () => {
    writeFileSync(join(dir, 'node-id'), '\0\0\0');
    expect(await readNodeId(undefined, dir, { files })).toEqual({ nodeId: derived, source: 'machine-id' });
  });

  it('says that it could not be kept', async () => {
    const made = await readNodeId(undefined, join(dir, 'missing'), { files });
    expect(made).toMatchObject({ nodeId: derived, notKept: { code: 'STATE_UNWRITABLE' } });
  });
});
