/** The methods of the client, as types. The npm package has them written out, with the names and words of the contract. */
import type { Contract, Operations } from './contract/index.ts';
import type { AnswerOf, InputOf, Operation } from './contract/operation.ts';
import type { CallOptions } from './request.ts';

/** A call without required input needs no argument; a value that is undefined counts as left out. */
type Arguments<Input> = keyof Input extends never
  ? [input?: Record<string, never>, options?: CallOptions]
  : Record<never, never> extends Input
    ? [input?: Input, options?: CallOptions]
    : [input: Input, options?: CallOptions];

type MayBeUndefined<T> = {
  [Key in keyof T]: Record<never, never> extends Pick<T, Key> ? T[Key] | undefined : T[Key];
};

/** By id: `Calls['apps.list']`. */
export type Calls = {
  [Id in keyof Operations]: (
    ...args: Arguments<MayBeUndefined<InputOf<Operations[Id]>>>
  ) => Promise<AnswerOf<Operations[Id]>>;
};

/** By resource and verb: `Resources['apps']['list']`. */
export type Resources = {
  readonly [Resource in keyof Contract]: {
    readonly [Verb in keyof Contract[Resource]]: Contract[Resource][Verb] extends Operation
      ? Calls[Contract[Resource][Verb]['id'] & keyof Calls]
      : never;
  };
};
