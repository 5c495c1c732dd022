import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import { outputOf, type Recording } from '../../src/demo/recording.ts';
import { battery } from '../../src/facts/battery.ts';
import { boot } from '../../src/facts/boot.ts';
import { browsers } from '../../src/facts/browsers.ts';
import { display } from '../../src/facts/display.ts';
import { identifiers } from '../../src/facts/identifiers.ts';
import { identity } from '../../src/facts/identity.ts';
import type { Facts } from '../../src/facts/index.ts';
import { memory } from '../../src/facts/memory.ts';
import { mobile } from '../../src/facts/mobile.ts';
import { name } from '../../src/facts/name.ts';
import { network } from '../../src/facts/network.ts';
import { root } from '../../src/facts/root.ts';
import { screen } from '../../src/facts/screen.ts';
import type { CommandOptions, Section } from '../../src/facts/section.ts';
import { storage } from '../../src/facts/storage.ts';
import { wear } from '../../src/facts/wear.ts';
import { commandsOf, composeScript } from '../../src/probe/script.ts';
import { ShellV2Decoder } from '../../src/probe/shell-v2.ts';
import { Transcript } from '../../src/probe/transcript.ts';
import { RawAdbClient } from './adb-client.ts';

const sections: Section<unknown>[] = [
  boot,
  identity,
  name,
  root,
  battery,
  wear,
  storage,
  memory,
  screen,
  display,
  mobile,
  identifiers,
  browsers,
  network,
];

const named = (serial: string): Recording => {
  const found = recordings.find((recording) => recording.serial === serial);
  if (found === undefined) throw new Error(`no recording of ${serial}`);
  return found;
};

const optionsFor = ({ sdk }: Recording): CommandOptions => ({
  shellV2: sdk >= 24,
  reachabilityHost: 'connectivitycheck.gstatic.com',
  reachabilityOnMetered: false,
  telephonyIdentifiers: true,
});

/** What is read from a recording, by section. */
function factsOf(recording: Recording): Record<string, unknown> {
  return Object.fromEntries(
    sections.map((section) => {
      const names = Object.keys(section.commands(optionsFor(recording)));
      const answers = Object.fromEntries(
        names.map((command) => [
          command,
          outputOf(recording.answers[`${section.name}.${command}`] ?? []).text,
        ]),
      );
      return [section.name, section.parse(answers)];
    }),
  );
}

describe('the recorded phones', () => {
  const online = recordings.filter(({ state }) => state === 'device');

  it('are at least seven, each with a serial of its own', () => {
    expect(online.length).toBeGreaterThanOrEqual(7);
    expect(new Set(recordings.map(({ serial }) => serial)).size).toBe(recordings.length);
  });

  it.each(online)('$title: answers every command that it is asked, and no other', (recording) => {
    const asked = sections.flatMap((section) =>
      Object.keys(section.commands(optionsFor(recording))).map((command) => `${section.name}.${command}`),
    );
    expect(Object.keys(recording.answers).sort()).toEqual(asked.sort());
  });

  it.each(online)('$title: can be read in every section', (recording) => {
    expect(Object.keys(factsOf(recording))).toEqual(sections.map((section) => section.name));
  });

  it('hold an unauthorized phone, of which nothing is known', () => {
    expect(
      recordings.filter(({ state }) => state !== 'device').map(({ state, answers }) => ({ state, answers })),
    ).toEqual([{ state: 'unauthorized', answers: {} }]);
  });

  it('differ in what a device cloud cares about', () => {
    const sight = online.map((recording) => {
      const { identity, root, mobile, display, network } = factsOf(recording) as Facts;
      return {
        maker: identity?.manufacturer,
        android: identity?.androidRelease,
        isEmulator: identity?.isEmulator,
        isRooted: root?.isRooted,
        sims: mobile?.subscriptions?.length,
        rotation: display?.rotationDegrees,
        network: network?.status,
      };
    });
    const plain = { isEmulator: false, isRooted: false, rotation: 0, network: 'REACHABLE' };
    expect(sight).toEqual([
      { ...plain, maker: 'Smartron', android: '8.1.0', sims: 1 },
      { ...plain, maker: 'Xiaomi', android: '15', sims: 2 },
      { ...plain, maker: 'Google', android: '11', isRooted: true, sims: 0 },
      { ...plain, maker: 'Xiaomi', android: '4.4.2', sims: undefined, network: 'UNKNOWN' },
      { ...plain, maker: 'Xiaomi', android: '12', isRooted: true, sims: 1 },
      { ...plain, maker: 'samsung', android: '14', sims: undefined, rotation: 90, network: 'UNREACHABLE' },
      { ...plain, maker: 'Google', android: '14', isEmulator: true, isRooted: true, sims: 1 },
    ]);
  });

  it("carry identifiers that nobody has: of the test network, and the emulator's own", () => {
    const imeis = online.flatMap((recording) =>
      ((factsOf(recording) as Facts).identifiers?.carriers ?? []).map(({ imei = '' }) => imei),
    );
    expect(imeis.length).toBe(9);
    expect(imeis.filter((imei) => !imei.startsWith('001017'))).toEqual(['358240051111110']);
  });
});

describe('a recorded phone behind the adb server', () => {
  let server: SimulatedAdbServer;
  beforeEach(async () => {
    server = await SimulatedAdbServer.start();
  });
  afterEach(() => server.stop());

  it.each([
    ['f12a8ec9', 'shell,v2,raw'],
    ['f12a8ec9', 'exec'],
    ['MANSI56G2N80F7K4', 'shell'],
  ])('%s answers the composed scripts through %s as it was recorded', async (serial, service) => {
    const recording = named(serial);
    server.plug(new SimulatedPhone(recording));
    const heard: Record<string, unknown> = {};
    let commands = commandsOf(sections, optionsFor(recording));
    while (commands.length > 0) {
      const { script, left } = composeScript(commands);
      const answer = await RawAdbClient.ask(
        server.port,
        `host:transport:${serial}`,
        `${service}:${script.text}`,
      );
      const transcript = new Transcript(script, service === 'shell');
      const decoder = new ShellV2Decoder();
      const output = answer.subarray('OKAY'.length);
      transcript.push(service === 'shell,v2,raw' ? decoder.push(output) : output);
      expect(transcript.finished).toBe(true);
      for (const [name, outcome] of transcript.outcomes)
        if (outcome.kind === 'answered') heard[name] = { text: outcome.text, exitCode: outcome.exitCode };
      commands = left;
    }
    const recorded = Object.entries(recording.answers).map(([name, answer]) => [name, outputOf(answer)]);
    expect(heard).toEqual(Object.fromEntries(recorded));
  });
});
