/** Faults of an address that is told of findings: said once, kept nowhere, and told what is so when it is back. */
import assert from 'node:assert/strict';
import type { Manner, OtlpEndpoint } from '../../support/otlp-endpoint.ts';
import type { Fault } from '../fault.ts';
import { endpointOf } from '../places.ts';
import { recordingOf, type World } from '../world.ts';
import { saidOnceEach, saysOf, xiaomi } from './common.ts';

const notTaken = 'a message about findings is not taken';

/** A finding begins with the next round. */
function plugBurning(world: World): void {
  const recording = recordingOf(xiaomi);
  const dump = recording.answers['battery.dump'];
  assert.ok(Array.isArray(dump));
  const burning = dump.map((line) => line.replace(/^( *temperature: )-?\d+/, '$1650'));
  world.add({ ...recording, answers: { ...recording.answers, 'battery.dump': burning } }).plug();
}

const away = (
  name: string,
  words: RegExp,
  begin: (endpoint: OtlpEndpoint) => unknown,
  end: (endpoint: OtlpEndpoint) => unknown = (endpoint) => endpoint.take(),
): Fault => ({
  name: `the address of messages ${name}`,
  in: ['telling'],
  async fault(world) {
    await begin(endpointOf(world));
    plugBurning(world);
  },
  observed: (world) => saysOf(world, notTaken, words),
  async mend(world) {
    await end(endpointOf(world));
    await world.says('messages about findings are taken again');
  },
  never(world) {
    saidOnceEach(world, notTaken);
    const [last] = endpointOf(world).pushes.slice(-1);
    const { findings } = JSON.parse(last?.body.toString() ?? '');
    assert.deepEqual(
      findings.map(({ change, code }: { change: string; code: string }) => [change, code]),
      [['began', 'BATTERY_HOT']],
    );
  },
});

const does = (name: string, manner: Manner, words: RegExp): Fault =>
  away(name, words, (endpoint) => {
    endpoint.manner = manner;
  });

export const notify: readonly Fault[] = [
  away(
    'is down',
    /nothing listens there/,
    (endpoint) => endpoint.shut(),
    (endpoint) => endpoint.open(),
  ),
  does('hangs', 'silent', /no answer within 10 s/),
  does(
    'answers with a page',
    { status: 200, body: '<!doctype html>' },
    /the answer is not one of a webhook: 200/,
  ),
];
