import { describe, expect, it } from 'vitest';
import { operation } from '../../src/cloud/contract/operation.ts';
import { failureOfStatus, retryAfterIn } from '../../src/cloud/failure.ts';

const now = Date.UTC(2025, 0, 1, 12, 0, 0);

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    [' 120 ', 120_000],
    ['Wed, 01 Jan 2025 12:00:30 GMT', 30_000],
    ['Wednesday, 01-Jan-25 12:00:30 GMT', 30_000],
    ['Wed Jan  1 12:00:30 2025 GMT', 30_000],
    ['Wed, 01 Jan 2025 11:00:00 GMT', 0],
    ['Fri, 01 Jan 2100 00:00:00 GMT', 3_600_000],
    ['31536000', 3_600_000],
    ['9'.repeat(400), 3_600_000],
    ['', undefined],
    [undefined, undefined],
    ['1.5', undefined],
    ['-1', undefined],
    ['Wed, rubbish', undefined],
    ['2025', 2_025_000],
  ])('of %s is %s ms', (header, waitMs) => {
    expect(retryAfterIn({ 'retry-after': header }, now)).toBe(waitMs);
  });
});

describe('A request of your own', () => {
  it.each([404, 405])('that the cloud answers with %i is to be checked, not the base URL', (status) => {
    const own = operation('api', 'GET /v2/apps/12', { summary: 'GET /v2/apps/12' });
    const failed = { request: 'GET /v2/apps/12', operation: own, status, headers: {}, body: '' };
    expect(failureOfStatus(failed, (text) => text, now).trouble.remedy).toBe('Check the method and the path');
  });
});
