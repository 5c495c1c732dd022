/** Collects the parts of a support bundle. A part that cannot be had says why, and costs no other. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { hostname, release, type } from 'node:os';
import { promisify } from 'node:util';
import { DAY_MS } from '../../base/calendar.ts';
import { childEnvironment, type Environment } from '../../base/environment.ts';
import { ConfigError, hasCode } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { version } from '../../base/version.ts';
import { type LoadedConfig, loadConfig } from '../../config/load.ts';
import { withServiceEnvironment } from '../../config/service-environment.ts';
import type { HistoryEvent } from '../../diagnosis/events/event.ts';
import { readEvents } from '../../diagnosis/store/reader.ts';
import { readAdbPrograms } from '../../doctor/adb.ts';
import { errorText } from '../../doctor/check.ts';
import { examine } from '../../doctor/examination.ts';
import { defaultStateDirectory } from '../../host/state-dir.ts';
import { readRoster } from '../../roster/store.ts';
import { EVENTS_PAGE } from '../../status/commands.ts';
import type { HostStatus } from '../../status/host-status.ts';
import { refusalIn, requestAgent } from '../../status/http/client.ts';
import { type AgentOption, agentSocket } from '../agent.ts';
import { asObject, settingsInForce } from '../config-show.ts';
import { personalIn } from './redaction.ts';

/** One file of the bundle. */
export interface Part {
  name: string;
  /** One line for the list. */
  what: string;
  /** Of a JSON file. */
  value?: unknown;
  /** Of a file with one entry a line, oldest first: the oldest go where there is no room. */
  entries?: readonly unknown[];
  /** Why it is not there. */
  problem?: string;
}

export interface Collected {
  parts: Part[];
  /** Personal values that are known to be some. */
  known: string[];
}

const WEEK_MS = 7 * DAY_MS;
const ANSWER_MS = 15_000;
/** More do not fit into the bundle. */
const MOST_EVENTS = 50_000;

export async function collectParts(option: AgentOption): Promise<Collected> {
  const env = withServiceEnvironment(process.env, option.config);
  const known: string[] = [hostname(), env.USER ?? '', env.SUDO_USER ?? '', env.LOGNAME ?? ''];
  const configured = await attempt(() => loadConfig({ env, ...omitUndefined({ file: option.config }) }));
  const loaded = 'value' in configured ? configured.value : undefined;
  if (loaded !== undefined) known.push(...personalIn(loaded.config));
  const stateDir = loaded?.config.state.dir ?? defaultStateDirectory(env);
  const status = await attempt(() => ask<HostStatus>(option, '/api/status'));
  if ('value' in status) known.push(...namesOf(status.value));
  const { value: roster } = await readRoster(stateDir, { mayRename: false, isAgain: true });
  known.push(...personalIn(roster?.devices));
  const parts = await Promise.all([
    part('versions.json', 'versions of hostnode, Node, adb, the kernel and the system', () =>
      versions(env, loaded, 'value' in status ? status.value.adb.version : undefined),
    ),
    part('config.json', 'the configuration in force, without secrets', async () =>
      asObject(had(configured), await settingsInForce(option, env, had(configured))),
    ),
    part('status.json', 'what hostnode status --json prints', () => had(status)),
    part('findings.json', 'the findings now', () => had(status).findings ?? []),
    part('doctor.json', 'what hostnode doctor --json prints', () =>
      examine({
        env,
        root: '/',
        uid: process.getuid?.() ?? 0,
        onNames: (names) => known.push(...names),
        ...omitUndefined({ file: option.config }),
      }),
    ),
    entries('events.jsonl', 'events of the last 7 days, oldest first', () => events(option, stateDir)),
    entries('log.jsonl', 'the last lines of the log', () => readJournal(process.env)),
  ]);
  return { parts, known };
}

type Attempt<T> = { value: T } | { problem: string };

async function attempt<T>(make: () => T | Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await make() };
  } catch (error) {
    const isPlain = error instanceof Error && !(error instanceof ConfigError || 'errcode' in error);
    return { problem: isPlain ? error.message : errorText(error) };
  }
}

/** @throws an error with the problem of the attempt */
function had<T>(tried: Attempt<T>): T {
  if ('problem' in tried) throw new Error(tried.problem);
  return tried.value;
}

async function part(name: string, what: string, make: () => unknown): Promise<Part> {
  return { name, what, ...(await attempt(make)) };
}

async function entries(name: string, what: string, make: () => Promise<readonly unknown[]>): Promise<Part> {
  const tried = await attempt(make);
  return { name, what, ...('value' in tried ? { entries: tried.value } : tried) };
}

/** @throws an error that says why the agent does not answer */
async function ask<T>(option: AgentOption, path: string): Promise<T> {
  const answer = await requestAgent(await agentSocket(option), { path, timeoutMs: ANSWER_MS });
  if (answer.status !== 200) throw new Error(refusalIn(answer));
  return JSON.parse(answer.text) as T;
}

/** From the agent, else from its file. */
async function events(option: AgentOption, stateDir: string): Promise<HistoryEvent[]> {
  const since = Date.now() - WEEK_MS;
  const answered = await attempt(() => eventsOfAgent(option, since));
  if ('value' in answered) return answered.value;
  const kept = await readEvents(stateDir, { since, limit: MOST_EVENTS });
  if (kept === undefined) throw new Error(`${answered.problem}; and ${stateDir} has no history`);
  return kept.reverse();
}

async function eventsOfAgent(option: AgentOption, since: number): Promise<HistoryEvent[]> {
  const newestFirst: HistoryEvent[] = [];
  for (;;) {
    const before = newestFirst.at(-1)?.id;
    const page = await ask<HistoryEvent[]>(
      option,
      `/history?since=${since}${before === undefined ? '' : `&before=${before}`}`,
    );
    newestFirst.push(...page);
    if (page.length < EVENTS_PAGE || newestFirst.length >= MOST_EVENTS) return newestFirst.reverse();
  }
}

/** What people call phones and this host; not where it is the model that they share. */
const namesOf = ({ host, phones }: HostStatus): string[] => [
  ...[host.name, host.nodeId, host.hostname ?? ''],
  ...phones.flatMap(({ udid, serial, name, model }) => [udid, serial, ...(name === model ? [] : [name])]),
];

/** `Debian GNU/Linux 12 (bookworm)`. Source: os-release(5). */
async function systemName(): Promise<string> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^PRETTY_NAME="?([^"\n]{1,200})/m.exec(text)?.[1] ?? 'unknown';
}

async function versions(
  env: Environment,
  loaded: LoadedConfig | undefined,
  adbProtocol: number | undefined,
): Promise<object> {
  return {
    hostnode: version,
    node: process.versions.node,
    system: await systemName(),
    kernel: `${type()} ${release()}`,
    arch: process.arch,
    adbPrograms: await readAdbPrograms('/', env, loaded?.config.adb.bin),
    ...omitUndefined({ adbProtocol }),
  };
}

const LOG_LINES = 5000;
const JOURNAL_MS = 8_000;
const MOST_LOG_BYTES = 16 * 1024 * 1024;

/**
 * The tail of the agent's log, where journald has it.
 *
 * @returns oldest first; a line that is JSON as an object, any other as text
 * @throws an error that says why there is no log
 */
async function readJournal(env: NodeJS.ProcessEnv): Promise<unknown[]> {
  const lines = (await printed(env)).split('\n').filter((line) => line !== '');
  if (lines.length === 0 || lines[0]?.startsWith('-- No entries'))
    throw new Error('journald has no log of hostnode');
  return lines.map(parsed);
}

async function printed(env: NodeJS.ProcessEnv): Promise<string> {
  const args = ['--unit=hostnode', `--lines=${LOG_LINES}`, '--output=cat', '--no-pager', '--quiet'];
  try {
    const options = { timeout: JOURNAL_MS, maxBuffer: MOST_LOG_BYTES, env: childEnvironment(env) };
    return (await promisify(execFile)('journalctl', args, options)).stdout;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw new Error('journalctl is not installed here');
    if (hasCode(error, 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'))
      throw new Error('journald’s log lines are too long');
    throw new Error('journalctl failed');
  }
}

function parsed(line: string): unknown {
  if (!line.startsWith('{')) return line;
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
