/** All operations of the API. The agent imports `devices.ts` alone: the others cost start time and memory. */
import { apps } from './apps.ts';
import { dataSets } from './data-sets.ts';
import { devices } from './devices.ts';
import { gestures } from './gestures.ts';
import type { Operation } from './operation.ts';
import { groups, organization } from './organization.ts';
import { v2 } from './v2.ts';
import { versions } from './versions.ts';

/** By resource and verb: `contract.apps.list`. */
export const contract = { apps, versions, organization, dataSets, devices, gestures, groups, v2 } as const;
export type Contract = typeof contract;

type Known = { [Resource in keyof Contract]: Contract[Resource][keyof Contract[Resource]] }[keyof Contract];

/** By id: `Operations['apps.list']`. */
export type Operations = { [O in Known as O extends Operation ? O['id'] : never]: O };
export type OperationId = keyof Operations;

/** All of them, in the order of the resources. */
export const operations: readonly Operation[] = Object.values(contract).flatMap((resource) =>
  Object.values<Operation>(resource),
);

export const operationOf = (id: string): Operation | undefined => operations.find((each) => each.id === id);
