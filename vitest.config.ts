import { defineConfig } from 'vitest/config';

const report = process.env.TEST_REPORT;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/helpers/setup.ts'],
    // A limit against hanging, not a measure: a test never fails because the machine is slow.
    testTimeout: 240_000,
    hookTimeout: 400_000,
    pool: 'forks',
    maxWorkers: 2,
    // .ci/run counts from a report in JSON.
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
});
