/**
 * Random times of random phones in a lab's weeks, and what hostnode says of each: the lab's fault, nothing, or not watched.
 * What is true is what the lab was told, by its own clock; the rules have no part in it.
 */
import { lossesIn, type Verdict, verdictOf } from '../../../src/diagnosis/explain/verdict.ts';
import { BREAK_MS, LOW_PERCENT } from '../../../src/diagnosis/losses/charge.ts';
import { HOT_CELSIUS } from '../../../src/diagnosis/rules/battery.ts';
import type { HistoryEvent } from '../../../src/history/events/event.ts';
import { isAskedFor } from '../../../src/history/events/reboot-reason.ts';
import { Random } from '../random.ts';
import { HOUR, hashed, inZone, type Lab, type LabPhone, MINUTE, SECOND } from './lab.ts';
import { type Incident, type QuietMonth, told, zoneOf } from './story.ts';
import { connectionsIn, Sweep } from './sweep.ts';

/** One question about a phone, and what is true. */
export interface Asked {
  verdict: Verdict;
  /** Something of the lab hindered the phone then. */
  isLab: boolean;
  /** No agent ran, or adb was lost, for a part of it. */
  isBlind: boolean;
}

/** A time in which something is so of a phone, or of all (`phone` absent). */
interface Truth {
  from: number;
  to: number;
  phone?: LabPhone;
}

interface Truths {
  lab: Truth[];
  blind: Truth[];
  /** No agent ran: nobody could ask. */
  off: Truth[];
}

export const verdictsIn = (scene: Incident | QuietMonth, count: number): Asked[] =>
  inZone(zoneOf(scene), () => {
    const { lab } = told(scene);
    const sweep = new Sweep(lab);
    const truths = truthsOf(lab);
    const random = new Random(hashed(`${scene.name}/verdicts`));
    const windows = Array.from({ length: count }, (_, index) =>
      windowIn(lab, truths, random, index % 2 === 0),
    );
    return windows
      .sort((one, other) => one.askedAt - other.askedAt)
      .filter(({ askedAt }) => !truths.off.some(({ from, to }) => askedAt >= from && askedAt <= to))
      .map(({ phone, from, to, askedAt }) => ask({ lab, sweep, truths }, { phone, from, to, askedAt }));
  });

interface Window {
  phone: LabPhone;
  from: number;
  to: number;
  askedAt: number;
}

/** A test takes minutes to hours; every other one runs when something happens to its phone. */
function windowIn(lab: Lab, { lab: faults }: Truths, random: Random, isAtFault: boolean): Window {
  const phone = random.pick(lab.phones);
  const own = faults.filter((each) => each.phone === phone || each.phone === undefined);
  const lasts = Math.round(random.between(1, 90) * MINUTE);
  const near = isAtFault && own.length > 0 ? random.pick(own).from : undefined;
  const from = Math.round(
    near === undefined
      ? random.between(lab.start + HOUR, lab.end - 3 * HOUR)
      : near - lasts * random.between(-0.2, 1.2),
  );
  const begin = Math.min(Math.max(from, lab.start - HOUR), lab.end - 3 * HOUR);
  return {
    phone,
    from: begin,
    to: begin + lasts,
    askedAt: begin + lasts + Math.round(random.between(0, 30) * MINUTE),
  };
}

function ask({ lab, sweep, truths }: { lab: Lab; sweep: Sweep; truths: Truths }, window: Window): Asked {
  const { phone, askedAt } = window;
  const [from, to] = [lab.shown(window.from), lab.shown(window.to)];
  const context = sweep.contextAt(askedAt);
  const at = lab.shown(askedAt);
  const events = sweep.events.filter(({ udid }) => udid === undefined || udid === phone.udid);
  const verdict = verdictOf({
    ...{ udid: phone.udid, from, to, at, events },
    samples: sweep.samplesOf(phone.udid, askedAt, from - BREAK_MS, to + BREAK_MS),
    knownSince: events[0]?.at,
    ...(context && { now: context.now, lossOf: lossesIn(() => context) }),
  });
  const isOf = (each: Truth) =>
    (each.phone ?? phone) === phone && each.from < window.to && each.to >= window.from;
  return { verdict, isLab: truths.lab.some(isOf), isBlind: truths.blind.some(isOf) };
}

/** From what was told, not from what was recorded of it. */
function truthsOf(lab: Lab): Truths {
  const recorded = lab.recorded();
  const asked = askedRestarts(recorded.map(({ event }) => event));
  const truths: Truths = { lab: [], blind: [{ from: Number.NEGATIVE_INFINITY, to: lab.start }], off: [] };
  const connectionOf = connectionsIn(lab);
  for (const phone of lab.phones)
    for (const { from, to } of phone.busy) {
      const [at, until] = [from + 10 * SECOND, to - 10 * SECOND];
      const isTest =
        until - at < 10 * MINUTE &&
        asked.some((each) => each.udid === phone.udid && each.at >= at && each.at <= until + 2 * MINUTE);
      // jobs start and end their emulators
      if (!isTest && connectionOf(phone) !== 'emulator') truths.lab.push({ from: at, to: until, phone });
    }
  const open = new Map<string, Truth>();
  const begin = (key: string, at: number, into: Truth[], phone?: LabPhone, to = Number.POSITIVE_INFINITY) => {
    const truth: Truth = { from: at, to, ...(phone && { phone }) };
    if (!open.has(key)) into.push(truth);
    if (!open.has(key)) open.set(key, truth);
  };
  const end = (key: string, at: number) => {
    const truth = open.get(key);
    if (truth) truth.to = Math.min(truth.to, at);
    open.delete(key);
  };
  for (const { at, event } of recorded) {
    const phone = lab.phones.find(({ udid }) => udid === event.udid);
    switch (event.kind) {
      case 'adbLost':
        begin('adb', at, truths.lab);
        begin('adb blind', at, truths.blind);
        break;
      case 'adbBack':
        end('adb', at);
        end('adb blind', at);
        break;
      case 'adbReplaced':
      case 'os':
        truths.lab.push({ from: at, to: at, ...(phone && { phone }) });
        break;
      case 'rebooted':
        if (!isAskedFor(event.reason))
          truths.lab.push({
            from: at - (event.uptimeSeconds ?? 0) * SECOND,
            to: at,
            ...(phone && { phone }),
          });
        break;
      case 'agentStopped':
        begin('off', at, truths.blind);
        break;
      case 'agentStarted': {
        end('off', at);
        end('adb', at);
        end('adb blind', at);
        const { lastAliveAt = at, hostBootedAt = 0 } = event;
        truths.blind.push({ from: lastAliveAt, to: at });
        truths.off.push({ from: lastAliveAt, to: at });
        if (hostBootedAt > lastAliveAt) truths.lab.push({ from: lastAliveAt, to: at });
        break;
      }
      case 'maintenance':
        end(`maintenance ${event.udid}`, at);
        begin(`maintenance ${event.udid}`, at, truths.lab, phone, event.until);
        break;
      case 'maintenanceEnded':
        end(`maintenance ${event.udid}`, at);
        break;
      case 'state':
      case 'attached':
        if (event.state === 'device') end(`state ${event.udid}`, at);
        else begin(`state ${event.udid}`, at, truths.lab, phone);
        break;
      case 'detached':
        end(`state ${event.udid}`, at);
        break;
    }
  }
  for (const phone of lab.phones)
    for (let at = lab.start; at < lab.end; at += 10 * MINUTE) {
      const { temperatureDecicelsius = 0, levelPercent = 100 } = phone.reading?.(at) ?? {};
      if (temperatureDecicelsius >= HOT_CELSIUS * 10 || levelPercent <= LOW_PERCENT)
        truths.lab.push({ from: at - 10 * MINUTE, to: at + 10 * MINUTE, phone });
    }
  return truths;
}

/** A person or a test may have restarted it. */
const askedRestarts = (events: readonly HistoryEvent[]): { udid: string; at: number }[] =>
  events.flatMap((event) =>
    event.kind === 'rebooted' && (isAskedFor(event.reason) || event.reason === undefined)
      ? [{ udid: event.udid, at: event.at }]
      : [],
  );
