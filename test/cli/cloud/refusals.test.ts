import { expect, it } from 'vitest';
import { exitCode } from '../../../src/base/exit-code.ts';
import { codeOf } from '../../../src/cli/cloud/refusals.ts';
import { CloudAnswerError, CloudRedirectError, CloudUploadError } from '../../../src/cloud/errors.ts';
import { classOf } from '../../../src/cloud/failure.ts';

it.each([
  [400, exitCode.failed],
  [401, exitCode.cloud],
  [403, exitCode.cloud],
  [404, exitCode.failed],
  [409, exitCode.failed],
  [413, exitCode.failed],
  [429, exitCode.cloud],
  [500, exitCode.cloud],
  [503, exitCode.cloud],
])('status %i ends with exit code %i', (status, code) => {
  const Failure = classOf(status);
  expect(codeOf(new Failure('said', { request: 'GET /', status }))).toBe(code);
});

it('a foreign answer is a fault of the cloud; an upload has the code of its cause', () => {
  const foreign = new CloudAnswerError('no', { request: 'GET /' });
  expect(codeOf(foreign)).toBe(exitCode.cloud);
  expect(codeOf(new CloudRedirectError('no', { request: 'GET /' }))).toBe(exitCode.cloud);
  const upload = (cause: unknown) =>
    new CloudUploadError(
      'no',
      { request: 'PUT /', step: 'transfer', leftBehind: 'all', appPath: undefined },
      { cause },
    );
  expect(codeOf(upload(foreign))).toBe(exitCode.cloud);
  expect(codeOf(upload(new Error('Ctrl-C')))).toBe(exitCode.failed);
});
