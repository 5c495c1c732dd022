import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeviceInfo } from '../../src/cloud/contract/report.ts';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { HalfOpenWay } from '../support/half-open.ts';
import { Lab } from '../support/lab.ts';
import { bootId, clock, type Mark, MarkedPhone, mark, strange } from './marked-phone.ts';

const [owner, second, third] = [mark(1), mark(2), mark(3)];
/** Claims the serial number of the first. */
const impostor = mark(4, { serialNumber: owner.serialNumber });
const marks: readonly Mark[] = [owner, second, third, impostor];
const addresses = ['10.0.0.1:5555', '10.0.0.2:5555'];
/** Those that are attached by cable as well, and where. */
const ports = ['1-1', '1-2'];

type Step =
  | { kind: 'come'; phone: number; address: number }
  | { kind: 'leave'; address: number }
  | { kind: 'plug' | 'pull'; phone: number }
  | { kind: 'state'; phone: number; state: string }
  | { kind: 'reboot'; phone: number }
  | { kind: 'replace'; isHalfOpen: boolean; isReversed: boolean }
  | { kind: 'break' }
  | { kind: 'round' };

const among = (count: number) => fc.nat({ max: count - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('come'), phone: among(marks.length), address: among(2) }),
  },
  fc.record({ kind: fc.constant('leave'), address: among(2) }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('plug', 'pull'), phone: among(2) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('state'),
      phone: among(2),
      state: fc.constantFrom('unauthorized', 'offline', 'device'),
    }),
  },
  fc.record({ kind: fc.constant('reboot'), phone: among(marks.length) }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('replace'),
      isHalfOpen: fc.boolean(),
      isReversed: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant('break') }),
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('round') }) },
) as fc.Arbitrary<Step>;

/** Some phones on a remote server, which may be replaced without anybody noticing, and the agent that follows it. */
class Rack {
  readonly lab: Lab;
  readonly #way: HalfOpenWay;
  readonly #former: SimulatedAdbServer[] = [];
  #server: SimulatedAdbServer;
  readonly #clocks: string[];
  /** By adb's name for the way to each. */
  readonly #attached = new Map<string, { phone: number; way: MarkedPhone }>();
  #boots = 100;

  constructor(lab: Lab, way: HalfOpenWay, areContainers: boolean, areNameless: boolean) {
    this.lab = lab;
    this.#way = way;
    this.#server = lab.adb;
    const id = (phone: number) => (areNameless ? undefined : bootId(areContainers ? 1 : phone));
    this.#clocks = marks.map((_, phone) => clock(id(phone), 5000));
    // the cloud knows whose serial it is before anybody else claims it
    for (const phone of [0, 1]) this.#attach(phone, `usb:${ports[phone]}`);
  }

  #attach(phone: number, name: string): void {
    const [serial = '', devpath] = name.startsWith('usb:')
      ? [marks[phone]?.serialNumber, name.slice(4)]
      : [name];
    const way = new MarkedPhone(
      marks[phone] ?? owner,
      { serial, ...(devpath && { devpath }) },
      this.#clocks[phone] ?? '',
    );
    this.#attached.set(name, { phone, way });
    this.#server.plug(way);
  }

  #detach(name: string): void {
    if (this.#attached.delete(name)) this.#server.unplug(name);
  }

  async take(step: Step, round: () => Promise<unknown>): Promise<void> {
    switch (step.kind) {
      case 'round':
        return void (await round());
      case 'come': {
        const address = addresses[step.address] ?? '';
        for (const [name, { phone }] of this.#attached)
          if (name === address || (phone === step.phone && !name.startsWith('usb:'))) this.#detach(name);
        return this.#attach(step.phone, address);
      }
      case 'leave':
        return this.#detach(addresses[step.address] ?? '');
      case 'plug': {
        const name = `usb:${ports[step.phone]}`;
        if (!this.#attached.has(name)) this.#attach(step.phone, name);
        return;
      }
      case 'pull':
        return this.#detach(`usb:${ports[step.phone]}`);
      case 'state': {
        const name = `usb:${ports[step.phone]}`;
        if (this.#attached.has(name)) this.#server.setState(name, step.state);
        return;
      }
      case 'reboot':
        return this.#reboot(step.phone);
      case 'replace':
        return await this.#replace(step.isHalfOpen, step.isReversed);
      case 'break':
        return this.#server.dropConnections();
    }
  }

  #reboot(phone: number): void {
    this.#boots += 1;
    this.#clocks[phone] = clock(bootId(this.#boots), this.#boots);
    for (const [name, attached] of [...this.#attached]) {
      if (attached.phone !== phone) continue;
      this.#detach(name);
      this.#attach(phone, name);
    }
  }

  async #replace(isHalfOpen: boolean, isReversed: boolean): Promise<void> {
    const next = await SimulatedAdbServer.start();
    const ways = [...this.#attached.values()].map(({ way }) => way);
    for (const way of isReversed ? ways.toReversed() : ways) next.plug(way);
    if (!isHalfOpen) await this.#server.stop();
    this.#way.lead(next.port);
    this.#former.push(this.#server);
    this.#server = next;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      [this.#server, ...this.#former]
        .filter((one) => one !== this.lab.adb)
        .map((one) => one.stop().catch(() => {})),
    );
  }
}

/** Whose facts may be told under a name: those of one of these, and of one alone. */
const mayBe = (udid: string): readonly Mark[] => {
  const [serial] = udid.split('@');
  if (udid === owner.serialNumber) return [owner];
  return serial === owner.serialNumber
    ? [owner, impostor]
    : marks.filter(({ serialNumber }) => serialNumber === serial);
};

function wrongs(devices: readonly DeviceInfo[]): unknown[] {
  return devices.flatMap((info) => {
    const candidates = addresses.includes(info.udid) ? marks : mayBe(info.udid);
    const found = candidates.map((one) => strange(info, one));
    return found.some((facts) => Object.keys(facts).length === 0)
      ? []
      : [{ udid: info.udid, state: info.state, found }];
  });
}

describe('whatever comes, goes, reboots, takes another’s address or is replaced', () => {
  it('no report has facts of another phone than the one that it names', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 14 }),
        fc.boolean(),
        fc.boolean(),
        async (steps, areContainers, areNameless) => {
          await using lab = await Lab.open();
          await using way = await HalfOpenWay.start(lab.adb.port);
          await using rack = new Rack(lab, way, areContainers, areNameless);
          const agent = await lab.running({
            env: { HOSTNODE_ADB_PORT: String(way.port) },
            timing: {
              recoveryMs: 100,
              quietMs: 10,
              quietOfflineMs: 10,
              roundWaitMs: 2_000,
              collectSoonMs: 50,
            },
          });
          for (const each of [...steps, { kind: 'round' } as const]) {
            await rack.take(each, () => agent.round());
            expect(wrongs(agent.state.phones.map(({ info }) => info))).toEqual([]);
          }
          expect(wrongs(lab.puts.flatMap(({ devices = [] }) => devices))).toEqual([]);
        },
      ),
      { seed: 20_261_122, numRuns: 15 },
    );
  }, 120_000);
});
