import { configDefaults, defineConfig } from 'vitest/config';
import { CorpusReporter } from './corpus-reporter.ts';

const reportFile = process.env.HOSTNODE_TEST_REPORT;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/faults/**'],
    root: new URL('..', import.meta.url).pathname,
    globalSetup: ['test/e2e/build-program.ts'],
    testTimeout: 20_000,
    maxWorkers: '100%', // most tests wait for others
    reporters: ['default', new CorpusReporter(), ...(reportFile ? ['json'] : [])],
    ...(reportFile && { outputFile: { json: reportFile } }),
  },
});
