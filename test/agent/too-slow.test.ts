import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { sections } from '../../src/facts/index.ts';
import { readRoster, writeRoster } from '../../src/roster/store.ts';
import { endless } from '../support/endless-sections.ts';
import { keptLog } from '../support/log.ts';
import { ManualHost } from '../support/manual-host.ts';
import { recordingOf } from '../support/stage.ts';

const hostile = 'f12a8ec9';
const honest = 'RE47644423';

/** Two phones, one of which makes a parser run for ever, and agents one after the other that keep their state. */
async function rack() {
  const server = await SimulatedAdbServer.start();
  onTestFinished(() => server.stop());
  const stateDir = await mkdtemp(join(tmpdir(), 'hostnode-slow-'));
  onTestFinished(() => rm(stateDir, { recursive: true, force: true }));
  for (const serial of [hostile, honest]) {
    const recording = recordingOf(serial);
    const answers = { ...recording.answers, 'endless.text': [serial] };
    server.plug(new SimulatedPhone({ ...recording, answers }));
  }
  const { log, lines } = keptLog('warn');
  let parsed = 0;
  const trap = {
    ...endless,
    commands: () => ({ text: 'getprop ro.serialno' }),
    parse: ({ text }: { text?: string | undefined }) => {
      if (text?.includes(honest)) return {};
      parsed += 1;
      return endless.parse({});
    },
  };

  const start = async () => {
    const { value: record } = await readRoster(stateDir);
    const host = new ManualHost(server.port, {
      sections: [...sections, trap],
      concurrency: 2,
      log,
      ...(record && { record }),
    });
    await host.list();
    return {
      roster: host.roster,
      facts: (udid: string) => host.probePool.facts(udid),
      async round() {
        await host.collect(hostile, honest);
        await writeRoster(stateDir, host.roster.record);
      },
    };
  };
  return { start, lines, parsed: () => parsed };
}

describe('a phone that makes a parser run for ever', () => {
  it('costs its own section only, which rests across restarts', async () => {
    const { start, lines, parsed } = await rack();
    const agent = await start();
    await agent.round();
    expect(agent.facts(honest)).toHaveProperty('endless');
    expect(agent.facts(hostile)).toMatchObject({ battery: {}, storage: {}, network: {} });
    expect(agent.facts(hostile)).not.toHaveProperty('endless');
    expect(lines).toMatchObject([
      { msg: 'a section could not be read', udid: hostile, section: 'endless', kind: 'too-slow' },
    ]);
    const tries = parsed();
    expect(tries).toBeGreaterThan(0);
    expect(agent.roster.get(hostile)?.slowSections).toEqual({ endless: 1 });
    expect(agent.roster.get(honest)).not.toHaveProperty('slowSections');

    const next = await start();
    await next.round();
    await next.round();
    expect(parsed()).toBe(tries);
    expect(next.facts(honest)).toHaveProperty('endless');
    await next.round(); // it may try again
    expect(parsed()).toBeGreaterThan(tries);
    expect(next.roster.get(hostile)?.slowSections).toEqual({ endless: 2 });

    const last = await start();
    for (let rounds = 0; rounds < 4; rounds += 1) await last.round();
    expect(last.roster.get(hostile)?.slowSections).toEqual({ endless: 2 });
  });
});
