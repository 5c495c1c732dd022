/** Who is to blame for each loss of a phone in the last 30 days: phone, port, hub, network, adb, host, room or a person. */

import { once } from '../context.ts';
import type { HistoryEvent, Where } from '../events/event.ts';
import { reasonInWords, rebootKind } from '../events/reboot-reason.ts';
import type { Blame } from '../finding.ts';
import type { RuleContext } from '../rule.ts';
import { evidenceOf, hubName, lasting, namesOf, oneLine, portName, times } from '../words.ts';
import { type LossCause, type LossCauses, lossCausesOf } from './cause.ts';
import { between } from './clock-adjusted.ts';
import type { Loss } from './loss-group.ts';
import { type Suspect, suspectsOf } from './repeat-offenders.ts';

/** Each loss with its cause, and who loses again and again. */
export interface Accusation extends LossCauses {
  suspects: Suspect[];
}

export const accuse = once((context): Accusation => {
  const causes = lossCausesOf(context);
  return { ...causes, suspects: suspectsOf(causes, context.now) };
});

/**
 * The first of these events with which a loss began, `detached` or `state` with a state such as `offline`, and who is to
 * blame for that.
 */
export function firstBlameOf(
  events: readonly HistoryEvent[],
  context: RuleContext,
): { at: number; udid: string; blame: Blame } | undefined {
  const accusation = accuse(context);
  const lossOf = new Map(accusation.losses.map((loss) => [loss.id, loss]));
  const first = events.find(({ id }) => lossOf.has(id));
  const loss = first && lossOf.get(first.id);
  return loss && { at: first.at, udid: loss.udid, blame: blamesIn(accusation, namesOf(context.now))(loss) };
}

export interface LossBlame {
  /** Of the event with which the loss began. */
  id: number;
  at: number;
  udid: string;
  blame: Blame;
}

/**
 * Of the newest loss of each phone at each place: it is also the newest one of its phone, its port, its hub or its slot.
 *
 * @returns undefined if there are more than `most`
 */
export function newestBlamesOf(context: RuleContext, most: number): LossBlame[] | undefined {
  const accusation = accuse(context);
  const lossOf = new Map(accusation.losses.map((loss) => [loss.id, loss]));
  const blameOf = blamesIn(accusation, namesOf(context.now));
  const seen = new Map<Where | undefined, Set<string>>();
  const found: LossBlame[] = [];
  for (const { id, at, where } of context.events.toReversed()) {
    const loss = lossOf.get(id);
    const ofPlace = seen.get(where) ?? new Set();
    if (loss === undefined || ofPlace.has(loss.udid)) continue;
    if (found.length === most) return undefined;
    seen.set(where, ofPlace.add(loss.udid));
    found.push({ id, at, udid: loss.udid, blame: blameOf(loss) });
  }
  return found;
}

/** Each suspect is put into words once, at most: one may have many thousands of losses, of a phone that changes its name. */
function blamesIn({ suspects, causeOf }: Accusation, name: (udid: string) => string): (loss: Loss) => Blame {
  const suspectOf = new Map<Loss, Suspect>();
  const blameOf = new Map<Suspect, Blame>();
  for (const suspect of suspects.toReversed())
    for (const loss of suspect.losses) suspectOf.set(loss, suspect);
  return (loss) => {
    const suspect = suspectOf.get(loss);
    if (suspect === undefined) return blameFor(loss, causeOf.get(loss) ?? { kind: 'own' });
    const blame = blameOf.get(suspect) ?? suspectBlame(suspect, name);
    blameOf.set(suspect, blame);
    return blame;
  };
}

function blameFor(loss: Loss, cause: LossCause): Blame {
  const shown = (ids: readonly number[] = []) => ({ evidence: evidenceOf([loss.id, ...ids]) });
  switch (cause.kind) {
    case 'adb': {
      const because = 'the adb server restarted at that moment';
      return { party: 'adb', certainty: 'likely', because, ...shown([cause.mark.id]) };
    }
    case 'start': {
      const because = 'it was lost while hostnode was starting or not running';
      return { party: 'unknown', certainty: 'possible', because, ...shown([cause.mark.id]) };
    }
    case 'handled': {
      const because = cause.repair ? 'somebody wrote a note about it then' : 'somebody worked on it then';
      return { party: 'person', certainty: 'likely', because, ...shown(cause.repair && [cause.repair.id]) };
    }
    case 'restarted': {
      const because = cause.isAsked
        ? 'the phone was restarted by a person or an update'
        : restartWithoutAsking(loss.reboot?.reason);
      const party = cause.isAsked ? 'person' : 'phone';
      return {
        party,
        certainty: loss.reboot ? 'likely' : 'possible',
        because,
        ...keyFor(party, loss),
        ...shown(loss.reboot && [loss.reboot.id]),
      };
    }
    case 'hub': {
      const because = `${cause.losses.length} of ${cause.had} phones of ${hubName(cause.hub, cause.losses)} were lost within ${spread(cause.losses)}`;
      const certainty = cause.losses.length === cause.had && cause.had > 2 ? 'certain' : 'likely';
      return { party: 'hub', key: cause.hub, certainty, because, ...shown(cause.losses.map(({ id }) => id)) };
    }
    case 'network': {
      const because = `${cause.losses.length} of ${cause.had} phones on the network were lost within ${spread(cause.losses)}`;
      return { party: 'network', certainty: 'likely', because, ...shown(cause.losses.map(({ id }) => id)) };
    }
    case 'host':
    case 'room': {
      const because = `${cause.losses.length} phones of several hubs were lost within ${spread(cause.losses)}`;
      return { party: cause.kind, certainty: 'likely', because, ...shown(cause.losses.map(({ id }) => id)) };
    }
    case 'taken': {
      const because = {
        moved: 'it came back at another port',
        habit: 'it is lost every day at that time',
        away: `it was away for ${awayFor(loss)}, when people are there`,
      };
      const certainty = cause.because === 'away' ? 'possible' : 'likely';
      return { party: 'person', certainty, because: because[cause.because], ...shown() };
    }
    case 'gone':
    case 'unclear': {
      const because = cause.kind === 'gone' ? 'it has not come back' : 'the clock was set while it was away';
      return { party: 'unknown', certainty: 'possible', because, ...shown() };
    }
    case 'own': {
      const because = `it ${manner(loss)}; this is too little to ${loss.isEmulator ? 'blame the emulator' : `tell the phone from its ${loss.port === undefined ? 'network' : 'cable or port'}`}`;
      return { party: 'unknown', certainty: 'possible', because, ...shown() };
    }
  }
}

const keyFor = (party: string, { udid }: Loss) => (party === 'phone' ? { key: udid } : {});

function suspectBlame({ kind, key, losses }: Suspect, name: (udid: string) => string): Blame {
  const evidence = evidenceOf(losses.map(({ id }) => id));
  const phones = new Set(losses.map(({ udid }) => udid)).size;
  const ports = new Set(losses.map(({ port }) => port)).size;
  const likely = (because: string, of: Pick<Blame, 'party' | 'key'>): Blame => ({
    ...{ ...of, certainty: 'likely', because, evidence },
  });
  switch (kind) {
    case 'phone':
      return likely(
        losses.some(({ isEmulator }) => isEmulator)
          ? `${name(key)} is lost again and again`
          : `${name(key)} is lost in ${ports} ports`,
        { party: 'phone', key },
      );
    case 'link':
      return likely(`${name(key)} is lost from the network more often than the others`, {
        party: 'link',
        key,
      });
    case 'hub':
      return likely(`${hubName(key, losses)} lost ${phones} phones one by one, at ${ports} ports`, {
        party: 'hub',
        key,
      });
    case 'network':
      return likely(`${phones} phones on the network are lost again and again`, { party: 'network' });
  }
  const port = portName(losses.at(-1)?.where ?? {});
  const because =
    phones > 1
      ? `${port} lost ${phones} different phones`
      : `${port} lost the phone ${times(losses.length)}, and the phone was lost at no other port`;
  return { party: 'port', key, certainty: phones > 1 ? 'likely' : 'possible', because, evidence };
}

function restartWithoutAsking(reason: string | undefined): string {
  if (reason === undefined || rebootKind(reason) !== 'crash')
    return 'the phone restarted and gives no reason';
  return `the phone crashed and restarted: ${oneLine(reasonInWords(reason))}`;
}

const spread = (losses: readonly Loss[]): string => lasting((losses.at(-1)?.at ?? 0) - (losses[0]?.at ?? 0));

const awayFor = (loss: Loss): string => lasting((loss.back?.at ?? loss.at) - loss.at);

function manner(loss: Loss): string {
  const isOnNetwork = loss.port === undefined;
  if (loss.wasListed) return isOnNetwork ? 'went offline' : 'went offline at its port';
  const away = loss.back && between(loss, loss.back);
  const back = isOnNetwork ? 'came back by itself' : 'came back at the same port';
  return away === undefined ? back : `${back} after ${lasting(away)}`;
}
