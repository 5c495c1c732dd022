/** Runs a host, configured by the environment, until its first report, stops it, and prints what keeps the process alive. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { anyHost } from '../../src/base/environment.ts';
import { createLogger } from '../../src/base/log.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createHost } from '../../src/daemon/host.ts';

const { config } = await loadConfig({ env: process.env, defaultFile: '' });
const lines = new PassThrough({ objectMode: true });
const { logger } = createLogger({
  level: 'info',
  format: 'json',
  destination: (line) => lines.emit('line', JSON.parse(line).msg),
});
const host = await createHost(
  config,
  { identity: { nodeId: 'lab-host', source: 'configuration' } },
  {
    log: logger,
    env: process.env,
    hostKind: anyHost,
    hostName: 'lab-host',
    history: 'none',
    timing: { roundWaitMs: 500, stopCollectingMs: 300 },
  },
);
await host.run();
for (let msg = ''; msg !== 'round'; ) [msg] = await once(lines, 'line');
await host.stop();
// what was closed goes with the next turns of the event loop
for (let turns = 0; turns < 10; turns += 1) await setImmediate();
const alive = process.getActiveResourcesInfo().filter((kind) => kind !== 'PipeWrap'); // its own outputs
process.stdout.write(alive.join());
