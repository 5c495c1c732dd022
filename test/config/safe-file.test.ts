import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/base/errors.ts';
import { loadConfig } from '../../src/config/load.ts';

const STRANGER = 1234;
const isRoot = process.getuid?.() === 0;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hostnode-safe-file-'));
  mkdirSync(join(dir, 'conf.d'), { mode: 0o755 });
  write('hostnode.yaml', 'cloud:\n  username: lab\n');
  write('conf.d/10-log.yaml', 'log:\n  level: warn\n');
  write('conf.d/20-cloud.yaml', 'cloud:\n  baseUrl: https://cloud.example.com/v1\n');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const at = (name: string) => join(dir, name);

function write(name: string, text: string, mode = 0o644): void {
  writeFileSync(at(name), text);
  chmodSync(at(name), mode);
}

/** What the check, the doctor and a start say, without the folder's own path. */
async function said(env: Record<string, string> = {}) {
  const key = 'HOSTNODE_CLOUD_API_KEY_FILE' in env ? {} : { HOSTNODE_CLOUD_API_KEY: 'k3y' };
  const options = {
    env: { HOME: dir, ...key, ...env },
    defaultFile: at('hostnode.yaml'),
    credential: at('credential'),
  };
  const { problems, warnings } = await loadConfig(options).then(
    (loaded) => ({ problems: [], warnings: loaded.warnings }),
    (error: unknown) => {
      if (!(error instanceof ConfigError)) throw error;
      return error;
    },
  );
  const plain = (lines: readonly string[]) => lines.map((line) => line.replaceAll(`${dir}/`, ''));
  return { problems: plain(problems), warnings: plain(warnings) };
}

const nothing = { problems: [], warnings: [] };

describe('files of the configuration that others may write', () => {
  it('are none where only root and this user may', async () => {
    expect(await said()).toEqual(nothing);
    chmodSync(at('conf.d'), 0o700);
    chmodSync(at('conf.d/20-cloud.yaml'), 0o600);
    expect(await said()).toEqual(nothing);
  });

  it('are refused where they say where the key goes', async () => {
    chmodSync(at('conf.d/20-cloud.yaml'), 0o666);
    expect(await said()).toEqual({
      problems: [
        'conf.d/20-cloud.yaml: anybody may write it (mode 0666), and it sets cloud; run: chmod go-w conf.d/20-cloud.yaml',
      ],
      warnings: [],
    });
  });

  it('are refused in a folder that others may write: they can put another one there', async () => {
    chmodSync(at('conf.d'), 0o777);
    expect(await said()).toEqual({
      problems: [
        'conf.d: anybody may write it (mode 0777), and conf.d/20-cloud.yaml sets cloud; run: chmod go-w conf.d',
      ],
      warnings: [],
    });
    // not one that is there, where only its owner can rename it
    chmodSync(at('conf.d'), 0o1777);
    const warnings = ['conf.d: anybody may write it (mode 1777); run: chmod go-w conf.d'];
    expect(await said()).toEqual({ problems: [], warnings });
  });

  it('are refused behind a link into a folder that others may write', async () => {
    mkdirSync(at('open'));
    write('open/cloud.yaml', 'cloud:\n  baseUrl: https://cloud.example.com/v1\n');
    symlinkSync(at('open/cloud.yaml'), at('conf.d/30-link.yaml'));
    expect(await said()).toEqual(nothing);
    chmodSync(at('open'), 0o777);
    expect((await said()).problems).toEqual([
      'open: anybody may write it (mode 0777), and conf.d/30-link.yaml sets cloud; run: chmod go-w open',
    ]);
  });

  it('get a warning where they say nothing of that kind, or a group may write them', async () => {
    chmodSync(at('conf.d/10-log.yaml'), 0o666);
    if (isRoot) chownSync(at('conf.d/20-cloud.yaml'), 0, STRANGER);
    chmodSync(at('conf.d/20-cloud.yaml'), 0o664);
    const { problems, warnings } = await said();
    expect(problems).toEqual([]);
    const [ofAll, ...ofGroup] = warnings;
    expect(ofAll).toBe(
      'conf.d/10-log.yaml: anybody may write it (mode 0666); run: chmod go-w conf.d/10-log.yaml',
    );
    if (isRoot)
      expect(ofGroup).toEqual([
        `conf.d/20-cloud.yaml: group ${STRANGER} may write it (mode 0664); run: chmod g-w conf.d/20-cloud.yaml`,
      ]);
  });

  it.runIf(isRoot)('are refused where they belong to another user', async () => {
    chownSync(at('conf.d/20-cloud.yaml'), STRANGER, STRANGER);
    expect((await said()).problems).toEqual([
      `conf.d/20-cloud.yaml: belongs to user ${STRANGER}, who may write it, and it sets cloud; run: chown root conf.d/20-cloud.yaml`,
    ]);
  });

  it('are refused as certificates, and as the environment of the service with a proxy in it', async () => {
    write('ca.pem', rootCertificates[0] ?? '', 0o666);
    write('environment', 'HTTPS_PROXY=http://proxy.example:3128\n', 0o666);
    expect((await said({ HOSTNODE_CLOUD_CA_FILE: at('ca.pem') })).problems).toEqual([
      'environment: anybody may write it (mode 0666), and it sets HTTPS_PROXY; run: chmod go-w environment',
      'ca.pem: anybody may write it (mode 0666), and it is cloud.caFile; run: chmod go-w ca.pem',
    ]);
    chmodSync(at('ca.pem'), 0o644);
    chmodSync(at('environment'), 0o644);
    expect(await said({ HOSTNODE_CLOUD_CA_FILE: at('ca.pem') })).toEqual(nothing);
  });

  it('get a warning as the environment of the service that anybody may read, with the key in it', async () => {
    write('environment', 'HOSTNODE_CLOUD_API_KEY=k3y\n');
    expect((await said()).warnings).toEqual([
      expect.stringMatching(/^environment: holds the API key and anybody may read it; /),
    ]);
    chmodSync(at('environment'), 0o600);
    expect(await said()).toEqual(nothing);
  });

  it('are refused as files with secrets where others may put another in their place', async () => {
    mkdirSync(at('keys'), { mode: 0o755 });
    write('keys/key', 'k3y\n', 0o600);
    const env = { HOSTNODE_CLOUD_API_KEY_FILE: at('keys/key') };
    expect(await said(env)).toEqual(nothing);
    chmodSync(at('keys'), 0o777);
    expect((await said(env)).problems).toEqual([
      `cloud.apiKeyFile: keys: anybody may write it (mode 0777), and keys/key holds a secret; run: chmod go-w keys`,
    ]);
    chmodSync(at('keys'), 0o1777); // only its owner can rename it
    expect(await said(env)).toEqual(nothing);
    const password = { HOSTNODE_STATUS_PASSWORD_FILE: at('keys/key') };
    expect(await said(password)).toEqual(nothing);
    chmodSync(at('keys'), 0o777);
    expect((await said(password)).problems).toEqual([
      expect.stringContaining('status.passwordFile: keys: anybody may write it'),
    ]);
  });

  it('are not read where they have no end, or are too long', async () => {
    symlinkSync('/dev/zero', at('conf.d/30-zero.yaml'));
    write('conf.d/40-long.yaml', `# ${'x'.repeat(5 * 1024 * 1024)}`);
    expect((await said()).problems).toEqual([
      'conf.d/30-zero.yaml: cannot be read (not a regular file)',
      expect.stringMatching(/^conf\.d\/40-long\.yaml: cannot be read \(\d+ bytes, at most 4194304\)$/),
    ]);
  });
});
