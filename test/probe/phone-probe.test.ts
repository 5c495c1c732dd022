import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { uptimeMs } from '../../src/base/clock.ts';
import { AdbRefusedError, ServiceRefusedError } from '../../src/base/errors.ts';
import type { SimulatedPhone } from '../../src/demo/phone.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import { outputOf, type Recording } from '../../src/demo/recording.ts';
import { resolveDisplay } from '../../src/facts/display.ts';
import type { Facts } from '../../src/facts/index.ts';
import { LIMITS } from '../../src/probe/conversation.ts';
import { BrokenConversationError } from '../../src/probe/section-cache.ts';
import { factsIn, recordingOf, sectionsWithLimit, stageOf, without } from '../support/stage.ts';

const poco = recordingOf('f12a8ec9');
const huawei = recordingOf('MANSI56G2N80F7K4');

const roundCommands = [
  'boot.clock',
  'boot.properties',
  'battery.dump',
  'storage.size',
  'memory.meminfo',
  'display.dump',
  'mobile.registry',
  'mobile.isub',
];

/** The recording with some answers changed, as the phone would be recorded then. */
function changed(recording: Recording, changes: Record<string, (text: string) => string>): Recording {
  const answers = Object.entries(changes).map(([name, change]) => [
    name,
    change(outputOf(recording.answers[name] ?? []).text)
      .trimEnd()
      .split('\n'),
  ]);
  return { ...recording, answers: { ...recording.answers, ...Object.fromEntries(answers) } };
}

const anotherBoot = (text: string) =>
  text.replace(/^[0-9a-f-]{36}$/m, '01234567-89ab-4cde-8f01-23456789abcd').replace(/^\d+\.\d+ /m, '61.07 ');
const stillStarting = (text: string) => text.replace(/^\[sys\.boot_completed\].*\n/m, '');
const emptier = (text: string) => text.replace('level: 81', 'level: 80');

describe('a phone, round after round', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('gives all facts in one conversation at first contact', async () => {
    const { round, asked } = await stageOf(poco);
    const before = uptimeMs();
    const startedAt = Date.now();

    const snapshot = await round();

    expect(snapshot).toEqual({
      facts: factsIn(poco),
      takenAt: expect.any(Number),
      uptimeReadAt: expect.any(Number),
      sectionsTakenAt: Object.fromEntries(
        Object.keys(factsIn(poco)).map((name) => [name, expect.any(Number)]),
      ),
      failures: [],
      conversations: 1,
    });
    expect(snapshot.uptimeReadAt).toBeGreaterThanOrEqual(before);
    expect(snapshot.uptimeReadAt).toBeLessThanOrEqual(uptimeMs());
    expect(snapshot.sectionsTakenAt.boot).toBeGreaterThanOrEqual(startedAt);
    expect(snapshot.takenAt).toBeGreaterThanOrEqual(
      snapshot.sectionsTakenAt.boot ?? Number.POSITIVE_INFINITY,
    );
    expect(snapshot.takenAt).toBeLessThanOrEqual(Date.now());
    expect(asked().requests).toEqual(['host:transport-id:1', 'shell,v2,raw:…']);
  });

  it('costs two requests and one conversation later, and facts that cannot have changed are not collected again', async () => {
    const { round, asked, phone } = await stageOf(poco);
    await round();
    asked();
    phone.alter('battery.dump', emptier);

    const { facts, conversations } = await round();

    expect(facts).toEqual(factsIn(changed(poco, { 'battery.dump': emptier })));
    expect(conversations).toBe(1);
    expect(asked()).toEqual({
      requests: ['host:transport-id:1', 'shell,v2,raw:…'],
      scripts: [roundCommands],
    });
  });

  it('has slow facts collected again after a while', async () => {
    // the monotonic clock: a wall clock that is set must neither hurry nor stop anything
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000_000);
    const later = (ms: number) => clock.mockReturnValue(performance.now() + ms);
    const { round, asked } = await stageOf(poco);
    await round();
    asked();

    later(299_000);
    await round();
    expect(asked().scripts).toEqual([roundCommands]);

    later(2_000);
    await round();
    const network = ['network.connectivity', 'network.proxy', 'network.probe'];
    expect(asked().scripts).toEqual([[...roundCommands, ...network]]);

    later(300_000);
    await round();
    expect(asked().scripts).toEqual([[...roundCommands, 'name.settings', 'browsers.apps', ...network]]);
  });

  it('is asked for its readiness only where the lab wants it, every five minutes, in the same conversation', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000_000);
    const ready = changed(poco, {
      'readiness.lock': () => '      showing=true\n',
      'readiness.power': () => '  mWakefulness=Dozing\n  mStayOnWhilePluggedInSetting=0\n',
    });
    const { round, asked } = await stageOf(ready, {
      commandOptions: { readiness: ['lock', 'power'] },
    });
    const { facts, failures } = await round();
    expect(facts.readiness).toEqual({ isLocked: true, isAwake: false, staysAwake: false });
    expect(failures).toEqual([]);
    const [first, ...others] = asked().scripts;
    expect(others).toEqual([]);
    expect(first).toEqual(expect.arrayContaining(['readiness.lock', 'readiness.power']));
    await round();
    expect(asked().scripts).toEqual([roundCommands]);
    clock.mockReturnValue(1_300_000);
    expect((await round()).facts.readiness).toMatchObject({ isLocked: true });
    expect(
      asked()
        .scripts.flat()
        .filter((name) => name.startsWith('readiness.')),
    ).toEqual(['readiness.lock', 'readiness.power']);
  });

  it('forgets the facts of a section that it cannot read any more', async () => {
    const { round, phone } = await stageOf(poco);
    await round();
    phone.disturb('battery', { kind: 'rubbish' });

    expect(await round()).toMatchObject({
      facts: without(factsIn(poco), 'battery'),
      failures: [{ section: 'battery', kind: 'unreadable', error: { code: 'PARSE_FAILED' } }],
    });
  });

  it('has its identifiers collected at once when a SIM was swapped, and only once', async () => {
    const { round, asked, phone } = await stageOf(poco);
    await round();
    asked();
    const otherSim = (text: string) => text.replaceAll('id=2 iccId=899110120[', 'id=3 iccId=899110120[');
    const otherReplies = (text: string) => text.replaceAll('id=2 ', 'id=3 ');
    phone.alter('mobile.isub', otherSim);
    phone.alter('identifiers.calls', otherReplies);

    const { facts, conversations } = await round();

    expect(facts).toEqual(
      factsIn(changed(poco, { 'mobile.isub': otherSim, 'identifiers.calls': otherReplies })),
    );
    expect(conversations).toBe(2);
    expect(asked().scripts).toEqual([
      roundCommands,
      ['identifiers.calls', 'identifiers.dump', 'identifiers.rows'],
    ]);
    await round();
    expect(asked().scripts).toEqual([roundCommands]);
  });

  it('has its identifiers collected again when its telephony has started, and only once', async () => {
    const noService = () => "Can't find service: isub\n";
    const { round, asked, phone } = await stageOf(poco);
    phone.alter('boot.properties', (text) => text.replace(/^\[gsm\.sim\.state\].*\n/m, ''));
    phone.alter('mobile.registry', () => 'local logs:\nregistrations: count=0\n');
    phone.alter('mobile.isub', noService);
    phone.alter('identifiers.calls', () => 'slot 0\nservice: Service iphonesubinfo does not exist\n');
    phone.alter('identifiers.dump', noService);
    expect((await round()).facts).toMatchObject({ identifiers: { carriers: [] }, mobile: {} });
    await round();
    expect(asked().scripts.at(-1)).toEqual(roundCommands);
    for (const name of Object.keys(poco.answers)) phone.alter(name, (text) => text);

    expect(await round()).toMatchObject({ facts: factsIn(poco), conversations: 2 });

    asked();
    await round();
    expect(asked().scripts).toEqual([roundCommands]);
  });

  it('keeps no identifiers of a removed SIM if it does not answer again', async () => {
    const { round, phone } = await stageOf(poco);
    await round();
    const noSim = (text: string) => text.replace(/^ *\[SubscriptionInfoInternal: .*\n/gm, '');
    phone.alter('mobile.isub', noSim);
    phone.disturb('identifiers', { kind: 'rubbish' });

    const facts = factsIn(changed(poco, { 'mobile.isub': noSim }));
    expect(facts.mobile?.subscriptions).toEqual([]);
    expect((await round()).facts).toEqual(without(facts, 'identifiers'));
  });

  it('has root collected at once when adbd has become root', async () => {
    const { round, phone } = await stageOf(poco);
    const before = await round();
    const turned = {
      'boot.properties': (text: string) => `${text.trimEnd()}\n[service.adb.root]: [1]\n`,
      'root.id': () => 'uid=0(root) gid=0(root) context=u:r:su:s0\n',
    };
    for (const [name, change] of Object.entries(turned)) phone.alter(name, change);

    expect(before.facts.root?.isRooted).not.toBe(true);
    expect((await round()).facts).toEqual({
      ...factsIn(changed(poco, turned)),
      root: { isRooted: true },
    });
  });

  it('has its browsers collected at once when it is unlocked', async () => {
    const { round, phone } = await stageOf(poco);
    phone.alter('boot.properties', (text) => text.replace(/^\[sys\.user\.0\.ce_available\].*\n?/m, ''));
    phone.alter('browsers.apps', () => 'No activities found\n');
    expect((await round()).facts.browsers).toEqual({ names: [] });
    phone.alter('browsers.apps', (text) => text);
    phone.alter('boot.properties', (text) => text);

    expect((await round()).facts).toEqual(factsIn(poco));
  });

  it('loses a fact that twice could not be collected again', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000_000);
    const later = (ms: number) => clock.mockReturnValue(performance.now() + ms);
    const { round, phone } = await stageOf(poco);
    await round();
    phone.disturb('network', { kind: 'rubbish' });

    later(301_000);
    expect((await round()).facts).toEqual(factsIn(poco));
    later(298_000);
    expect((await round()).facts).toEqual(factsIn(poco));
    later(2_000);
    expect((await round()).facts).toEqual(without(factsIn(poco), 'network'));
    phone.heal();
    for (let count = 0; count < 3; count += 1) await round();
    expect((await round()).facts).toEqual(factsIn(poco));
  });

  it('is given up at once when the agent stops', async () => {
    const { round, phone, server } = await stageOf(poco);
    phone.disturb('battery', { kind: 'stuck' });
    const stop = new AbortController();
    server.on('request', ({ request }) => {
      if (request.startsWith('shell,v2,raw:')) stop.abort(new Error('enough'));
    });

    await expect(round(stop.signal)).rejects.toThrow(new Error('enough'));
  });
});

describe('a screen, round after round', () => {
  const shown = (facts: Facts) => resolveDisplay(facts.screen, facts.display);
  const size = (width: number, height: number) => ({ width, height });

  /** `dumpsys display` after so many quarter turns from the natural orientation. */
  const turned = (quarterTurns: number) => (text: string) =>
    text.replace(
      /(mOverride.*?real )(\d+) x (\d+)(.*?, rotation )(\d)/g,
      (_, before, width, height, between, now) => {
        const isSwapped = Number(now) % 2 !== quarterTurns % 2;
        return `${before}${isSwapped ? `${height} x ${width}` : `${width} x ${height}`}${between}${quarterTurns}`;
      },
    );

  const online = recordings.filter(({ state }) => state === 'device');

  it.each(online)('is seen to turn in the next round, in one conversation: $title', async (recording) => {
    const { round, phone } = await stageOf(recording);
    const before = shown((await round()).facts);
    expect(before.rotationDegrees).toBeDefined();
    for (const quarterTurns of [1, 2, 3, 0]) {
      phone.alter('display.dump', turned(quarterTurns));
      const { facts, conversations } = await round();
      expect(shown(facts)).toEqual({ ...before, rotationDegrees: quarterTurns * 90 });
      expect(conversations).toBe(1);
    }
  });

  it('is seen to turn in the next round where the window manager alone says so, as on Android 4.1', async () => {
    const windows = (rotation: number) => () =>
      `    init=720x1280 base=720x1280 cur=720x1280 app=720x1280\n  mRotation=${rotation}, mForcedAppOrientation=-1\n`;
    const { round, phone } = await stageOf(huawei);
    for (const rotation of [0, 1, 2, 3, 0]) {
      phone.alter('display.dump', windows(rotation));
      expect(shown((await round()).facts)).toEqual({
        rotationDegrees: rotation * 90,
        physical: size(720, 1280),
        logical: size(720, 1280),
      });
    }
  });

  const unfolded = changed(poco, {
    'display.dump': (text) => text.replaceAll('real 1220 x 2712', 'real 1840 x 2208'),
    'screen.size': () => 'Physical size: 1840x2208\nOverride size: 1656x1987',
  });
  const fold = (phone: SimulatedPhone) => {
    phone.alter('display.dump', (text) => text.replaceAll('real 1840 x 2208', 'real 1080 x 2092'));
    phone.alter('screen.size', () => 'Physical size: 1080x2092\n');
  };

  it('has its size collected again when it was folded, in the same boot, only once', async () => {
    const { round, phone, asked } = await stageOf(unfolded);
    const open = await round();
    expect(shown(open.facts).physical).toEqual(size(1840, 2208));
    await round();
    expect(asked().scripts.at(-1)).toEqual(roundCommands);
    fold(phone);

    const folded = await round();
    expect(asked().scripts).toEqual([roundCommands, ['screen.size']]);
    expect(folded.facts).toMatchObject({ screen: { physical: size(1080, 2092) } });
    expect(shown(folded.facts)).toMatchObject({ physical: size(1080, 2092), logical: size(1080, 2092) });

    const later = await round();
    expect(asked().scripts).toEqual([roundCommands]);
    expect(later.facts.screen).toEqual(folded.facts.screen);
    expect([open, folded, later].map(({ conversations }) => conversations)).toEqual([1, 2, 1]);
  });

  it('has its size collected in each round until it answers', async () => {
    const { round, phone, asked } = await stageOf(unfolded);
    await round();
    fold(phone);
    phone.disturb('screen', { kind: 'rubbish' });
    expect((await round()).facts).not.toHaveProperty('screen');
    asked();
    phone.heal();

    expect((await round()).facts.screen).toEqual({ physical: size(1080, 2092) });
    expect(asked().scripts).toEqual([[...roundCommands, 'screen.size']]);
  });

  it('does not have its size collected again when it turns, or when its dump is missing for a round', async () => {
    const { round, phone, asked } = await stageOf(poco);
    await round();
    asked();
    phone.alter('display.dump', turned(1));
    await round();
    phone.alter('display.dump', () => "Can't find service: display\n");
    await round();
    phone.alter('display.dump', turned(3));
    await round();

    expect(asked().scripts).toEqual([roundCommands, roundCommands, roundCommands]);
  });
});

describe('a phone that restarted', () => {
  const rebooted = changed(poco, {
    'boot.clock': anotherBoot,
    'identity.properties': (text) =>
      text.replace('[ro.build.version.release]: [15]', '[ro.build.version.release]: [16]'),
  });

  function reboot({ phone }: Awaited<ReturnType<typeof stageOf>>): void {
    for (const [name, answer] of Object.entries(rebooted.answers))
      phone.alter(name, () => outputOf(answer).text);
  }

  it('has everything collected again in the same round', async () => {
    const stage = await stageOf(poco);
    await stage.round();
    const [first] = stage.asked().scripts;
    reboot(stage);

    const { facts, conversations } = await stage.round();

    expect(facts).toEqual(factsIn(rebooted));
    expect(facts).not.toEqual(factsIn(poco));
    expect(conversations).toBe(2);
    expect(stage.asked().scripts.flat().sort()).toEqual(first?.toSorted());
  });

  it('keeps nothing of the boot before, not even where it cannot be read now', async () => {
    const stage = await stageOf(poco);
    await stage.round();
    reboot(stage);
    stage.phone.disturb('identity', { kind: 'rubbish' });
    stage.phone.disturb('browsers', { kind: 'rubbish' });

    expect((await stage.round()).facts).toEqual(without(factsIn(rebooted), 'identity', 'browsers'));
  });

  it('keeps nothing of the boot before when it breaks off as well', async () => {
    const stage = await stageOf(poco);
    await stage.round();
    reboot(stage);
    stage.phone.disturb('storage', { kind: 'drop', afterBytes: 5 });

    const { boot, battery } = factsIn(rebooted);
    expect(await stage.round()).toMatchObject({
      facts: { boot, battery },
      broken: 'the connection broke off',
    });
  });

  it('is noticed although its boot was not read in the round between', async () => {
    const stage = await stageOf(poco);
    await stage.round();
    stage.phone.disturb('boot', { kind: 'rubbish' });
    expect((await stage.round()).facts).toEqual(without(factsIn(poco), 'boot'));
    stage.phone.heal();
    reboot(stage);

    expect((await stage.round()).facts).toEqual(factsIn(rebooted));
  });

  it('is noticed in a container, whose boot id and uptime are its host’s', async () => {
    const { round, phone } = await stageOf(poco);
    await round();
    phone.alter('identity.properties', () => outputOf(rebooted.answers['identity.properties'] ?? []).text);
    phone.alter('boot.properties', stillStarting);

    const { identity } = factsIn(rebooted);
    expect((await round()).facts.identity).toEqual(identity);
    phone.alter('boot.properties', (text) => text);
    expect((await round()).facts).toEqual({ ...factsIn(poco), identity });
  });

  it('is noticed by its uptime where it has no boot id', async () => {
    const nameless = (text: string) => text.replace(/^.*\n/, '');
    const { round, phone } = await stageOf(changed(poco, { 'boot.clock': nameless }));
    await round();

    expect((await round()).conversations).toBe(1);
    phone.alter('boot.clock', anotherBoot);
    expect((await round()).conversations).toBe(2);
  });
});

describe('a phone that is still starting', () => {
  const starting = changed(poco, { 'boot.properties': stillStarting });

  it('gives its boot and identity, and nothing else counts or fails', async () => {
    const { round, phone } = await stageOf(starting);
    for (const section of ['battery', 'mobile', 'screen']) phone.disturb(section, { kind: 'rubbish' });

    const { boot, identity } = factsIn(starting);
    expect(boot?.bootCompleted).toBe(false);
    expect(await round()).toMatchObject({ facts: { boot, identity }, failures: [] });
  });

  it('has only its boot and identity collected until it has started', async () => {
    const { round, phone, asked } = await stageOf(poco);
    phone.alter('boot.properties', stillStarting);
    await round();
    asked();

    await round();
    expect(asked().scripts).toEqual([['boot.clock', 'boot.properties', 'identity.properties']]);

    phone.alter('boot.properties', (text) => text);
    expect(await round()).toMatchObject({ facts: factsIn(poco), conversations: 2 });
  });

  it('gives all facts once it has started, also what hung until then', async () => {
    const { round, phone } = await stageOf(poco, { sections: sectionsWithLimit('battery', 0) });
    phone.alter('boot.properties', stillStarting);
    phone.disturb('battery', { kind: 'hang' });
    for (let count = 0; count < 5; count += 1) await round();
    phone.alter('boot.properties', (text) => text);
    phone.heal();

    await round();

    expect(await round()).toMatchObject({ facts: factsIn(poco), failures: [] });
  });

  it('gives all facts once it is unlocked, also what hung until then', async () => {
    const { round, phone } = await stageOf(poco, { sections: sectionsWithLimit('browsers', 0) });
    phone.alter('boot.properties', (text) => text.replace(/^\[sys\.user\.0\.ce_available\].*\n?/m, ''));
    phone.disturb('browsers', { kind: 'hang' });
    for (let count = 0; count < 5; count += 1) await round();
    phone.alter('boot.properties', (text) => text);
    phone.heal();

    await round();

    expect(await round()).toMatchObject({ facts: factsIn(poco), failures: [] });
  });

  it('logs no failure of what it cannot answer while its data is locked', async () => {
    const locked = changed(poco, {
      'boot.properties': (text) => text.replace(/^\[sys\.user\.0\.ce_available\].*\n?/m, ''),
    });
    const { round, phone } = await stageOf(locked);
    phone.disturb('browsers', { kind: 'rubbish' });

    expect(await round()).toMatchObject({ facts: without(factsIn(locked), 'browsers'), failures: [] });
  });
});

describe('a phone whose conversation ends too early', () => {
  it('keeps its last good facts whole', async () => {
    const { round, phone } = await stageOf(poco);
    const good = await round();
    phone.alter('battery.dump', emptier);
    phone.disturb('display', { kind: 'drop', afterBytes: 40 });

    const snapshot = await round();

    expect(snapshot).toEqual({ ...good, broken: 'the connection broke off' });
    phone.heal();
    expect((await round()).facts).toEqual(factsIn(changed(poco, { 'battery.dump': emptier })));
  });

  it('gives at first contact what it had answered, and the rest in the next round', async () => {
    const { round, phone } = await stageOf(poco);
    phone.disturb('storage', { kind: 'drop', afterBytes: 5 });

    const { boot, identity, battery } = factsIn(poco);
    expect(await round()).toMatchObject({
      facts: { boot, identity, battery },
      broken: 'the connection broke off',
    });
    phone.heal();
    expect(await round()).toMatchObject({ facts: factsIn(poco), conversations: 1 });
  });

  it('gives no facts when it ends within the first answer', async () => {
    const { round, phone } = await stageOf(poco);
    phone.disturb('boot', { kind: 'drop', afterBytes: 5 });

    await expect(round()).rejects.toThrow(new BrokenConversationError('the connection broke off'));
  });

  it('ends at the deadline when a command is stuck for ever, which rests after two times', async () => {
    const { round, phone } = await stageOf(poco, { deadlineMs: 300 });
    phone.disturb('storage', { kind: 'stuck' });
    const { boot, identity, battery } = factsIn(poco);
    const first = await round();
    const second = await round();

    for (const snapshot of [first, second])
      expect(snapshot).toMatchObject({ facts: { boot, identity, battery }, broken: 'no end within 0.3 s' });
    const third = await round();
    expect(third.facts).toEqual(without(factsIn(poco), 'storage'));
    expect(third.broken).toBeUndefined();
  });

  it('keeps its last good facts when every command hangs', async () => {
    const { round, phone } = await stageOf(poco, { sections: sectionsWithLimit('*', 0) });
    const good = await round();
    phone.disturb('*', { kind: 'hang' });

    expect(await round()).toEqual({ ...good, broken: 'no command was answered' });
  });
});

describe('a phone that prints without end', () => {
  const flood = { kind: 'flood', bytes: 10 * LIMITS.bytes } as const;

  it('rests for some rounds, the longer the more often it does, whatever it says to be', async () => {
    const { round, asked, phone } = await stageOf(poco);
    const { facts } = await round();
    asked();
    phone.disturb('battery', flood);
    const isAsked: boolean[] = [];
    for (const _ of Array(12)) {
      phone.alter('boot.clock', (text) => text.replace(/^[0-9a-f-]{36}$/m, randomUUID()));
      const snapshot = await round().catch((error) => error);
      expect([snapshot.broken, snapshot.message]).toContain('it printed too much');
      isAsked.push(asked().requests.length > 0);
    }
    const asks = isAsked.flatMap((is, index) => (is ? [index] : []));
    expect(asks).toEqual([0, 3, 8]);
    phone.heal();
    for (const _ of Array(5)) await round().catch(() => {});
    expect((await round()).facts.battery).toEqual(facts.battery);
  });

  it('is not one whose connection breaks off each time, which is collected in each round', async () => {
    const { round, asked, phone } = await stageOf(poco);
    phone.disturb('boot', { kind: 'drop', afterBytes: 0 });
    for (const _ of Array(4)) {
      await round().catch(() => {});
      expect(asked().scripts).toHaveLength(1);
    }
  });
});

describe('a phone with one command that goes wrong', () => {
  it('loses that section alone when it hangs, lets it rest after two times, and has it back then', async () => {
    const { round, asked, phone } = await stageOf(poco, { sections: sectionsWithLimit('battery', 1) });
    await round();
    phone.disturb('battery', { kind: 'hang' });
    asked();
    const asksBattery = () => asked().scripts.flat().includes('battery.dump');

    for (let count = 0; count < 2; count += 1) {
      expect(await round()).toMatchObject({
        facts: without(factsIn(poco), 'battery'),
        failures: [{ section: 'battery', kind: 'timed-out' }],
      });
      expect(asksBattery()).toBe(true);
    }
    for (let count = 0; count < 2; count += 1) {
      expect(await round()).toMatchObject({ facts: without(factsIn(poco), 'battery'), failures: [] });
      expect(asksBattery()).toBe(false);
    }
    phone.heal();
    expect(await round()).toMatchObject({ facts: factsIn(poco), failures: [] });
  });

  it('loses that command alone where the section has others', async () => {
    const { round, phone } = await stageOf(poco, { sections: sectionsWithLimit('mobile', 1) });
    phone.disturb('mobile.registry', { kind: 'hang' });

    const { facts, failures } = await round();

    expect(without(facts, 'mobile')).toEqual(without(factsIn(poco), 'mobile'));
    expect(facts.mobile).toEqual({ subscriptions: factsIn(poco).mobile?.subscriptions });
    expect(failures).toEqual([{ section: 'mobile', kind: 'timed-out' }]);
  });

  it('is said to have hung also when another command of the section rests', async () => {
    const { round, phone } = await stageOf(poco, { sections: sectionsWithLimit('mobile', 0) });
    phone.disturb('mobile.isub', { kind: 'hang' });
    await round();
    await round();
    phone.disturb('mobile.registry', { kind: 'hang' });

    expect(await round()).toMatchObject({
      facts: without(factsIn(poco), 'mobile', 'identifiers'),
      failures: [{ section: 'mobile', kind: 'timed-out' }],
    });
  });

  it('loses that section alone when it prints 32 MB', async () => {
    const { round, phone } = await stageOf(poco);
    phone.disturb('battery', { kind: 'flood', bytes: 32 * 1024 * 1024 });

    expect(await round()).toMatchObject({
      facts: without(factsIn(poco), 'battery'),
      failures: [{ section: 'battery', kind: 'flooded' }],
    });
  });

  it('loses nothing when it prints byte by byte', async () => {
    const { round, phone } = await stageOf(poco);
    phone.disturb('battery', { kind: 'dribble', everyMs: 1 });

    expect(await round()).toMatchObject({ facts: factsIn(poco), failures: [] });
  });
});

describe('a phone and the shells that it has', () => {
  it('is collected by shell: if all others are refused, which are not tried again', async () => {
    const { round, asked } = await stageOf(huawei);

    expect((await round()).facts).toEqual(factsIn(huawei));
    expect(asked().requests).toEqual([
      'host:transport-id:1',
      'shell,v2,raw:…',
      'host:transport-id:1',
      'exec:…',
      'host:transport-id:1',
      'shell:…',
    ]);
    expect((await round()).facts).toEqual(factsIn(huawei));
    expect(asked().requests).toEqual(['host:transport-id:1', 'shell:…']);
  });

  it('is collected by exec: since Android 5', async () => {
    const { round, asked } = await stageOf({ ...huawei, sdk: 22 });

    expect((await round()).facts).toEqual(factsIn(huawei));
    expect(asked().requests.slice(2)).toEqual(['host:transport-id:1', 'exec:…']);
    await round();
    expect(asked().requests).toEqual(['host:transport-id:1', 'exec:…']);
  });

  it('is collected by exec: if it announces shell,v2 and does not open it', async () => {
    const { round, asked, phone } = await stageOf(poco);
    phone.refused.add('v2');

    expect((await round()).facts).toEqual(factsIn(poco));
    expect(asked().requests.slice(2)).toEqual(['host:transport-id:1', 'exec:…']);
  });

  it('is tried by the newest again after another boot: another Android may have come with it', async () => {
    const { round, asked, phone } = await stageOf(poco);
    phone.refused.add('v2');
    await round();
    phone.refused.clear();
    phone.alter('boot.clock', anotherBoot);
    await round(); // finds out
    asked();

    await round();

    expect(asked().requests).toEqual(['host:transport-id:1', 'shell,v2,raw:…']);
  });

  it('is not collected by another one if adb refuses the phone itself', async () => {
    const { round, asked, phone } = await stageOf(poco);
    phone.state = 'offline';

    await expect(round()).rejects.toThrow(new AdbRefusedError('device offline'));
    expect(asked().requests).toEqual(['host:transport-id:1']);
  });

  it('is refused while it opens no service, and collected from the start when it does', async () => {
    const { round, asked, phone } = await stageOf(poco);
    await round();
    for (const kind of ['v2', 'exec', 'shell'] as const) phone.refused.add(kind);
    await expect(round()).rejects.toThrow(new ServiceRefusedError('closed'));
    asked();
    phone.refused.clear();
    phone.hasShellV2 = false; // another Android was put on it meanwhile

    await round();

    expect(asked().requests.slice(2)).toEqual(['host:transport-id:1', 'exec:…']);
  });

  it.each([
    ['an old phone', huawei],
    ['a new phone', poco],
  ])(
    '%s that takes packets of 4096 bytes never aborts the adb server, whatever host it shall reach',
    async (_, recording) => {
      const label = 'a'.repeat(63);
      const host = [label, label, label, 'a'.repeat(61)].join('.');
      const { round, server, phone } = await stageOf(recording, {
        commandOptions: { reachabilityHost: host, reachabilityOnMetered: false },
      });
      phone.maxDataBytes = 4096;

      const { facts, failures } = await round();

      expect(server.aborted).toBeUndefined();
      expect(failures).toEqual([]);
      expect(facts).toEqual(factsIn(recording));
      const longest = Math.max(...server.requests.map(({ request }) => Buffer.byteLength(request)));
      expect(longest).toBeGreaterThan(3_000);
      expect(longest).toBeLessThan(4_096);
    },
  );
});
