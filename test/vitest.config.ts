/**
 * The tests in four projects: `unit` runs from the sources and needs nothing; `process` runs the built program, and
 * what keeps a processor busy for long;
 * `host` needs more of the machine (adb, systemd, containers, packages, Chromium) and skips what is not there; so does
 * `usb`, a machine under QEMU with a USB bus.
 */
import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { CorpusReporter } from './support/corpus-reporter.ts';
import { FindingsReporter } from './support/findings-reporter.ts';
import { LongestFirst } from './support/longest-first.ts';
import { ProjectReporter } from './support/project-reporter.ts';

const reportFile = process.env.HOSTNODE_TEST_REPORT;
const root = new URL('..', import.meta.url).pathname;
const inFolders = (...folders: string[]) => folders.map((folder) => `test/${folder}/**/*.test.ts`);

/** Days of a schedule second by second; phones that do anything at any byte; rules in many sequences; years of labs. */
const long = [
  'agent/any-mixture',
  'agent/daylight-saving',
  'agent/half-way',
  'findings/incidents/incidents',
  'findings/incidents/months',
  'sandbox/rules',
];
/** What is certain only of a process of its own: who has a lock, what a closed terminal does to a log. */
const starters = ['base/log', 'fuzz/command', 'host/lock'];

const processTests = [
  ...inFolders('bench', 'e2e', 'security'),
  ...[...long, ...starters].map((name) => `test/${name}.test.ts`),
];
const hostTests = inFolders(
  'ansible',
  'container',
  'judge',
  'package',
  'page',
  'rig',
  'status/metrics',
  'systemd',
);
const usbTests = inFolders('usb');
const faults = inFolders('faults');
const build = ['test/support/build-program.ts'];
/** What a file imports is loaded for the first of a worker's files only. */
const shared = { isolate: false, setupFiles: ['test/support/nothing-left.ts'] };
const MEMORY = '/dev/shm';
/** Temporary files where no disk is waited for, if there is room: most tests have the agent write its state, which it flushes. */
function inMemory(): { TMPDIR?: string } {
  const { bavail = 0, bsize = 0 } = existsSync(MEMORY) ? statfsSync(MEMORY) : {};
  return bavail * bsize > 1e9 ? { TMPDIR: MEMORY } : {};
}
/**
 * Two for each processor: most of these tests wait for a program, which waits for a timer, a guest or a disk. The times end
 * what hangs: guests boot, packages are built, roots are unpacked, several at a time.
 */
const afterUnit = {
  ...shared,
  sequence: { groupOrder: 1 },
  maxWorkers: 2 * availableParallelism(),
  testTimeout: 600_000,
  hookTimeout: 900_000, // a hook that fails is not tried again
};

export default defineConfig({
  test: {
    root,
    // these end a test that hangs: none is to fail because the machine is slow
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 50_000 } },
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    retry: process.env.CI ? 1 : 0, // on a machine with other work; who needed it is printed
    reporters: [
      process.env.HOSTNODE_TEST_VERBOSE ? 'default' : new ProjectReporter(),
      new CorpusReporter(),
      new FindingsReporter(),
      ...(reportFile ? ['json'] : []),
    ],
    ...(reportFile && { outputFile: { json: reportFile } }),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          ...shared,
          experimental: { viteModuleRunner: false }, // Node itself reads TypeScript, at less work
          env: { TZ: 'UTC', ...inMemory() }, // times of day are written for UTC; who needs another zone sets it
          maxWorkers: 3 * availableParallelism(), // most tests wait for a timer or a socket
          sequence: { groupOrder: 0 }, // with so many workers it runs by itself, before the others
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...processTests, ...hostTests, ...usbTests, ...faults],
        },
      },
      {
        extends: true,
        // each file by itself: some change the time zone, some what programs inherit
        test: { name: 'process', include: processTests, globalSetup: build, ...afterUnit, isolate: true },
      },
      {
        extends: true,
        test: { name: 'host', include: hostTests, globalSetup: build, ...afterUnit },
      },
      {
        extends: true,
        test: {
          name: 'usb',
          include: usbTests,
          globalSetup: build,
          ...afterUnit,
          provide: { beganAt: Date.now() },
          retry: 0, // days in order
          maxWorkers: 1 + availableParallelism(), // a machine keeps a processor busy most of the time
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
