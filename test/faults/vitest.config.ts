import { defineConfig } from 'vitest/config';

const reportFile = process.env.HOSTNODE_FAULTS_REPORT;
/** How often the agent is killed at random, where it is said. */
const kills = Number(process.env.HOSTNODE_FAULTS_KILLS ?? 0);

export default defineConfig({
  test: {
    include: ['test/faults/*.test.ts'],
    root: new URL('../..', import.meta.url).pathname,
    globalSetup: ['test/support/build-program.ts'],
    testTimeout: 240_000 + 4_000 * kills, // on a busy machine
    maxWorkers: 2,
    maxConcurrency: 4,
    retry: process.env.CI ? 1 : 0, // a retried row says so in its line
    reporters: ['default', ...(reportFile ? ['json'] : [])],
    ...(reportFile && { outputFile: { json: reportFile } }),
  },
});
