import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The program's sources by their path; what only builds it is no part of it. */
const sources = new Map(
  globSync('src/**/*.{ts,tsx}', { cwd: root })
    .filter((path) => !/^src\/build[^/]*$/.test(path))
    .map((path) => [path, readFileSync(root + path, 'utf8')]),
);

const filesWith = (pattern: RegExp): string[] =>
  [...sources].filter(([, text]) => pattern.test(text)).map(([path]) => path);

describe('the sources', () => {
  it('start other programs in six places, by no shell', () => {
    expect(sources.size).toBeGreaterThan(150);
    const starters = [
      'src/adb/server-start.ts',
      'src/cli/support/parts.ts',
      'src/config/secrets.ts',
      'src/doctor/host.ts',
      'src/doctor/port-power.ts',
      'src/host/kernel-log.ts',
    ];
    expect(filesWith(/child_process/).toSorted()).toEqual(starters);
    const imported = starters.map(
      (path) => /import (\{.*\}) from 'node:child_process'/.exec(sources.get(path) ?? '')?.[1],
    );
    expect(imported).toEqual([
      '{ spawn }',
      '{ execFile }',
      '{ spawnSync }',
      '{ execFile }',
      '{ execFile }',
      '{ spawn }',
    ]);
    expect(filesWith(/\bshell: |\bfork\(|node:(?:cluster|inspector)|\beval\(|new Function\(/)).toEqual([]);
    // the history's thread, and the one that ends a parser of the sandbox, from files of our own
    expect(filesWith(/node:worker_threads|new Worker\(/).toSorted()).toEqual([
      'src/history/store/thread.ts',
      'src/history/store/worker.ts',
      'src/sandbox/apk-worker.ts',
      'src/sandbox/parsing.ts',
    ]);
    // a bundle of our own, with code in a directory that only this user, or root, can write
    expect(filesWith(/node:vm|new Script\(/)).toEqual(['src/base/v8.ts']);
    expect(filesWith(/runBundle\(/).toSorted()).toEqual(['src/base/v8.ts', 'src/launch.ts']);
  });

  it('verify every certificate, but for two looks of the doctor, which send no credentials', () => {
    const looks = 'src/doctor/network.ts'; // certificate and clock
    expect(filesWith(/rejectUnauthorized: false/)).toEqual([looks]);
    expect(sources.get(looks)?.match(/rejectUnauthorized: false/g)).toHaveLength(2);
    expect(sources.get(looks)).not.toMatch(/authorization:|reveal|CloudClient/);
    expect(filesWith(/NODE_TLS|checkServerIdentity|insecureHTTPParser|TLSv1(?!\.[23])/)).toEqual([]);
  });

  it('make nothing of a text in the page but text', () => {
    expect(filesWith(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|javascript:/i)).toEqual(
      [],
    );
  });

  it('reveal a secret where it is used and nowhere else', () => {
    expect(filesWith(/\.reveal\(\)/).toSorted()).toEqual([
      'src/cli/cloud/chosen-cloud.ts',
      'src/cli/hosts.ts',
      'src/cli/support/redaction.ts',
      'src/cloud/endpoint.ts',
      'src/daemon/host-parts.ts',
      'src/status/http/server.ts',
      'src/status/notify/client.ts',
      'src/status/notify/notifier.ts',
    ]);
  });
});
