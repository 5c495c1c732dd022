/** The types of the client's methods, from the contract. */
import type { Contract } from './contract/index.ts';
import type { AnswerOf, InputOf, Operation } from './contract/operation.ts';
import type { PrepareOptions } from './request.ts';

export interface CallOptions extends PrepareOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** A call without required input needs no argument. */
export type Arguments<O extends Operation> = keyof InputOf<O> extends never
  ? [input?: Record<string, never>, options?: CallOptions]
  : Record<never, never> extends InputOf<O>
    ? [input?: InputOf<O>, options?: CallOptions]
    : [input: InputOf<O>, options?: CallOptions];

type Call<O> = O extends Operation ? (...args: Arguments<O>) => Promise<AnswerOf<O>> : never;

/** The methods of the client: one for each operation of the contract. */
export type Resources = {
  readonly [Resource in keyof Contract]: {
    readonly [Verb in keyof Contract[Resource]]: Call<Contract[Resource][Verb]>;
  };
};
