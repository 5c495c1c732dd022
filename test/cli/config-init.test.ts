import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { placesFor, programName } from '../../src/cli/config-init.ts';

const here = { isRoot: false, hasService: false, cwd: '/home/lab', program: 'hostnode' };
const commands = (next: readonly string[]) => next.map((line) => line.split('  ')[0]?.trim());

describe('where config init writes', () => {
  it('is the current directory, and the commands after it name the file', () => {
    const { config, key, isCredential, next } = placesFor({}, here);
    expect([config, key, isCredential]).toEqual([
      { path: '/home/lab/hostnode.yaml' },
      { path: '/home/lab/cloud-api-key' },
      false,
    ]);
    expect(commands(next)).toEqual(
      ['doctor', 'run', 'status'].map((command) => `hostnode ${command} --config hostnode.yaml`),
    );
  });

  it("is the service's configuration and credential for root", () => {
    const { config, key, isCredential, next } = placesFor({}, { ...here, isRoot: true, hasService: true });
    expect([config, key, isCredential]).toEqual([
      { path: '/etc/hostnode/hostnode.yaml', folderMode: 0o755 },
      { path: '/etc/credstore/hostnode.cloud-api-key', folderMode: 0o700 },
      true,
    ]);
    expect(commands(next)).toEqual(['hostnode doctor', 'systemctl restart hostnode', 'hostnode status']);
    expect(commands(placesFor({}, { ...here, isRoot: true }).next)[1]).toBe('hostnode run');
  });

  it('is where the options say; the key lies beside the file', () => {
    const { config, key, next } = placesFor({ config: "../rack 2/it's.yaml" }, { ...here, isRoot: true });
    expect([config.path, key.path]).toEqual(["/home/rack 2/it's.yaml", '/home/rack 2/cloud-api-key']);
    expect(commands(next)[0]).toBe("hostnode doctor --config '../rack 2/it'\\''s.yaml'");
    expect(placesFor({ keyFile: 'keys/cloud' }, here).key).toEqual({ path: '/home/lab/keys/cloud' });
  });

  it('goes on with commands that run where it was called: in a checkout there is no hostnode', () => {
    const program = programName({ npm_lifecycle_event: 'hostnode' });
    expect(commands(placesFor({}, { ...here, program }).next)).toEqual(
      ['doctor', 'run', 'status'].map((command) => `npm run hostnode -- ${command} --config hostnode.yaml`),
    );
    expect([{}, { npm_lifecycle_event: 'test' }].map(programName)).toEqual(['hostnode', 'hostnode']);
  });

  it('is not committed from a checkout', () => {
    const { config, key } = placesFor({}, here);
    const ignored = readFileSync(new URL('../../.gitignore', import.meta.url), 'utf8').split('\n');
    expect(ignored).toEqual(
      expect.arrayContaining([config, key].map(({ path }) => path.replace(here.cwd, ''))),
    );
  });
});
