/** `hostnode status`: prints the host's status from the running agent: once, live, or as JSON. */
import { isOnTerminal } from '../base/environment.ts';
import { printable } from '../base/printable.ts';
import { sleep } from '../base/time.ts';
import { placeInRoom } from '../roster/slot-name.ts';
import type { HostStatus } from '../status/host-status.ts';
import { follow, NoAgentError, requestAgent } from '../status/http/client.ts';
import { type AgentOptions, agentSocket, callAgent } from './agent.ts';
import { FailedError, say, sayJson, terminalWidth } from './terminal.ts';

export type StatusOptions = AgentOptions<'json' | 'watch' | 'all' | 'problems' | 'names' | 'check'> & {
  hosts?: string | true;
};

/** Of an agent that is well, ms. */
const HEALTHY_MS = 5_000;
/** An agent that ends the connection and does not listen again for so long has stopped, ms. */
const RELOAD_MS = 3_000;
const RECONNECT_MS = 100;
/** q, Q, Ctrl-C and Ctrl-D: with single keys the terminal makes no signals of them. */
const LEAVING_KEYS = Buffer.from('qQ\x03\x04');

export async function status(options: StatusOptions): Promise<void> {
  if (options.hosts !== undefined) {
    const { hostsStatus } = await import('./hosts.ts');
    await hostsStatus(options.hosts === true ? undefined : options.hosts, options.json);
  } else if (options.check) await check(options);
  else if (options.watch) await watch(options);
  else await show(await callAgent(options, { path: '/api/status' }), options);
}

async function check(options: StatusOptions): Promise<void> {
  const answer = await requestAgent(await agentSocket(options), { path: '/healthz', timeoutMs: HEALTHY_MS });
  if (answer.status !== 200) throw new FailedError(answer.text.trim());
}

async function watch(options: StatusOptions): Promise<void> {
  const ending = new AbortController();
  const end = () => ending.abort();
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  process.on('SIGHUP', isOnTerminal() ? end : () => {}); // nohup means that it goes on
  process.stdout.once('error', end); // the reader has closed
  const hasKeys = process.stdin.isTTY && process.stdout.isTTY && !options.json;
  using _ = hasKeys ? leavingAtKey(end) : undefined;
  const show = options.json ? (host: HostStatus) => say(JSON.stringify(host)) : await shower(options);
  for await (const text of followThroughReloads(await agentSocket(options), ending.signal))
    show(JSON.parse(text) as HostStatus);
}

/** Each status, until the agent stops or the signal fires. A reload ends the connection too, but takes new ones at once. */
async function* followThroughReloads(socketPath: string, signal: AbortSignal): AsyncGenerator<string> {
  let endedAt: number | undefined;
  while (!signal.aborted) {
    try {
      for await (const text of follow(socketPath, signal)) {
        endedAt = undefined;
        yield text;
      }
      endedAt ??= performance.now();
    } catch (error) {
      if (endedAt === undefined || !(error instanceof NoAgentError)) throw error;
    }
    if (signal.aborted) return;
    if (performance.now() - endedAt > RELOAD_MS) throw new NoAgentError('the agent stopped');
    await sleep(RECONNECT_MS, signal);
  }
}

/** On a terminal each status replaces the one before; elsewhere it follows it. */
async function shower(options: StatusOptions): Promise<(host: HostStatus) => void> {
  const [{ statusLines }, { painterOf }] = await Promise.all([
    import('./status-lines.ts'),
    import('./terminal-view.ts'),
  ]);
  if (!process.stdout.isTTY) return (host) => say(...statusLines(host, layoutOf(options)), '');
  const paint = painterOf(process.stdout);
  const hint = process.stdin.isTTY ? 'q or Ctrl-C ends' : 'Ctrl-C ends';
  return (host) => paint(statusLines(host, { ...layoutOf(options), hint }));
}

/** Calls `leave` when a person presses q or Ctrl-C. Puts the terminal back when it is disposed. */
function leavingAtKey(leave: () => void): Disposable {
  const { stdin } = process;
  stdin.setRawMode(true);
  stdin.on('data', (keys: Buffer) => {
    if (keys.some((key) => LEAVING_KEYS.includes(key))) leave();
  });
  for (const closed of ['end', 'error']) stdin.on(closed, leave);
  return {
    [Symbol.dispose]() {
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}

function layoutOf({ all, problems }: StatusOptions) {
  const { rows } = process.stdout;
  const view = all ? ('all' as const) : problems ? ('problems' as const) : undefined;
  return { width: terminalWidth(process.stdout), rows: rows || undefined, ...(view && { view }) };
}

async function show(host: HostStatus, options: StatusOptions): Promise<void> {
  if (options.json) return sayJson(host);
  if (options.names) return say(...namesIn(host));
  const { onUsb, address } = host.adb;
  if (onUsb?.withDebugging) {
    const { lacksUsb } = await import('../doctor/adb.ts');
    onUsb.serverLacksUsb = await lacksUsb('/', address);
  }
  const { statusLines } = await import('./status-lines.ts');
  say(...statusLines(host, layoutOf(options)));
}

function namesIn({ phones }: HostStatus): string[] {
  const names = phones.flatMap(({ udid, name, slot = '' }) => [udid, name, slot, placeInRoom(slot).band]);
  return [...new Set(names.map((name) => printable(name)))].filter((name) => name !== '').toSorted();
}
