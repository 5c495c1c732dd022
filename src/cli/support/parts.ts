/** Collects the parts of a support bundle. A part that cannot be had says why, and costs no other. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { hostname, release, type } from 'node:os';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { DAY_MS } from '../../base/calendar.ts';
import { childEnvironment, type Environment } from '../../base/environment.ts';
import { ConfigError, hasCode, parseJson } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { version } from '../../base/version.ts';
import { type Config, loadConfig, readConfig } from '../../config/load.ts';
import { withServiceEnvironment } from '../../config/service-environment.ts';
import { readAdbPrograms } from '../../doctor/adb.ts';
import { errorText } from '../../doctor/check.ts';
import { examine } from '../../doctor/examination.ts';
import type { HistoryEvent } from '../../history/events/event.ts';
import { readEvents } from '../../history/store/reader.ts';
import { defaultStateDirectory } from '../../host/state-dir.ts';
import { readRoster } from '../../roster/store.ts';
import { EVENTS_PAGE } from '../../status/commands.ts';
import type { HostStatus } from '../../status/host-status.ts';
import { type AgentOptions, callAgent } from '../agent.ts';
import { asObject, settingsInForce } from '../config-show.ts';
import { hostsIn, personalIn, tokensIn } from './redaction.ts';

export interface Part {
  name: string;
  what: string;
  /** Of a JSON file. */
  value?: unknown;
  /** Of a file with one entry a line, oldest first: the oldest go where there is no room. */
  entries?: readonly unknown[];
  problem?: string;
}

const WEEK_MS = 7 * DAY_MS;
/** More do not fit into the bundle. */
const MOST_EVENTS = 50_000;

/** @returns the parts, and values in them that are known to be personal */
export async function collectParts(option: AgentOptions): Promise<{ parts: Part[]; known: string[] }> {
  const env = withServiceEnvironment(process.env, option.config);
  const { USER = '', SUDO_USER = '', LOGNAME = '', HOME = '' } = env;
  const known = [hostname(), USER, SUDO_USER, LOGNAME, basename(HOME)];
  const file = omitUndefined({ file: option.config });
  const places = { env, takesHidden: true, ...file };
  // of a wrong configuration too: the doctor goes by it
  const config = (await readConfig(places).catch(() => undefined))?.config;
  if (config !== undefined)
    known.push(
      ...personalIn(config),
      ...hostsIn(config, env),
      ...tokensIn(config.metrics.otlp?.endpoint),
      ...tokensIn(config.cloud?.baseUrl),
      ...Object.keys(config.clouds),
    );
  const stateDir = config?.state.dir ?? defaultStateDirectory(env);
  const asked = callAgent<HostStatus>(option, { path: '/api/status' });
  const status = await asked.catch(() => undefined);
  if (status !== undefined) known.push(...namesOf(status));
  const { value: roster } = await readRoster(stateDir, { mayRename: false });
  known.push(...personalIn(roster?.devices));
  const onNames = (names: readonly string[]) => known.push(...names);
  const parts = await Promise.all([
    json('versions.json', 'versions of hostnode, Node, adb, the kernel and the system', () =>
      versions(env, config, status?.adb.version),
    ),
    json('config.json', 'the configuration in force, without secrets', async () => {
      const loaded = await loadConfig(places);
      return asObject(loaded, await settingsInForce(option, env, loaded));
    }),
    json('status.json', 'what hostnode status --json prints', () => asked),
    json('findings.json', 'the findings now', async () => (await asked).findings ?? []),
    json('doctor.json', 'what hostnode doctor --json prints', () => examine({ env, onNames, ...file })),
    lines('events.jsonl', 'events of the last 7 days, oldest first', () => events(option, stateDir)),
    lines('log.jsonl', 'the last lines of the log', () => readJournal(process.env)),
  ]);
  return { parts, known };
}

const partAs =
  (key: 'value' | 'entries') =>
  async (name: string, what: string, make: () => Promise<unknown>): Promise<Part> => {
    const content = await make().then(
      (made) => ({ [key]: made }),
      (error: unknown) => ({ problem: problemOf(error) }),
    );
    return { name, what, ...content };
  };
const json = partAs('value');
const lines = partAs('entries');

function problemOf(error: unknown): string {
  const isPlain = error instanceof Error && !(error instanceof ConfigError || 'errcode' in error);
  return isPlain ? error.message : errorText(error);
}

/** From the agent, else from its file. */
async function events(option: AgentOptions, stateDir: string): Promise<HistoryEvent[]> {
  const since = Date.now() - WEEK_MS;
  return eventsOfAgent(option, since).catch(async (error) => {
    const kept = await readEvents(stateDir, { since, limit: MOST_EVENTS });
    if (kept === undefined) throw new Error(`${problemOf(error)}; and ${stateDir} has no history`);
    return kept.reverse();
  });
}

async function eventsOfAgent(option: AgentOptions, since: number): Promise<HistoryEvent[]> {
  const newestFirst: HistoryEvent[] = [];
  for (;;) {
    const before = newestFirst.at(-1)?.id;
    const until = before === undefined ? '' : `&before=${before}`;
    const path = `/history?since=${since}${until}`;
    const page = await callAgent<HistoryEvent[]>(option, { path });
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
  config: Config | undefined,
  adbProtocol: number | undefined,
): Promise<object> {
  return {
    hostnode: version,
    node: process.versions.node,
    system: await systemName(),
    kernel: `${type()} ${release()}`,
    arch: process.arch,
    adbPrograms: await readAdbPrograms('/', env, config?.adb.bin),
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
  const args = ['--unit=hostnode', `--lines=${LOG_LINES}`, '--output=cat', '--no-pager', '--quiet'];
  const options = { timeout: JOURNAL_MS, maxBuffer: MOST_LOG_BYTES, env: childEnvironment(env) };
  const { stdout } = await promisify(execFile)('journalctl', args, options).catch((error) => {
    if (hasCode(error, 'ENOENT')) throw new Error('journalctl is not installed here');
    const isTooLong = hasCode(error, 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER');
    throw new Error(isTooLong ? 'journald’s log lines are too long' : 'journalctl failed');
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  if (lines.length === 0 || lines[0]?.startsWith('-- No entries'))
    throw new Error('journald has no log of hostnode');
  return lines.map((line) => (line.startsWith('{') ? (parseJson(line) ?? line) : line));
}
