/**
 * An agent's side of the history, in a process of its own: five minutes of rounds of 60 phones, and now and then the
 * questions of a page. Prints what it cost as JSON. SIGUSR2, which it sends itself, ends the start (`loop.js`).
 */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { createLogger } from '../../src/base/log.ts';
import { openHistory } from '../../src/diagnosis/index.ts';
import type { RuleInput } from '../../src/diagnosis/rule-input.ts';
import { pastUdid } from '../support/history-days.ts';

/** The thread ends when it had nothing to do for 15 s; what it held is given back within 8 s more. */
const REST_MS = 30_000;

const [, , stateDir = '', phones = '60', rounds = '60'] = process.argv;
const residentMegabytes = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;

async function main(): Promise<void> {
  const { logger } = createLogger({ level: 'info', format: 'json', destination: 'stderr' });
  const udids = Array.from({ length: Number(phones) }, (_, phone) => pastUdid(phone));
  await wait(500);
  const before = residentMegabytes();
  const history = openHistory({ log: logger });
  await history.use({ stateDir, days: 90, maxMegabytes: 256 });
  await history.events({ limit: 1 });
  const started = residentMegabytes();
  process.kill(process.pid, 'SIGUSR2');

  const roundMs: number[] = [];
  for (let round = 0; round < Number(rounds); round += 1) {
    const at = Date.now();
    const begin = performance.now();
    history.sample(
      udids.map((udid) => ({
        ...{ udid, at: at + round * 60_000, levelPercent: round % 100, temperatureDecicelsius: 251 },
        ...{ isFull: false, storageUsedBytes: 30_000_000_000 + round },
      })),
    );
    // a tenth of the phones are lost, and back
    const lost = udids.filter((_, phone) => phone % 10 === round % 10);
    void history.record(lost.map((udid) => ({ kind: 'detached', udid, at, where: { devpath: '1-4.2' } })));
    void history.record(
      lost.map((udid) => ({ kind: 'attached', udid, at, state: 'device', where: { devpath: '1-4.2' } })),
    );
    roundMs.push(performance.now() - begin);
    if (round % 10 === 9) {
      const udid = udids[round % udids.length] ?? '';
      await Promise.all([history.events({ udids: [udid], withHost: true }), history.events({})]);
      await Promise.all([history.samples(udid, 0), history.uptime(udid, 90)]);
      await history.ask('evaluate', { input: inputOf(udids), hasUsb: false });
    }
    await wait(100);
  }
  const working = residentMegabytes();
  await wait(REST_MS);
  const resting = residentMegabytes();
  await history.close();
  roundMs.sort((one, other) => one - other);
  process.stdout.write(
    JSON.stringify({
      moreMegabytes: resting - before,
      workingMegabytes: working - before,
      startedMegabytes: started - before,
      roundMs: roundMs[Math.floor(roundMs.length / 2)],
    }),
  );
}

/** The phones as they are now. */
const inputOf = (udids: readonly string[]): RuleInput => ({
  ...{ at: Date.now(), isAdbListed: true },
  phones: udids.map((udid) => ({
    ...{ udid, serial: udid, name: udid, connection: 'usb', where: { devpath: '1-4.2' } },
    ...{ attached: true, state: 'device', isInMaintenance: false },
    ...{ battery: { levelPercent: 50, temperatureDecicelsius: 300 } },
    ...{ storage: { totalBytes: 64e9, usedBytes: 30e9 } },
  })),
});

void main();
