import { describe, expect, it } from 'vitest';
import { parseHeaders } from '../../src/config/headers-file.ts';

describe('a file with headers', () => {
  it('has one a line, with names in any case, and empty lines', () => {
    const text = 'Authorization: Bearer a:b=\r\n\n X-Scope-OrgID :  lab-7 \n';
    const headers = { authorization: 'Bearer a:b=', 'x-scope-orgid': 'lab-7' };
    expect(parseHeaders(text)).toEqual({ headers });
  });

  it.each([
    ['', 'must contain "Name: value", one a line'],
    ['Bearer s3cret', 'line 1 must be "Name: value" in ASCII'],
    ['x: 1\nAuthorization:', 'line 2 must be "Name: value" in ASCII'],
    [': s3cret', 'line 1 must be "Name: value" in ASCII'],
    ['bad name: s3cret', 'line 1 must be "Name: value" in ASCII'],
    ['x: s3cret\u0007', 'line 1 must be "Name: value" in ASCII'],
    ['x: s3crét', 'line 1 must be "Name: value" in ASCII'],
    [`x: ${'s'.repeat(8193)}`, 'line 1 must be "Name: value" in ASCII'],
    ['Content-Length: 5', 'line 1: hostnode sets content-length itself'],
    ['Host: elsewhere', 'line 1: hostnode sets host itself'],
    ['x: s3cret\nX: s3cret', 'line 2: x is there twice'],
    [Array.from({ length: 21 }, (_, index) => `x-${index}: s3cret`).join('\n'), 'more than 20 headers'],
  ])('%j is refused, without what may be a secret', (text, problem) => {
    expect(parseHeaders(text)).toEqual({ problem });
  });

  it('keeps a name that JavaScript gives a meaning', () => {
    expect(parseHeaders('__proto__: x')).toEqual({ headers: Object.fromEntries([['__proto__', 'x']]) });
  });
});
