import { readFileSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { AdbkitAdb } from '../../src/adb/adbkit.ts';
import type { Facts } from '../../src/facts/index.ts';
import { PhoneProbe } from '../../src/probe/phone-probe.ts';
import type { Snapshot } from '../../src/probe/snapshot.ts';
import { describeWithRig } from '../support/describe-with.ts';
import { commandOptions, sectionsWithLimit, without } from '../support/stage.ts';
import { readPhone } from './phone-recording.ts';
import { Rig, type SimulatedPhone } from './rig.ts';

/** By the phone, the services that are tried until one is opened. */
const tried: Record<string, string[]> = {
  'htc-one-m7-4.1': ['shell,v2,raw', 'exec', 'shell'],
  'lge-nexus-5-6.0': ['shell,v2,raw', 'exec'],
  'smartron-t5911-8.1': ['shell,v2,raw'],
  'xiaomi-poco-f6-15': ['shell,v2,raw'],
};
const phones = Object.keys(tried);
const bootId = '5d1ae5be-6b1a-4fd4-9a5f-6f2a1f5a7c11';

/** What a careful person reads from the phone's recording. */
const factsOf = (name: string): Facts =>
  JSON.parse(readFileSync(new URL(`phones/${name}/facts.json`, import.meta.url), 'utf8'));

/** The command lines that run on a phone, words joined by blanks. */
const commandLines = (phone: SimulatedPhone): string[] =>
  phone.shell.pids().map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
    } catch {
      return ''; // it has just ended
    }
  });

describeWithRig('the script of all sections, in the shell of a phone at the real adb server', () => {
  let rig: Rig;

  beforeEach(async () => {
    rig = await Rig.start();
    return () => rig[Symbol.asyncDispose]();
  });

  async function attach(name: string): Promise<SimulatedPhone> {
    const phone = await rig.attach(name);
    await phone.shell.putFile('/proc/sys/kernel/random/boot_id', `${bootId}\n`);
    return phone;
  }

  /** Meets the phone for the first time. */
  async function read({ serial }: SimulatedPhone, batteryLimitSeconds = 5): Promise<Snapshot> {
    const adb = new AdbkitAdb({ host: rig.adb.host, port: rig.adb.port, requestTimeoutMs: 10_000 });
    const listed = (await adb.listDevices()).find((device) => device.serial === serial);
    if (listed === undefined) throw new Error(`${serial} is not listed`);
    const sections = sectionsWithLimit('battery', batteryLimitSeconds);
    const probe = new PhoneProbe({ adb, sections, commandOptions, deadlineMs: 15_000 });
    return await probe.collect(listed, new AbortController().signal);
  }

  it.each(phones)('%s tells what is recorded, in one conversation, and nothing runs on', async (name) => {
    const phone = await attach(name);

    expect(await read(phone)).toEqual({
      facts: factsOf(name),
      takenAt: expect.any(Number),
      sectionsTakenAt: Object.fromEntries(
        Object.keys(factsOf(name)).map((each) => [each, expect.any(Number)]),
      ),
      uptimeReadAt: expect.any(Number),
      failures: [],
      conversations: 1,
    });
    const services = phone.adbd.requested.filter((service) => service.includes('battery.dump'));
    expect(services.map((service) => service.split(':')[0])).toEqual(tried[name]);
    expect(rig.adb.isRunning).toBe(true);
    await expect.poll(() => phone.shell.pids()).toEqual([]);
  });

  it.each(phones)('%s loses a section that hangs, and kills it with its children', async (name) => {
    const phone = await attach(name);
    await phone.shell.record({ command: 'dumpsys battery', stdout: 'AC powered', hangs: true });

    expect(await read(phone, 1)).toMatchObject({
      facts: without(factsOf(name), 'battery'),
      failures: [{ section: 'battery', kind: 'timed-out' }],
    });
    await expect.poll(() => phone.shell.pids()).toEqual([]);
  });

  it.each(phones)(
    '%s loses what a command that is missing or prints rubbish would tell, and no more',
    async (name) => {
      const phone = await attach(name);
      const registry = readPhone(name).commands.find(
        ({ command }) => command === 'dumpsys telephony.registry',
      );
      await phone.shell.remove('cat');
      await phone.shell.record({
        command: 'dumpsys battery',
        stdout: Uint8Array.from({ length: 4096 }, (_, byte) => byte),
      });
      await phone.shell.record({ ...registry, command: 'dumpsys telephony.registry', exitCode: 5 });

      const { facts, failures } = await read(phone);

      const { boot, ...recorded } = without(factsOf(name), 'battery', 'memory');
      expect(facts).toEqual({ ...recorded, boot: { ...boot, bootId: undefined, uptimeSeconds: undefined } });
      expect(failures.map(({ section, kind }) => `${section} ${kind}`)).toEqual([
        'battery unreadable',
        'memory unreadable',
      ]);
    },
  );

  it.each(phones)('%s, unplugged in the middle of an answer, leaves the sections before it', async (name) => {
    const phone = await attach(name);
    await phone.shell.record({ command: 'dumpsys battery', stdout: 'AC powered', hangs: true });

    const reading = read(phone, 15);
    await expect.poll(() => commandLines(phone).some((line) => line.includes('sleep 600'))).toBe(true);
    await rig.unplug(phone);

    const { boot, identity } = factsOf(name);
    expect(await reading).toMatchObject({ facts: { boot, identity }, broken: 'the connection broke off' });
    expect(rig.adb.isRunning).toBe(true);
  });

  it.each(phones)('%s, whose adbd dies half-way, tells nothing wrong', async (name) => {
    const phone = await attach(name);
    phone.adbd.dropAfter(3_000);

    const { facts, broken } = await read(phone);

    expect(broken).toBe('the connection broke off');
    expect(Object.keys(facts)).toContain('boot');
    expect(Object.keys(facts)).not.toContain('network');
    expect(factsOf(name)).toMatchObject(facts);
  });
});
