/** Faults of the endpoint to which the agent pushes its metrics: said once, kept nowhere, and nothing else suffers. */
import assert from 'node:assert/strict';
import type { Manner, OtlpEndpoint } from '../../support/otlp-endpoint.ts';
import type { Fault } from '../fault.ts';
import { endpointOf } from '../places.ts';
import type { World } from '../world.ts';
import { saidOnce, saidOnceEach, saysOf } from './common.ts';

const notPushed = 'the metrics are not pushed';
const pushedAgain = 'the metrics are pushed again';

/** For so many rounds the endpoint takes nothing: each of them, and its report, comes all the same. */
const ROUNDS_AWAY = 3;

const away = (
  name: string,
  words: RegExp,
  begin: (endpoint: OtlpEndpoint) => unknown,
  end: (endpoint: OtlpEndpoint) => unknown = (endpoint) => endpoint.take(),
): Fault => ({
  name: `the endpoint of the metrics ${name}`,
  in: ['pushing'],
  fault: (world) => begin(endpointOf(world)),
  async observed(world) {
    await saysOf(world, notPushed, words);
    await world.stored(ROUNDS_AWAY);
    assert.deepEqual(world.said(pushedAgain), []);
  },
  async mend(world) {
    await end(endpointOf(world));
    await world.says(pushedAgain);
  },
  never: (world) => saidOnce(world, notPushed),
});

const does = (name: string, manner: Manner, words: RegExp): Fault =>
  away(name, words, (endpoint) => {
    endpoint.manner = manner;
  });

const garbage = {
  status: 200,
  headers: { 'content-type': 'application/x-protobuf' },
  body: Buffer.alloc(4096, 0xff),
};
const endless = { ...garbage, body: Buffer.alloc(50_000_000) };

/** The first push after the outage has each metric once: nothing of what could not be pushed before. */
async function nothingKept(world: World): Promise<void> {
  saidOnceEach(world, notPushed);
  const { body } = await endpointOf(world).pushed();
  const times = body.toString('latin1').split('hostnode_progressing').length - 1;
  assert.equal(times, 1);
}

export const metrics: readonly Fault[] = [
  {
    ...away(
      'is down',
      /nothing listens there/,
      (endpoint) => endpoint.shut(),
      (endpoint) => endpoint.open(),
    ),
    never: nothingKept,
  },
  does('hangs', 'silent', /no answer within 1 s/),
  does('cuts the connection', 'cut', /the connection was cut/),
  does('answers 400', { status: 400 }, /400 Bad Request; look in the log of the endpoint/),
  does('answers 401', { status: 401 }, /401 Unauthorized; check the headers/),
  does('answers 429', { status: 429, headers: { 'retry-after': '3600' } }, /429 Too Many Requests; wait/),
  does('answers 503', { status: 503, headers: { 'retry-after': '0' } }, /503 Service Unavailable; wait/),
  does('answers garbage', garbage, /the answer is not one of OTLP: 200/),
  does('answers 50 MB', endless, /the answer is not one of OTLP: 200/),
  does('redirects', { status: 308, headers: { location: 'http://127.0.0.1:9/' } }, /308, not followed/),
];
