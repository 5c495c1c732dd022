/** What a loss shows of who it was: the phone, its port, a person, a program. */
import type { KernelFault } from '../../host/kernel-line.ts';
import { between } from './clock-adjusted.ts';
import { areTooBrief, BRIEF_MS, BRIEF_ON_NETWORK_MS, type Loss } from './loss.ts';

/** Only a restart leads there. */
export const flashStates: ReadonlySet<string> = new Set(['bootloader', 'recovery', 'sideload', 'rescue']);

/** It happened in a maintenance, or while somebody flashed the phone. */
export const wasHandled = ({ wasInMaintenance, before }: Loss): boolean =>
  wasInMaintenance || flashStates.has(before);

/** It was off, or did not answer, until somebody restarted it: no cable and no port did that. */
export const isDead = ({ cause }: Loss): boolean => cause?.kind === 'dead';

/** USB went on showing the phone: no cable and no port did that. */
export const hasStayed = ({ usb }: Loss): boolean => usb?.gone === 'nothing';

/** It goes when its battery has become full. */
export const isWhenFull = ({ charge }: Loss): boolean => charge?.is === 'full';

/** Its USB mode changed, which restarts its USB debugging: some phones do so whenever they are locked. */
export const isByMode = (loss: Loss): boolean =>
  loss.cause?.kind === 'mode' && loss.usb?.isOtherMode === true && areTooBrief([loss]);

/** Programs of the host reset a phone, as for photos or files; hardly any port does. */
export const isByReset = ({ kernel }: Loss): boolean => kernel?.fault === 'reset';

/** Its cable and its port are not to blame, likely. */
export const isOfPhone = (loss: Loss): boolean =>
  isDead(loss) || hasStayed(loss) || isWhenFull(loss) || isByMode(loss) || isByReset(loss);

/** A cable moves with its phone: two ports hardly tell them apart. */
export const isInManyPorts = (losses: readonly Loss[]): boolean =>
  new Set(losses.map(({ port }) => port)).size > 2;

export const isSurelyPhone = (losses: readonly Loss[]): boolean =>
  isInManyPorts(losses) ||
  losses.every(
    (loss) => (isOfPhone(loss) && !isByMode(loss) && !isByReset(loss)) || loss.medium === 'emulator',
  );

/** Completes `Pixel 5 was lost 3 times`. */
export function mannerOf(losses: readonly Loss[]): string {
  if (losses.some(({ medium }) => medium === 'emulator')) return '';
  if (losses.every(isDead)) return ', and came back only with a restart';
  if (losses.every(isWhenFull)) return ', each time its battery had become full';
  if (losses.every(isByMode)) return ', each time with another USB mode';
  if (losses.every(isByReset)) return ', each time after the kernel had reset it';
  if (losses.every(hasStayed)) return ', while USB still showed it';
  const ports = new Set(losses.flatMap(({ port }) => port ?? [])).size;
  const onNetwork = losses.some(({ port }) => port === undefined) ? ' and on the network' : '';
  return ports === 1 ? `, at its port${onNetwork}` : `, in ${ports} different ports${onNetwork}`;
}

/** The kernel, or the port itself, says that it is the port, its cable or what is plugged in. */
export const isSeenAtPort = (loss: Loss): boolean =>
  (loss.usb?.overCurrents ?? 0) > 0 || (loss.kernel !== undefined && !isByReset(loss));

/** What the port itself or the kernel says of it most, and how often; undefined where neither says anything. */
export function seenAtPort(losses: readonly Loss[]): [KernelFault, number] | undefined {
  const counts = new Map<KernelFault, number>();
  for (const { usb, kernel } of losses.filter(isSeenAtPort)) {
    const cuts = usb?.overCurrents ?? 0;
    if (cuts > 0) counts.set('overCurrent', (counts.get('overCurrent') ?? 0) + cuts);
    else if (kernel) counts.set(kernel.fault, (counts.get(kernel.fault) ?? 0) + kernel.count);
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0];
}

/** It came back by itself, or went offline while it sat in its port, or the kernel says that it is the port, which no person does. */
export function isBrief(loss: Loss): boolean {
  const { port, wasListed, back } = loss;
  if ((port !== undefined && wasListed) || isSeenAtPort(loss)) return true;
  const awayMs = back && back.port === port ? between(loss, back) : undefined;
  return awayMs !== undefined && awayMs <= (port === undefined ? BRIEF_ON_NETWORK_MS : BRIEF_MS);
}
