/**
 * Says a word when a finding begins, changes its severity or ends. For each address it compares the findings now with what
 * was told there last: so nothing waits in a queue, and what was not told in time is told as it is then. What was told is
 * kept in `notified.json` of the state directory: a restart tells nothing twice.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { HOUR_MS, MINUTE_MS } from '../../base/calendar.ts';
import type { Environment } from '../../base/environment.ts';
import type { Logger } from '../../base/log.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { OutageLog } from '../../base/outage-log.ts';
import { sleep, within } from '../../base/time.ts';
import { EndpointError } from '../../cloud/endpoint.ts';
import { type Delays, Outage } from '../../cloud/retry.ts';
import type { NotifyTarget } from '../../config/notify.ts';
import { bySeverity, type Finding, findingKey } from '../../diagnosis/finding.ts';
import { moment, readAtStart, readJsonFile, writeJsonFile } from '../../host/json-file.ts';
import { withDiskTimeout } from '../../host/state-file.ts';
import { postTo } from './client.ts';
import type { Change, Message } from './message.ts';

/** So many messages in an hour are told soon. */
const SOON_AN_HOUR = 12;
/** A request that is under way when the agent stops, ms. */
const FAREWELL_MS = 2_000;

/** In ms. */
interface Timing {
  /** What begins within this time is one message. */
  groupMs: number;
  /** After many messages: what comes and goes all the time would bury the others. */
  manyMs: number;
  /** After a start phones are collected anew, and some findings with them: until then none has ended. */
  settleMs: number;
  delays: Delays;
}
const ownTiming: Timing = {
  groupMs: 10_000,
  manyMs: 5 * MINUTE_MS,
  settleMs: 5 * MINUTE_MS,
  delays: {
    quickMs: [1_000, 2_000, 4_000, 8_000, 16_000],
    slowMs: [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS],
  },
};

const VERSION = 1;

const toldSchema = z.object({
  id: z.string(),
  code: z.string(),
  severity: z.enum(['critical', 'major', 'minor']),
  since: moment,
});

const record = z.object({
  version: z.literal(VERSION),
  targets: z.record(z.string(), z.array(toldSchema)),
});

/** The title is not kept on the disk: there nothing is to remain of a phone that is forgotten. */
type Told = z.infer<typeof toldSchema> & { title?: string };

export interface NotifierOptions {
  targets: readonly NotifyTarget[];
  findings: { readonly current?: readonly Finding[] | undefined };
  host: Pick<Message, 'host' | 'nodeId'>;
  stateDir: string;
  /** Names the proxy. */
  env: Environment;
  log: Logger;
  timing?: Timing;
}

export type Notifier = Awaited<ReturnType<typeof startNotifier>>;

/**
 * Tells from now on.
 *
 * @throws {ConfigError} the proxy's address is invalid
 */
export async function startNotifier(options: NotifierOptions) {
  const { targets, stateDir, log } = options;
  const path = join(stateDir, 'notified.json');
  const read = () => readJsonFile(path, record, VERSION);
  const { value, unread } = await readAtStart({ path, read, log });
  /** By a mark of the address; the findings by `id`. */
  const told = new Map<string, Map<string, Told>>();
  let writing: Promise<void> = Promise.resolve();
  const write = async () => {
    if (unread && !(await unread.tryAgain(() => {}))) return;
    const kept = [...told].map(([mark, ofTarget]) => [mark, [...ofTarget.values()].map(withoutTitle)]);
    await writeJsonFile(path, { version: VERSION, targets: Object.fromEntries(kept) });
  };
  /** One after the other. What the disk does not take is told again after a restart; the roster's writer complains. */
  const keep = () => {
    writing = writing.then(write).catch(() => {});
  };
  const loops = targets.map((target) => {
    const mark = markOf(target);
    const ofTarget = new Map((value?.targets[mark] ?? []).map((each): [string, Told] => [each.id, each]));
    told.set(mark, ofTarget);
    return loopOf(target, ofTarget, options, keep);
  });
  const changed = () => {
    for (const loop of loops) loop.changed();
  };
  changed();
  return {
    changed,
    /** Tells no more. What is under way may end, for two seconds: then it is not told again. Never throws. */
    async stop(): Promise<void> {
      await Promise.all(loops.map((loop) => loop.stop()));
      await withDiskTimeout(writing);
    },
  };
}

const withoutTitle = ({ title: _, ...kept }: Told) => kept;

/**
 * One address, to which one message at a time goes.
 *
 * @param keep writes what was told
 */
function loopOf(target: NotifyTarget, told: Map<string, Told>, options: NotifierOptions, keep: () => void) {
  const { findings, host, env, log, timing = ownTiming } = options;
  const logged = new OutageLog();
  const to = target.shown;
  const post = postTo(target, env);
  const outage = new Outage(timing.delays);
  /** No message begins any more. */
  const resting = new AbortController();
  /** The one under way ends. */
  const stopping = new AbortController();
  const settledAt = performance.now() + timing.settleMs;
  let running: Promise<void> | undefined;
  /** The messages of the last hour, by the monotonic clock, ms. */
  let sentAt: number[] = [];

  /** What is to be told now; undefined: nothing, or nothing is known yet. */
  const due = (): Message | undefined => {
    if (findings.current === undefined) return undefined;
    const { severity: least, codes } = target;
    const here = new Map(findings.current.map((finding) => [idOf(finding), finding]));
    const isTold = ([id, { code, severity }]: [string, Finding]) =>
      told.has(id) || (bySeverity(severity, least) <= 0 && (codes.length === 0 || codes.includes(code)));
    const ours = [...here].filter(isTold);
    const changes = ours.flatMap(([id, finding]) => changeOf(id, finding, told.get(id)) ?? []);
    if (performance.now() >= settledAt)
      for (const each of told.values()) if (!here.has(each.id)) changes.push({ ...each, change: 'ended' });
    if (changes.length === 0) return undefined;
    const count = (wanted: Finding['severity']) =>
      ours.filter(([, { severity }]) => severity === wanted).length;
    const now = { critical: count('critical'), major: count('major'), minor: count('minor') };
    return { ...host, at: Date.now(), changes, now };
  };

  const groupMs = (): number => {
    const from = performance.now() - HOUR_MS;
    sentAt = sentAt.filter((at) => at > from);
    return sentAt.length < SOON_AN_HOUR ? timing.groupMs : timing.manyMs;
  };

  /** @returns when to try again, ms; undefined: it was taken */
  const send = async (message: Message): Promise<number | undefined> => {
    try {
      await post(message, stopping.signal);
    } catch (error) {
      if (stopping.signal.aborted) return undefined;
      const { status, retryAfterMs } = error instanceof EndpointError ? error : {};
      if (logged.begin(String(status ?? error)))
        log.warn({ err: error, to }, 'a message about findings is not taken');
      return outage.goesOn(Math.random(), retryAfterMs);
    }
    outage.end();
    sentAt.push(performance.now());
    for (const { id, change, code, severity, since, title } of message.changes)
      if (change === 'ended') told.delete(id);
      else told.set(id, omitUndefined({ id, code, severity, since, title }));
    keep();
    if (logged.end()) log.info({ to }, 'messages about findings are taken again');
    return undefined;
  };

  /** Until all is told. Never throws. */
  const run = async (): Promise<void> => {
    let delayMs = groupMs();
    for (;;) {
      await sleep(delayMs, resting.signal);
      const message = resting.signal.aborted ? undefined : due();
      if (message === undefined) break;
      delayMs = (await send(message)) ?? groupMs();
    }
    running = undefined;
  };

  const changed = (): void => {
    if (!resting.signal.aborted && running === undefined && due() !== undefined) running = run();
  };
  const settled = setTimeout(changed, timing.settleMs).unref();
  const stop = async (): Promise<void> => {
    clearTimeout(settled);
    resting.abort();
    await within(FAREWELL_MS, running ?? Promise.resolve());
    stopping.abort();
    await running;
  };
  return { changed, stop };
}

function changeOf(id: string, finding: Finding, told: Told | undefined): Change | undefined {
  const { code, severity, certainty, subject, title, remedy, since, udids } = finding;
  if (told?.severity === severity) return undefined;
  const change = told === undefined ? ('began' as const) : ('changed' as const);
  const facts = { code, severity, certainty, subject, title, remedy, since, udids };
  return omitUndefined({ id, change, was: told?.severity, ...facts });
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

const idOf = (finding: Finding): string => shortHash(findingKey(finding));

/** Who is told of other findings, or in another form, is told anew. */
const markOf = ({ format, url, severity, codes }: NotifyTarget): string =>
  shortHash(JSON.stringify([format, url.reveal(), severity, codes]));
