import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ConfigError } from '../../src/base/errors.ts';
import { effectiveSettings } from '../../src/config/effective.ts';
import { loadConfig } from '../../src/config/load.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hostnode-moved-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** The configuration of these files, and the warnings about it, without the folder's own path. */
async function load(texts: Record<string, string>, env: Record<string, string> = {}) {
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text, { mode: 0o600 });
  }
  const options = { env: { HOSTNODE_STATE_DIR: '/state', ...env }, defaultFile: join(dir, 'hostnode.yaml') };
  const loaded = await loadConfig(options);
  const shown = await effectiveSettings(options, loaded);
  return {
    wants: loaded.config.prepare.wants,
    off: loaded.config.findings.off,
    from: shown.find(({ key }) => key === 'prepare.wants')?.from.replaceAll(`${dir}/`, ''),
    warnings: loaded.warnings.map((line) => line.replaceAll(`${dir}/`, '')),
  };
}

it('reads the switches of the readiness as what is wanted, and says where that belongs now', async () => {
  const old = 'findings:\n  readiness:\n    screenOff: true\n    dialog: true\n    stayAwake: false\n';
  expect(await load({ 'hostnode.yaml': old })).toEqual({
    wants: ['screenOn', 'dialog'],
    off: [],
    from: 'hostnode.yaml:3',
    warnings: [
      'findings.readiness (hostnode.yaml:3): has moved; write prepare.wants: [screenOn, dialog] in its place (docs/preparing.md)',
    ],
  });
});

it('adds them to what the new key wants in the same place', async () => {
  const both = 'findings: { readiness: { dialog: true } }\nprepare: { wants: [battery, dialog] }\n';
  expect(await load({ 'hostnode.yaml': both })).toMatchObject({
    wants: ['battery', 'dialog'],
    from: 'hostnode.yaml:2',
  });
});

it('joins the switches of file, drop-in and environment, of which the last counts', async () => {
  const texts = {
    'hostnode.yaml': 'findings: { readiness: { screenLocked: true, stayAwake: true } }\n',
    'conf.d/10.yaml': 'findings: { readiness: { stayAwake: false, dialog: true } }\n',
  };
  const env = { HOSTNODE_FINDINGS_READINESS_DEVELOPER_OPTIONS: 'true' };
  expect(await load(texts, env)).toMatchObject({
    wants: ['screenLock', 'developerOptions', 'dialog'],
    from: 'HOSTNODE_FINDINGS_READINESS_DEVELOPER_OPTIONS',
    warnings: { length: 3 },
  });
});

it('leaves out what was wanted and off, and codes that are gone', async () => {
  const old =
    'findings:\n  off: [USB_SLOW, SCREEN_OFF]\n  readiness: { screenOff: true, screenLocked: true }\n';
  expect(await load({ 'hostnode.yaml': old })).toMatchObject({
    wants: ['screenLock'],
    off: ['USB_SLOW'],
    warnings: [
      'findings.off (hostnode.yaml:2): SCREEN_OFF: NOT_PREPARED has taken its place, and finds only what prepare.wants lists; remove it here',
      expect.stringContaining('prepare.wants: [screenLock]'),
    ],
  });
});

it.each([
  'findings: { readiness: { screenOff: yes please } }',
  'findings: { readiness: { screen: true } }',
  'findings: { readiness: [screenOff] }',
])('rejects %s, as before', async (yaml) => {
  await expect(load({ 'hostnode.yaml': yaml })).rejects.toThrow(ConfigError);
});

it('says nothing of a configuration without them', async () => {
  expect((await load({ 'hostnode.yaml': 'prepare: { wants: [manual] }\n' })).warnings).toEqual([]);
});
