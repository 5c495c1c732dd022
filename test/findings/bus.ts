/** What USB would have shown of the losses of a scene: told by its labels, as the host itself would have seen it. */
import type { RuleContext } from '../../src/diagnosis/rule.ts';
import {
  type HistoryEvent,
  isLostState,
  type PhoneHappening,
  type Where,
} from '../../src/history/events/event.ts';
import { hubsAbove, portOf } from '../../src/history/events/where.ts';
import type { Scene } from './scene.ts';

type Shown = Extract<PhoneHappening, { kind: 'usb' }>;
type Lost = HistoryEvent & { udid: string; where: Where };

/** USB is read so long after a loss, ms. */
const READ_MS = 2_000;
/** A hub takes all its phones within this time, ms. */
const TOGETHER_MS = 12_000;

/** The same scene of a host that knows its USB. */
export function withBus({ name, context, expected }: Scene): Scene {
  const { events } = context;
  const losses = events.filter(isLoss);
  const shownOf = new Map(losses.map((loss) => [loss, shown(loss, losses, { expected, events })]));
  const told: HistoryEvent[] = [];
  let waiting: Lost[] = [];
  const tell = (isDue: (loss: Lost) => boolean) => {
    for (const loss of waiting.filter(isDue)) {
      const { udid, where, at } = loss;
      told.push({ ...(shownOf.get(loss) as Shown), udid, where, at: at + READ_MS, id: 0 });
    }
    waiting = waiting.filter((loss) => !isDue(loss));
  };
  for (const event of events) {
    // before the phone is back, or another thing happens later
    tell(
      ({ at, udid }) =>
        Math.abs(event.at - at) > READ_MS || (event.kind === 'attached' && event.udid === udid),
    );
    told.push(event);
    if (isLoss(event)) waiting.push(event);
  }
  tell(() => true);
  return {
    name,
    expected,
    context: { ...context, events: told.map((event, index) => ({ ...event, id: 1001 + index })) },
  };
}

export const withoutBus = ({ context, ...scene }: Scene): Scene => ({
  ...scene,
  context: { ...context, events: context.events.filter(({ kind }) => kind !== 'usb') },
});

const isLoss = (event: HistoryEvent): event is Lost =>
  event.udid !== undefined &&
  portOf(event.where) !== undefined &&
  (event.kind === 'detached' || (event.kind === 'state' && isLostState(event.state)));

function shown(
  { kind, at, where }: Lost,
  losses: readonly Lost[],
  { expected, events }: Pick<Scene, 'expected'> & Pick<RuleContext, 'events'>,
): Shown {
  const keysOf = (start: string) =>
    expected.flatMap(({ code, key }) => (code.startsWith(start) && key ? key : []));
  const isNear = (other: { at: number }) => Math.abs(other.at - at) <= TOGETHER_MS;
  const hub = hubsAbove(where).find((each) => keysOf('HUB_').includes(each));
  const below = new Set(
    losses
      .filter((loss) => isNear(loss) && hub && hubsAbove(loss.where).includes(hub))
      .map((loss) => loss.udid),
  );
  if (hub !== undefined && below.size >= 3) return { kind: 'usb', gone: 'hub', hub };
  const isAdb = events.some((event) => event.kind.startsWith('adb') && isNear(event));
  const isOwn = [...keysOf('PORT_'), ...keysOf('HUB_')].some((key) => [portOf(where), hub].includes(key));
  const hangs = kind === 'state' && !isOwn;
  return { kind: 'usb', gone: hangs || isAdb ? 'nothing' : 'phone' };
}
