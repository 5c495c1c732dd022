/** The handlers of all operations. */
import { type Contract, contract } from '../../cloud/contract/index.ts';
import type { Operation } from '../../cloud/contract/operation.ts';
import type { Call, HandlersOf } from '../handler.ts';
import { apps } from './apps.ts';
import { dataSets } from './data-sets.ts';
import { devices } from './devices.ts';
import { gestures } from './gestures.ts';
import { groups } from './groups.ts';
import { organization } from './organization.ts';
import { v2 } from './v2.ts';
import { versions } from './versions.ts';

const handlers: { readonly [Resource in keyof Contract]: HandlersOf<Resource> } = {
  apps,
  versions,
  organization,
  dataSets,
  devices,
  gestures,
  groups,
  v2,
};

type AnyHandler = (call: Call) => unknown;

const byId = new Map<string, AnyHandler>(
  Object.entries(contract).flatMap(([resource, verbs]) => {
    const own = handlers[resource as keyof Contract] as unknown as Record<string, AnyHandler>;
    return Object.entries<Operation>(verbs).flatMap(([verb, { id }]) => {
      const handler = own[verb];
      return handler === undefined ? [] : [[id, handler] as const];
    });
  }),
);

/** @throws {Error} the operation has no handler; the types forbid it */
export function handlerOf({ id }: Operation): AnyHandler {
  const handler = byId.get(id);
  if (handler === undefined) throw new Error(`the sandbox has no handler for ${id}`);
  return handler;
}
