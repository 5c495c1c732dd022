import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    root: new URL('..', import.meta.url).pathname,
    testTimeout: 20_000,
  },
});
