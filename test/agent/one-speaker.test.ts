/**
 * One phone, one speaker. A model walks all orders of what can happen to a phone between two hosts, or three: each order
 * is played with the real roster, report and reading back of each host. After it every host reads back and reports a few
 * times: then the cloud must have the truth, from one host, and none may speak of a phone that it does not have.
 */
import { describe, expect, it } from 'vitest';
import type { ListedDevice } from '../../src/adb/adb.ts';
import { standardTiming } from '../../src/agent/options.ts';
import { ReadBack } from '../../src/agent/read-back.ts';
import { ReportSource } from '../../src/agent/report-source.ts';
import type { RosterRecord } from '../../src/roster/device.ts';
import { Roster } from '../../src/roster/roster.ts';
import { silentLog } from '../support/log.ts';
import { reportOf } from '../support/manual-host.ts';

const PHONE = 'PHONE';

type Way = 'usb' | 'network';
const listedBy: Record<Way, ListedDevice> = {
  usb: { serial: PHONE, state: 'device', devpath: '1-1', transportId: 1 },
  network: { serial: `adb-${PHONE}._adb._tcp`, state: 'device', transportId: 2 },
};

/** What one cloud has of the phone. */
class Cloud {
  status: 'PLUGGED' | 'UNPLUGGED' | undefined;
  nodeId = '';
  readonly namesHosts: boolean;

  constructor(namesHosts: boolean) {
    this.namesHosts = namesHosts;
  }

  pluggedIn = async (): Promise<Map<string, string | undefined>> =>
    new Map(this.status === 'PLUGGED' ? [[PHONE, this.namesHosts ? this.nodeId : undefined]] : []);
}

/** `stored`: the cloud stores a report and answers. `lost`: it stores it, and the answer is lost. `failed`: it gets none. */
type Fate = 'stored' | 'lost' | 'failed';

class Host {
  readonly nodeId: string;
  readonly #cloud: Cloud;
  ways: Way[] = [];
  #roster: Roster;
  #source: ReportSource;
  #readBack: ReadBack;
  #backup: string | undefined;
  #at = 1_700_000_000_000;
  /** It may speak of the phone although it does not have it: it had it since the cloud stored that it had not. */
  mayReport = false;
  /** Another host had it at the last reading, and nothing has happened here since. */
  #isElsewhere = false;
  /** What its last report said of the phone. */
  said: string | undefined;

  constructor(nodeId: string, cloud: Cloud) {
    this.nodeId = nodeId;
    this.#cloud = cloud;
    [this.#roster, this.#source, this.#readBack] = this.#start();
  }

  #start(record?: RosterRecord): [Roster, ReportSource, ReadBack] {
    const { nodeId } = this;
    const roster = new Roster({ nodeId, offlineNetworkMs: 0, now: this.#at, ...(record && { record }) });
    const probePool = { facts: () => ({}), isSilent: () => false } as never;
    const hostReport = reportOf({ roster, phones: probePool });
    const shared = { nodeId, roster, hostReport, probePool, log: silentLog };
    const source = new ReportSource({ ...shared, adbHealth: { state: 'listed' } });
    const observer = { changed() {} } as never;
    const timing = standardTiming;
    const readBack = new ReadBack({ ...shared, reader: this.#cloud, isStateLost: true, observer, timing });
    roster.observe(this.#listed, this.#at);
    return [roster, source, readBack];
  }

  get #listed(): ListedDevice[] {
    return this.ways.map((way) => listedBy[way]);
  }

  attach(...ways: Way[]): void {
    this.ways = ways;
    this.#isElsewhere = false;
    if (ways.length > 0) this.mayReport = true;
    this.#at += 1_000;
    this.#roster.observe(this.#listed, this.#at);
  }

  report(fate: Fate = 'stored'): void {
    const devices = this.#source.prepare() ?? [];
    const phone = devices.find(({ udid }) => udid === PHONE);
    this.said = phone?.status;
    if (phone?.status === 'UNPLUGGED')
      expect(this.mayReport && !this.#isElsewhere, `${this.nodeId} may speak`).toBe(true);
    if (fate === 'failed') return;
    if (phone) {
      this.#cloud.status = phone.status;
      this.#cloud.nodeId = this.nodeId;
    }
    if (fate === 'lost') return;
    this.#roster.phones.stored(devices);
    if (phone?.status === 'UNPLUGGED') this.mayReport = false;
  }

  async readBack(): Promise<void> {
    const isPlugged = this.#cloud.status === 'PLUGGED';
    const isHere = this.#cloud.nodeId === this.nodeId;
    if (isPlugged && isHere) this.mayReport = true;
    this.#isElsewhere = isPlugged && !isHere && this.ways.length === 0;
    await this.#readBack.run(new AbortController().signal);
  }

  restart(record = JSON.stringify(this.#roster.record)): void {
    this.#at += 1_000;
    this.#isElsewhere = false;
    [this.#roster, this.#source, this.#readBack] = this.#start(JSON.parse(record));
  }

  backUp(): void {
    this.#backup = JSON.stringify(this.#roster.record);
  }

  /** What was said since is not in it. */
  restore(): void {
    if (this.#backup === undefined) return;
    this.mayReport = true;
    this.restart(this.#backup);
  }

  lose(): void {
    this.#at += 1_000;
    this.#isElsewhere = false;
    [this.#roster, this.#source, this.#readBack] = this.#start();
  }

  /** All that decides what comes next: states that are alike are walked once. */
  get key(): string {
    const timeless = (text: string | undefined) =>
      text?.replaceAll(/"(lastSeenAt|goneAt|since)":[\d.]+/g, '');
    const record = timeless(JSON.stringify(this.#roster.record));
    return JSON.stringify([this.ways, record, timeless(this.#backup), this.mayReport]);
  }
}

/** What can happen to a host. */
const happenings: Record<string, (host: Host, others: readonly Host[]) => void | Promise<void>> = {
  plug(host, others) {
    // one cable: it is pulled wherever it was
    for (const other of others) if (other.ways.includes('usb')) other.attach();
    host.attach('usb');
  },
  connect: (host) => host.attach('network'),
  unplug: (host) => host.attach(),
  report: (host) => host.report(),
  'report, answer lost': (host) => host.report('lost'),
  'report fails': (host) => host.report('failed'),
  restart: (host) => host.restart(),
  'back up': (host) => host.backUp(),
  restore: (host) => host.restore(),
  'lose the state': (host) => host.lose(),
  'read back': (host) => host.readBack(),
};

interface World {
  cloud: Cloud;
  hosts: Host[];
}

interface Step {
  what: string;
  host: number;
}

async function played(steps: readonly Step[], count: number, namesHosts: boolean): Promise<World> {
  const cloud = new Cloud(namesHosts);
  const hosts = Array.from({ length: count }, (_, index) => new Host(`rack-${index + 1}`, cloud));
  for (const { what, host } of steps) {
    const chosen = hosts[host];
    if (chosen)
      await happenings[what]?.(
        chosen,
        hosts.filter((each) => each !== chosen),
      );
  }
  return { cloud, hosts };
}

/** Rounds until nothing changes any more: seen twice in a row, reported, seen again. */
const ROUNDS = 4;

/** The hosts go on as they do, and nothing else happens. */
async function settled({ cloud, hosts }: World): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const host of hosts) {
      if (cloud.namesHosts) await host.readBack();
      host.report();
    }
  }
  const holders = hosts.filter(({ ways }) => ways.length > 0);
  const byCable = holders.find(({ ways }) => ways.includes('usb'));
  const speakers = hosts.filter(({ said }) => said !== undefined);
  if (holders.length === 0) {
    expect(cloud.status).not.toBe('PLUGGED');
    expect(speakers).toEqual([]);
    return;
  }
  expect(cloud.status).toBe('PLUGGED');
  if (holders.length === 1 || cloud.namesHosts) {
    expect(speakers.map(({ nodeId }) => nodeId)).toEqual([byCable?.nodeId ?? speakers[0]?.nodeId]);
    expect(holders).toContain(speakers[0]);
    expect(cloud.nodeId).toBe(speakers[0]?.nodeId);
  }
}

interface Walk {
  hosts: number;
  most: number;
  without?: readonly string[];
  namesHosts?: boolean;
}

/** Plays every order of so many happenings; orders that lead to the same state go on as one. @returns how many states */
async function walk({ hosts, most, without = [], namesHosts = true }: Walk): Promise<number> {
  const names = Object.keys(happenings).filter((name) => !without.includes(name));
  const steps = Array.from({ length: hosts }, (_, host) => names.map((what) => ({ what, host }))).flat();
  const seen = new Set<string>();
  let paths: Step[][] = [[]];
  for (let length = 0; length <= most; length += 1) {
    const next: Step[][] = [];
    for (const path of paths) {
      try {
        const world = await played(path, hosts, namesHosts);
        const { cloud } = world;
        const key = JSON.stringify([cloud.status, cloud.nodeId, world.hosts.map((host) => host.key)]);
        if (seen.has(key)) continue;
        seen.add(key);
        await settled(world);
      } catch (error) {
        const order = path.map(({ what, host }) => `${what} at rack-${host + 1}`).join(', ');
        throw new Error(`after ${order}`, { cause: error });
      }
      if (length < most) next.push(...steps.map((step) => [...path, step]));
    }
    paths = next;
  }
  return seen.size;
}

const MEMORY = ['back up', 'restore', 'lose the state'];

// two hosts and six happenings are 13,357 states and take 20 s
describe('a phone between hosts is what the cloud has of it, from one of them', () => {
  it('in every order of four happenings at two hosts', async () => {
    expect(await walk({ hosts: 2, most: 4 })).toBeGreaterThan(900);
  });

  it('in every order of three happenings at three hosts', async () => {
    expect(await walk({ hosts: 3, most: 3 })).toBeGreaterThan(500);
  });

  it('in every order of five at two hosts that forget nothing, with a cloud that does not name hosts', async () => {
    const without = [...MEMORY, 'read back'];
    expect(await walk({ hosts: 2, most: 5, without, namesHosts: false })).toBeGreaterThan(200);
  });
});
