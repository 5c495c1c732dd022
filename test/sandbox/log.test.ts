import { describe, expect, it } from 'vitest';
import { operations } from '../../src/cloud/contract/index.ts';
import { inputsOf } from '../../src/cloud/contract/inputs.ts';
import { RequestLog, shownBody } from '../../src/sandbox/log.ts';

const shown = (text: string) => JSON.stringify(shownBody(text, JSON.parse(text)));

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
});
