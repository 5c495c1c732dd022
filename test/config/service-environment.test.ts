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
    const inService = { INVOCATION_ID: 'f00' };
    expect(withServiceEnvironment(inService, undefined, rootWith('A=b\n'))).toEqual(inService);
    expect(withServiceEnvironment({ A: 'b' }, undefined, '/nowhere/')).toEqual({ A: 'b' });
  });

  it('are none of a configuration that was asked for by name', () => {
    expect(withServiceEnvironment({}, 'other.yaml', rootWith('A=b\n'))).toEqual({});
  });
});
