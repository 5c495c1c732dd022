/** Faults of an answer of the sandbox cloud. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { sleep } from '../base/time.ts';

export type CloudFault =
  /** Refuses with this status and headers such as `Retry-After`. */
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  | { kind: 'hang' }
  /** Begins a 200 and never ends it. */
  | { kind: 'hang-in-body' }
  | { kind: 'reset' }
  /** Answers late but correctly. */
  | { kind: 'slow'; ms: number }
  /** 200 with a page instead of JSON, as a captive portal answers. */
  | { kind: 'not-json' }
  /** 200 with JSON of another shape. */
  | { kind: 'other-shape' }
  | { kind: 'empty' }
  /** 200 with a body of this size. */
  | { kind: 'huge'; bytes: number }
  | { kind: 'redirect'; location: string }
  /** 200 with fewer bytes than it promises. */
  | { kind: 'cut' }
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body?: string | Buffer };

export class CloudFaults {
  readonly #queue: CloudFault[] = [];
  #standing: CloudFault | undefined;

  /** Queues faults for the next requests, one for each request. */
  next(fault: CloudFault, times = 1): void {
    this.#queue.push(...Array.from({ length: times }, () => fault));
  }

  /** Applies to every request after the queued faults, until `clear`. */
  always(fault: CloudFault): void {
    this.#standing = fault;
  }

  take(): CloudFault | undefined {
    return this.#queue.shift() ?? this.#standing;
  }

  clear(): void {
    this.#queue.length = 0;
    this.#standing = undefined;
  }
}

const page = '<!doctype html><title>Welcome to the guest network</title>';

/** Answers with the fault. Returns false if it only delays, and the correct answer must follow. */
export async function misbehave(fault: CloudFault, response: ServerResponse): Promise<boolean> {
  const json = { 'content-type': 'application/json' };
  switch (fault.kind) {
    case 'status':
      response.writeHead(fault.status, { ...json, ...fault.headers });
      response.end(JSON.stringify({ message: `the test asked the sandbox to answer ${fault.status}` }));
      return true;
    case 'hang':
      return true;
    case 'hang-in-body':
      response.writeHead(200, json).write('{"failedDevices":[');
      return true;
    case 'reset':
      response.socket?.resetAndDestroy();
      return true;
    case 'slow':
      await sleep(fault.ms);
      return false;
    case 'not-json':
      response.writeHead(200, { 'content-type': 'text/html' }).end(page);
      return true;
    case 'other-shape':
      response.writeHead(200, json).end(JSON.stringify({ result: 'ok', count: 3 }));
      return true;
    case 'empty':
      response.writeHead(200).end();
      return true;
    case 'huge':
      response.writeHead(200, json);
      Readable.from(spaces(fault.bytes)).pipe(response);
      return true;
    case 'redirect':
      response.writeHead(307, { location: fault.location }).end();
      return true;
    case 'cut':
      response.writeHead(200, { ...json, 'content-length': 1000 }).write('{"failedDevices":[');
      setImmediate(() => response.destroy());
      return true;
    case 'answer':
      response.writeHead(fault.status, { ...json, ...fault.headers }).end(fault.body);
      return true;
  }
}

/** This many bytes of JSON white space, in pieces. */
function* spaces(bytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024, ' ');
  for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, left);
}
