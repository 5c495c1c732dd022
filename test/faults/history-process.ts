/**
 * A process that records into the history of a state directory: `record N` for a note, `happen N` for an event and `end`
 * come by stdin. Prints `sent N` before it records one and `disk N` once that note is on the disk, or `refused N`.
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createLogger } from '../../src/base/log.ts';
import { openHistory } from '../../src/diagnosis/index.ts';

const [, , stateDir = '', maxMegabytes = '16'] = process.argv;
const { logger } = createLogger({
  ...{ level: 'info', format: 'json' },
  destination: (line) => writeSync(2, line),
});
const history = openHistory({ log: logger });
void history.use({ stateDir, days: 90, maxMegabytes: Number(maxMegabytes) });
const print = (word: string, number: number) => writeSync(1, `${word} ${number}\n`);

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const [command, number] = line.split(' ');
  if (command === 'end') return lines.close();
  const text = Number(number);
  print('sent', text);
  if (command === 'happen')
    return void history.record([{ kind: 'agentStarted', at: Date.now(), version: String(text) }]);
  const where = { slot: `bay ${text % 7}` };
  void history
    .record([{ kind: 'note', udid: `PHONE${text % 5}`, at: Date.now(), text: String(text), where }])
    .then((isOnDisk) => print(isOnDisk ? 'disk' : 'refused', text));
});
lines.on('close', () => void history.close().then(() => process.exit()));
