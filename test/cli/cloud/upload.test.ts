import { expect, it } from 'vitest';
import { progressText } from '../../../src/cli/cloud/upload.ts';

const totalBytes = 284 * 1024 ** 2;

it('the bar of an upload says how much is done', () => {
  expect(progressText({ step: 'transfer', sentBytes: totalBytes / 4, totalBytes })).toBe(
    'uploading [██████──────────────────]  25 %  71.0 of 284.0 MiB',
  );
  expect(progressText({ step: 'transfer', sentBytes: totalBytes, totalBytes })).toContain(
    `[${'█'.repeat(24)}] 100 %`,
  );
});
