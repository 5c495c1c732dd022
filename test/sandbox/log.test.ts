import { describe, expect, it } from 'vitest';
import { operations } from '../../src/cloud/contract/index.ts';
import { inputsOf } from '../../src/cloud/contract/inputs.ts';
import { RequestLog, withoutSecrets } from '../../src/sandbox/log.ts';

const shown = (text: string) => JSON.stringify(withoutSecrets(JSON.parse(text)));

describe('the log of requests', () => {
  it.each([
    ...new Set(
      operations
        .flatMap(inputsOf)
        .filter(({ isSecret }) => isSecret)
        .map(({ name }) => name),
    ),
  ])('hides the secret input %s', (name) => {
    expect(shown(JSON.stringify({ email: 'a@b', [name]: 's3cret' }))).toBe(`{"email":"a@b","${name}":"***"}`);
  });

  it('hides other names of secrets, at any depth, also written with escapes', () => {
    expect(shown('{"users":[{"newPwd":"x","name":"eve"}]}')).toBe(
      '{"users":[{"newPwd":"***","name":"eve"}]}',
    );
    expect(shown('{"p\\u0061ssword":"x"}')).toBe('{"password":"***"}');
  });

  it('remembers the last 1000', () => {
    const log = new RequestLog();
    for (let index = 0; index < 1001; index += 1) log.note('GET', `/${index}`);
    expect([log.requests.length, log.requests[0]?.path]).toEqual([1000, '/1']);
  });

  it('remembers no more than 16 MiB of bodies and answers', () => {
    const log = new RequestLog();
    const answer = 'x'.repeat(1024 * 1024 - 2);
    for (let index = 0; index < 100; index += 1) {
      const noted = log.note('GET', `/${index}`);
      noted.answer = answer;
      log.grown(noted, JSON.stringify(answer).length);
    }
    expect([log.requests.length, log.requests[0]?.path]).toEqual([16, '/84']);
    const huge = log.note('GET', '/huge');
    huge.answer = answer;
    log.grown(huge, 20 * 1024 * 1024);
    expect(log.requests).toEqual([{ method: 'GET', path: '/huge' }]);
  });
});
