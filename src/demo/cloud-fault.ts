/** What can go wrong with an answer of the sandbox cloud. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

export type CloudFault =
  /** Refuses with this status, and `Retry-After` or the like among the headers. */
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  /** Answers nothing, ever. */
  | { kind: 'hang' }
  /** Begins a 200 and never ends it. */
  | { kind: 'hang-in-body' }
  /** Breaks the connection. */
  | { kind: 'reset' }
  /** Answers late, but well. */
  | { kind: 'slow'; ms: number }
  /** 200 with a page instead of JSON, as a captive portal answers. */
  | { kind: 'not-json' }
  /** 200 with JSON of another kind. */
  | { kind: 'other-shape' }
  /** 200 without a body. */
  | { kind: 'empty' }
  /** 200 with a body of so many bytes. */
  | { kind: 'huge'; bytes: number }
  | { kind: 'redirect'; location: string }
  /** 200 with fewer bytes than it promises. */
  | { kind: 'cut' }
  /** Exactly this. */
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body?: string | Buffer };

/** The faults that are still to come. */
export class CloudFaults {
  readonly #queue: CloudFault[] = [];
  #standing: CloudFault | undefined;

  /** Disturbs the next requests, after those that are disturbed already: each is used up by one request. */
  next(fault: CloudFault, times = 1): void {
    this.#queue.push(...Array.from({ length: times }, () => fault));
  }

  /** Disturbs every request after those, until `clear`. */
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

/** Answers wrongly. False when the answer has only been held up, and the honest one is to follow. */
export async function misbehave(fault: CloudFault, response: ServerResponse): Promise<boolean> {
  const json = { 'content-type': 'application/json' };
  switch (fault.kind) {
    case 'status':
      response.writeHead(fault.status, { ...json, ...fault.headers });
      response.end(JSON.stringify({ message: `the sandbox was told to answer ${fault.status}` }));
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

/** So many bytes of JSON's white space, in pieces. */
function* spaces(bytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024, ' ');
  for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, left);
}
