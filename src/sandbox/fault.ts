/** Faults of answers: what a cloud, or the way to it, can do wrong. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import * as z from 'zod';
import { sleep } from '../base/time.ts';

const status = z.int().min(200).max(599);
/** What HTTP allows in a header's name and value. */
const headers = z.exactOptional(
  z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/)),
);

/** A fault, as the control API takes it. */
export const CloudFault = z.discriminatedUnion('kind', [
  /** Refuses with this status and headers such as `Retry-After`. */
  z.strictObject({ kind: z.literal('status'), status, headers }),
  z.strictObject({ kind: z.literal('hang') }),
  /** Begins a 200 and never ends it. */
  z.strictObject({ kind: z.literal('hang-in-body') }),
  z.strictObject({ kind: z.literal('reset') }),
  /** Answers late but correctly. */
  z.strictObject({ kind: z.literal('slow'), ms: z.int().min(0).max(600_000) }),
  /** 200 with a body of this size. */
  z.strictObject({ kind: z.literal('huge'), bytes: z.int().min(0) }),
  /** 200 with fewer bytes than it promises. */
  z.strictObject({ kind: z.literal('cut') }),
  z.strictObject({
    kind: z.literal('answer'),
    status,
    headers,
    body: z.exactOptional(z.union([z.string(), z.instanceof(Buffer)])),
  }),
]);
export type CloudFault = z.infer<typeof CloudFault>;

/** Stands in place of an operation for what the storage answers. */
export const STORAGE = 'storage';

interface Planned {
  readonly fault: CloudFault;
  /** How many more requests it is for. */
  times: number;
  readonly operation: string | undefined;
}

export class CloudFaults {
  /** Those for some requests, then those that last. */
  #planned: Planned[] = [];

  /** Queues a fault for the next requests; with an operation's id or `storage`, for the next of these. */
  next(fault: CloudFault, times = 1, operation?: string): void {
    const standing = this.#planned.findIndex((each) => each.times === Infinity);
    this.#planned.splice(standing < 0 ? this.#planned.length : standing, 0, { fault, times, operation });
  }

  /** Applies to every request after the queued faults, until `clear`. */
  always(fault: CloudFault, operation?: string): void {
    const others = this.#planned.filter((each) => each.times !== Infinity || each.operation !== operation);
    this.#planned = [...others, { fault, times: Infinity, operation }];
  }

  /** The fault for a request of this operation; for one of the storage only one that names it. */
  take(operation?: string): CloudFault | undefined {
    const isMeant = (each: Planned) =>
      each.operation === operation || (each.operation === undefined && operation !== STORAGE);
    const planned = this.#planned.find(isMeant);
    if (planned === undefined) return undefined;
    planned.times -= 1;
    if (planned.times === 0) this.#planned.splice(this.#planned.indexOf(planned), 1);
    return planned.fault;
  }

  clear(): void {
    this.#planned = [];
  }
}

/** Answers with the fault. Returns false if it only delays, and the correct answer must follow. */
export async function misbehave(fault: CloudFault, response: ServerResponse): Promise<boolean> {
  const json = { 'content-type': 'application/json' };
  const begun = '{"failedDevices":[';
  if (fault.kind === 'slow') await sleep(fault.ms);
  else if (fault.kind === 'hang-in-body') response.writeHead(200, json).write(begun);
  else if (fault.kind === 'reset') response.socket?.resetAndDestroy();
  else if (fault.kind === 'huge') Readable.from(spaces(fault.bytes)).pipe(response.writeHead(200, json));
  else if (fault.kind === 'cut') {
    response.writeHead(200, { ...json, 'content-length': 1000 }).write(begun);
    setImmediate(() => response.destroy());
  } else if (fault.kind === 'status') {
    const message = `the test asked the sandbox to answer ${fault.status}`;
    response.writeHead(fault.status, { ...json, ...fault.headers }).end(JSON.stringify({ message }));
  } else if (fault.kind === 'answer')
    response.writeHead(fault.status, { ...json, ...fault.headers }).end(fault.body);
  return fault.kind !== 'slow';
}

/** This many bytes of JSON white space, in pieces. */
function* spaces(bytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024, ' ');
  for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, left);
}
