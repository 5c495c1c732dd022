import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { DeviceInfo } from '../../src/cloud/contract/report.ts';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { ConnectionDropped } from '../../src/demo/answer-fault.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import { keptLog } from '../support/log.ts';
import { ManualHost } from '../support/manual-host.ts';

const CUTS = 200;
/** The end of the last mark and what follows it: by then all has been said. */
const FINAL_BYTES = 8;

/** How a conversation ends before its time. */
type Ending = 'adbd restarts' | 'the cable is pulled' | 'the phone dies';

/**
 * A phone whose battery, storage and memory all say at which moment they were read, and whose next conversation can be
 * cut after any byte.
 */
class FragilePhone extends SimulatedPhone {
  moment = 1;
  /** Which boot it is in. */
  boot = 1;
  cut: { afterBytes: number; end: () => 'closed' | 'reset' } | undefined;
  sentBytes = 0;

  constructor(title: string) {
    const recording = recordings.find((each) => each.title.includes(title));
    if (recording === undefined) throw new Error(`no recording of a ${title}`);
    super(recording);
    this.alter('battery.dump', (text) => text.replace(/level: \d+/, `level: ${this.moment}`));
    this.alter('storage.size', () => `decrypt=\n4096 1000 ${this.moment} 0 f2f52010\n`);
    this.alter('memory.meminfo', () => `MemTotal: 1000 kB\nMemAvailable: ${this.moment} kB\n`);
    this.alter('boot.clock', (text) => text.replace(/^\S+/, bootId(this.boot)));
  }

  override open(service: string, signal: AbortSignal): AsyncGenerator<Buffer> | undefined {
    const output = super.open(service, signal);
    return output && this.#fragile(output);
  }

  async *#fragile(output: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
    this.sentBytes = 0;
    for await (const bytes of output) {
      const left = (this.cut?.afterBytes ?? Number.POSITIVE_INFINITY) - this.sentBytes;
      this.sentBytes += bytes.length;
      if (bytes.length <= left) {
        yield bytes;
        continue;
      }
      yield bytes.subarray(0, left);
      if (this.cut?.end() === 'reset') throw new ConnectionDropped();
      return;
    }
  }
}

const bootId = (boot: number) => `${String(boot).padStart(8, '0')}-5b6a-4c8f-9a53-0d2f5e8b1c47`;

/** The moments that a report's readings are from, each once. */
function momentsOf({ battery, storage, memory }: Partial<DeviceInfo>): number[] {
  const moments = [
    battery?.percentage === undefined ? undefined : Number(battery.percentage),
    storage?.used === undefined ? undefined : 1000 - storage.used / 4096,
    memory?.used === undefined ? undefined : 1000 - memory.used / 1024,
  ];
  return [...new Set(moments.filter((moment) => moment !== undefined))];
}

/** A phone, its server, and who asks it. */
async function rack(title: string) {
  const server = await SimulatedAdbServer.start();
  onTestFinished(() => server.stop());
  const phone = new FragilePhone(title);
  server.plug(phone);
  const { log, lines } = keptLog('debug');
  const meet = () => {
    const host = new ManualHost(server.port, { log });
    /** Collects the phone as adb lists it, and reports it. */
    return async (): Promise<DeviceInfo> => {
      await host.list();
      await host.collect();
      const [device] = host.devices();
      if (device === undefined) throw new Error('no phone in the report');
      return device;
    };
  };
  /** Arms the phone: its next conversation ends after so many bytes. */
  const cut = (afterBytes: number, ending: Ending) => {
    phone.cut = {
      afterBytes,
      end() {
        phone.cut = undefined;
        if (ending === 'the cable is pulled') {
          server.unplug(phone.serial);
          server.plug(phone);
        }
        return ending === 'adbd restarts' ? 'closed' : 'reset';
      },
    };
  };
  return { phone, lines, meet, cut };
}

/** Byte positions all over a stream of that length, its first and last bytes among them. */
const positions = (lengthBytes: number): number[] =>
  Array.from({ length: CUTS }, (_, index) => Math.round((index / (CUTS - 1)) * (lengthBytes - 1)));

const phones = ['POCO', 'Huawei'];
const endings: Ending[] = ['adbd restarts', 'the cable is pulled', 'the phone dies'];
const cases = phones.flatMap((title) => endings.map((ending) => [title, ending] as const));

describe('a phone that lies half-way', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(cases)('%s: is reported with its last good facts, whole, wherever %s', async (title, ending) => {
    const { phone, cut, meet } = await rack(title);
    const report = meet();
    phone.moment = 20;
    await report();
    await report();
    const lengthBytes = phone.sentBytes;
    for (const afterBytes of positions(lengthBytes)) {
      phone.moment = 20;
      const good = await report();
      phone.moment = 60;
      cut(afterBytes, ending);
      const after = await report();
      expect(phone.cut).toBeUndefined();
      if (afterBytes < lengthBytes - FINAL_BYTES) expect([afterBytes, after]).toEqual([afterBytes, good]);
      else expect([[20], [60]]).toContainEqual(momentsOf(after));
    }
  });

  it.each(phones)('%s: is reported at first contact with one moment, or with none', async (title) => {
    const { phone, cut, meet } = await rack(title);
    await meet()();
    for (const afterBytes of positions(phone.sentBytes)) {
      const report = meet();
      phone.moment = 20;
      cut(afterBytes, 'the phone dies');
      expect(momentsOf(await report()).filter((moment) => moment !== 20)).toEqual([]);
      expect(phone.cut).toBeUndefined();
      phone.moment = 60;
      const after = await report();
      expect([afterBytes, momentsOf(after)]).toEqual([afterBytes, [60]]);
    }
  });

  it.each(phones)('%s: is never reported with facts of two boots when it reboots', async (title) => {
    const { phone, cut, meet } = await rack(title);
    const report = meet();
    await report();
    await report();
    for (const afterBytes of positions(phone.sentBytes)) {
      phone.moment = 20;
      await report();
      phone.boot += 1;
      phone.moment = 60;
      cut(afterBytes, 'the phone dies');
      const moments = momentsOf(await report());
      expect([afterBytes, moments.length <= 1]).toEqual([afterBytes, true]);
    }
  });

  it.each([
    ['the first byte', 0, 'the phone could not be read'],
    ['the first answers', 600, 'the phone broke off'],
  ])('has the age of its facts in the log when it ends before %s', async (_, afterBytes, message) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { lines, cut, meet } = await rack('POCO');
    const report = meet();
    const good = await report();
    vi.setSystemTime(Date.now() + 90_000);
    cut(afterBytes, 'the phone dies');
    expect(await report()).toEqual(good);
    expect(lines.filter(({ msg }) => msg === message)).toEqual([
      expect.objectContaining({ udid: good.udid, factsAgeSeconds: 90 }),
    ]);
  });
});
