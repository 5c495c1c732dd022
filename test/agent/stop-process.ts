/** Runs an agent, configured by the environment, until its first report, stops it, and says so when the process lives on. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createLogger } from '../../src/base/log.ts';
import { loadConfig } from '../../src/config/load.ts';
import { assembleAgent } from '../../src/daemon/assemble-agent.ts';

const { config } = await loadConfig({ env: process.env, defaultFile: '' });
const lines = new PassThrough({ objectMode: true });
const { logger } = createLogger({
  level: 'info',
  format: 'json',
  destination: (line) => lines.emit('line', JSON.parse(line).msg),
});
const agent = assembleAgent({
  config,
  nodeId: 'lab-host',
  log: logger,
  timing: { roundWaitMs: 500, stopCollectingMs: 300 },
});
agent.start();
for (let msg = ''; msg !== 'round'; ) [msg] = await once(lines, 'line');
await agent.stop();
// it keeps no process alive: it runs only where something else does
setTimeout(() => process.stdout.write('it lives on'), 1_500).unref();
