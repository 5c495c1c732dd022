import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withServiceEnvironment } from '../../src/config/service-environment.ts';

function rootWith(text: string): string {
  const root = mkdtempSync(join(tmpdir(), 'hostnode-root-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'etc/hostnode'), { recursive: true });
  writeFileSync(join(root, 'etc/hostnode/environment'), text);
  return `${root}/`;
}

describe('the variables of the service', () => {
  it('stand below those of the shell', () => {
    const root = rootWith('# the proxy\nHTTPS_PROXY="http://proxy:3128"\nHOSTNODE_LOG_LEVEL=debug\n');
    expect(withServiceEnvironment({ HOSTNODE_LOG_LEVEL: 'warn' }, undefined, root)).toEqual({
      HTTPS_PROXY: 'http://proxy:3128',
      HOSTNODE_LOG_LEVEL: 'warn',
    });
  });

  it('are not read twice in the service itself, and are none where there is no file', () => {
    const inService = { INVOCATION_ID: 'f00', SYSTEMD_EXEC_PID: String(process.pid) };
    expect(withServiceEnvironment(inService, undefined, rootWith('A=b\n'))).toEqual(inService);
    expect(withServiceEnvironment({ A: 'b' }, undefined, '/nowhere/')).toEqual({ A: 'b' });
  });

  it('are read in a shell below another service, which has its invocation only', () => {
    const inherited = { INVOCATION_ID: 'f00', SYSTEMD_EXEC_PID: String(process.ppid) };
    const root = rootWith('A=b\n');
    expect(withServiceEnvironment(inherited, undefined, root)).toEqual({ ...inherited, A: 'b' });
    expect(withServiceEnvironment({ INVOCATION_ID: 'f00' }, undefined, root)).toMatchObject({ A: 'b' });
  });

  it('are none of a configuration that was asked for by name', () => {
    expect(withServiceEnvironment({}, 'other.yaml', rootWith('A=b\n'))).toEqual({});
  });
});
